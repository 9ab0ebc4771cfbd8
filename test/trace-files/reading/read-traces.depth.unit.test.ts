import { expect, test } from "vitest";
import { faultsOf } from "../read-files.ts";

const LEVELS = 120_001;
const lists = "[".repeat(LEVELS) + "]".repeat(LEVELS);
const ID = "00000000-0000-4000-8000-000000000001";
const run = `{"id":"${ID}","name":"a","start_time":"2026-05-04T10:00:00Z"}`;
const values = `${'{"arrayValue":{"values":['.repeat(LEVELS)}${"]}}".repeat(LEVELS)}`;
const children = `${'[{"child_runs":'.repeat(LEVELS)}[]${"}]".repeat(LEVELS)}`;

test.each([
  ["a run of a line", "runs.jsonl", `${run}\n{"id":"${ID}","inputs":${lists}}\n`, 2],
  [
    "an attribute of a span",
    "spans.json",
    `{"resourceSpans":[{"scopeSpans":[{"spans":[\n{"attributes":[{"key":"a","value":${values}}]}]}]}]}`,
    2,
  ],
  ["runs below runs", "runs.json", `{"id":"${ID}","name":"a",\n"child_runs":${children}}`, 2],
])("%s that is nested 120,001 levels deep is refused with its line", async (_what, name, text, line) => {
  expect((await faultsOf({ [name]: text })).join("\n")).toContain(
    `${name}, line ${String(line)}: brackets are nested more than 1,000 deep`,
  );
});
