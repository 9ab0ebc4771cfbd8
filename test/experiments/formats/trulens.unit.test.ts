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
