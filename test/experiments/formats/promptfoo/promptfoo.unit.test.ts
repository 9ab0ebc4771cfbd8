import { expect, test } from "vitest";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { readAll, refusalOf } from "../reading.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

const row = (fields: object = {}) => ({
  gradingResult: { pass: true, score: 1, reason: "All assertions passed", componentResults: [] },
  latencyMs: 12,
  namedScores: {},
  prompt: { raw: "p 1", label: "p {{x}}" },
  promptIdx: 0,
  provider: { id: "echo", label: "" },
  response: { output: "a" },
  score: 1,
  success: true,
  testCase: { description: "d" },
  testIdx: 0,
  vars: { x: "1" },
  failureReason: 0,
  ...fields,
});
const lines = (...rows: readonly unknown[]) => storedFile(rows.map((each) => `${JSON.stringify(each)}\n`).join(""));

test("a row has the same id in JSON, JSONL and CSV, whatever the order in which rows ended", async () => {
  const idsOf = async (name: string) => (await readAll(promptfoo, fixtureFile(name))).rows.map(({ id }) => id).sort();
  const ids = await idsOf("promptfoo/promptfoo.json");
  expect(new Set(ids).size).toBe(12);
  expect(await idsOf("promptfoo/promptfoo.jsonl")).toEqual(ids);
  expect(await idsOf("promptfoo/promptfoo.csv")).toEqual(ids);
});

test("a row keeps its id when its prompt or the providers before are edited, and is distinguished from another prompt's", async () => {
  const run = (providers: readonly string[], word: string) => {
    const columns = providers.flatMap((provider) => [0, 1].map((prompt) => ({ provider, label: `${word} ${prompt}` })));
    const rows = columns.map(({ provider, label }, promptIdx) =>
      row({ prompt: { raw: label, label }, promptIdx, provider: { id: provider, label: "" } }),
    );
    const whole = {
      evalId: "e",
      results: { version: 3, timestamp: "t", prompts: columns, results: rows.toReversed() },
    };
    return [storedFile(JSON.stringify(whole)), lines(...rows)] as const;
  };
  const idsOf = async (file: ReturnType<typeof storedFile>) =>
    (await readAll(promptfoo, file)).rows.map(({ id }) => id).sort();
  const [before, beforeInLines] = run(["b"], "short");
  const [after, afterInLines] = run(["a", "b"], "polite");
  const ids = await idsOf(before);
  expect(new Set(ids).size).toBe(2);
  expect(await idsOf(beforeInLines)).toEqual(ids);
  expect(await idsOf(after)).toEqual(expect.arrayContaining(ids));
  expect(await idsOf(afterInLines)).toEqual(await idsOf(after));
});

test("a row is the same whatever stands in what is not read, which is not parsed", async () => {
  const unread = { x: "1", text: "a text as long as it takes" };
  const text = JSON.stringify(row({ testCase: { description: "d", vars: unread }, evalId: unread }));
  const broken = text.replaceAll('"x":"1","text"', '"x":tru,"x"');
  expect(broken).not.toBe(text);
  const [one, other] = (await readAll(promptfoo, storedFile(`${text}\n${broken}\n`))).rows;
  expect(JSON.stringify({ ...other, place: one?.place })).toBe(JSON.stringify(one));
});

test("a heading of CSV that is not known is refused by the name of it, and never dropped", async () => {
  const group = "Status,Score,Named Scores,Metric: m,Grader Reason,Comment".split(",");
  const known = ["x", "[a] p", ...group, "[b] p", ...group];
  for (let at = 2; at <= known.length; at++) {
    const header = known.toSpliced(at, 0, "Latency <secret>");
    const file = storedFile([header.join(","), ...[1, 2].map(() => header.map(() => "PASS").join(","))].join("\n"));
    // Before an output it is a var, and at the beginning of a group it is the output.
    const message = await refusalOf(promptfoo, file);
    expect(promptfoo.detect(file), header.join()).toBe(true);
    expect(message, header.join()).toMatch(/^results\.any, line 1: .*`(?:Latency <secret>|Status|\[b\] p)`/);
  }
});

test("a file that is cut off is refused", async () => {
  const cut = storedFile(fixtureFile("promptfoo/promptfoo.json").head.subarray(0, 30_000));
  expect(await refusalOf(promptfoo, cut)).toMatch(/cut off|ends in the middle/);
});
