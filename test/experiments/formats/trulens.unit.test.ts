import { expect, test } from "vitest";
import { trulens } from "../../../src/experiments/formats/trulens.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const HEADER =
  "app_id,app_name,record_id,input_id,input,output,ts,latency,total_tokens,total_cost,is_match,exact,exact_calls,judged,judged_calls";

test("a record of trulens has its metrics alone as scores, and what it took as metadata", async () => {
  const csv = `${HEADER}\na,capitals,r1,i1,"{""q"": 1}",None,2026-11-20 10:00:00,0.5,15,0.25,True,1.0,[],,[]\n`;
  const { rows, faults } = await readAll(trulens, storedFile(csv));
  expect(faults).toEqual([]);
  expect(rows).toMatchObject([
    {
      id: "i1",
      inputs: { q: 1 },
      outputs: "None",
      scores: [
        { key: "exact", value: 1 },
        { key: "judged", value: undefined },
      ],
      times: { start: "2026-11-20 10:00:00", milliseconds: 500 },
      usage: { total_tokens: 15 },
      cost: 0.25,
      metadata: { app_name: "capitals", record_id: "r1" },
    },
  ]);
});

test.each<[string, string, string, unknown]>([
  ["whose calls were dropped", "judged,judged direction", "0.75,True", [{ key: "judged", value: 0.75 }]],
  ["with its cost alone beside it", "judged,judged feedback cost in USD", "2,0.1", [{ key: "judged", value: 2 }]],
  ["with nothing beside it", "Answer Relevance", "0.5", [{ key: "Answer Relevance", value: 0.5 }]],
  ["no number of a record", "num_events,sample_rate,is_match", "1,0.5,True", []],
  ["no time or count that a person added", "latency_ms,retry_tokens", "0.5,1", []],
  ["no number outside of 0 to 1", "stars", "4", []],
  ["no index of pandas", "Unnamed: 0", "0", []],
])("a metric of trulens is one %s", async (_, names, cells, scores) => {
  const header = "app_id,record_id,input,output,total_tokens";
  const { rows, faults } = await readAll(trulens, storedFile(`${header},${names}\na,r1,q,o,15,${cells}\n`));
  expect(faults).toEqual([]);
  expect(rows[0]?.scores).toEqual(scores);
});

test("a count that a person joined is no metric, though it begins with 1; nor are all of a metric's numbers lost", async () => {
  const header = "app_id,record_id,input,output,total_tokens,asked,Answer Relevance";
  const csv = `${header}\na,r1,q,o,15,1,1\na,r2,p,o,15,7,0.25\n`;
  const json = JSON.stringify(
    [
      [1, 1],
      [7, 0.25],
    ].map(([asked, relevance]) => {
      return {
        app_id: "a",
        record_id: "r",
        input: "q",
        output: "o",
        total_tokens: 1,
        asked,
        "Answer Relevance": relevance,
      };
    }),
  );
  for (const file of [storedFile(csv), storedFile(json, "r.json")]) {
    const { rows, ledger } = await readAll(trulens, file);
    expect(rows.map(({ scores }) => scores)).toEqual([
      [{ key: "Answer Relevance", value: 1 }],
      [{ key: "Answer Relevance", value: 0.25 }],
    ]);
    expect(ledger.unread).toEqual(["asked"]);
  }
});

test("a file of trulens that breaks is reported once", async () => {
  const header = "app_id,record_id,input,output,total_tokens,Answer Relevance";
  const { faults } = await readAll(trulens, storedFile(`${header}\na,r1,q,o,15\na,r2,p,o,15,0.5\n`));
  expect(faults).toHaveLength(1);
});

test("a column of trulens that is not read is named", async () => {
  const csv = "app_id,record_id,input,output,total_tokens,stars,note\na,r1,q,o,15,4,fine\n";
  const { ledger } = await readAll(trulens, storedFile(csv));
  expect(ledger.unread).toEqual(["stars", "note"]);
});
