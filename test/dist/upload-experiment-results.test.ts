import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { OF_FORK } from "./step.ts";
import { withUploadStep, expectGreen, redSentence, rowLines, rowOf, uploadStep } from "./upload-step.ts";

const EMPTY = Object.fromEntries(
  [
    "experiment-id",
    "experiment-name",
    "dataset-id",
    "dataset-name",
    "row-count",
    "error-count",
    "missing-score-count",
    "scores",
    "request-path",
  ].map((name) => [name, ""]),
);

describe("an upload that cannot begin is red, and nothing is sent", () => {
  withUploadStep("inputs that cannot work are all in one report", async ({ options, posts }) => {
    // In the order in which the step reads them.
    const inputs = {
      format: "xml",
      results: "nothing/*.json",
      "dataset-id": "x",
      "expected-rows": "-1",
      timeout: "soon",
    };
    const result = await runAction(options(inputs));
    expect(redSentence(result)).toMatch(
      /^5 inputs are invalid: format .*; results .*; dataset-id .*; expected-rows .*; timeout .*\.$/,
    );
    expect(result.log.slice(1, -1).map((line) => line.trim().split(/ {2,}/)[0])).toEqual(Object.keys(inputs));
    expect(Object.fromEntries(result.outputs)).toEqual({ ...EMPTY, "upload-status": "failed" });
    expect(posts()).toBe(0);
  });

  withUploadStep("an empty key is reported, and where secrets are withheld", async ({ options }) => {
    const result = await runAction(options({ "base-url": "https://service.invalid", "api-key": "" }, OF_FORK));
    expect(redSentence(result)).toMatch(/^The input api-key is empty, .*the service needs one\. .*fork/);
  });

  withUploadStep("the faults of the files are reported by file and line", async ({ options, write, posts }) => {
    const bad = rowOf(2, { start_time: "yesterday", evaluation_scores: [{ key: "exact", score: "good" }] });
    await write({ "second.jsonl": `${rowLines(1)}${JSON.stringify(bad)}\n` });
    const result = await runAction(options({ "expected-shards": "3" }));
    expect(redSentence(result)).toMatch(/^The results have 3 errors, and nothing was sent/);
    expect(result.log.slice(-4)).toEqual([
      '  second.jsonl, line 2  the score "exact" is a text, not a number',
      "  second.jsonl, line 2  start_time is a text, not a time; write it as 2026-01-31T09:30:00Z, or as the seconds or milliseconds since 1970",
      "  experiment            expected 3 result files, found 2",
      expect.stringMatching(/^Next .*`format` or `mapping`.*`expected-shards`/),
    ]);
    expect(posts()).toBe(0);
  });

  withUploadStep("a broken shard refuses all of them", async ({ options, write, posts }) => {
    await write({ "second.jsonl": `${rowLines(4)}{"inputs": {"quest` });
    const result = await runAction(options());
    expect(redSentence(result)).toMatch(/^second\.jsonl, line 2\b.*\.$/);
    expect(result.outputs.get("upload-status")).toBe("failed");
    expect(posts()).toBe(0);
  });
});

describe("without files", () => {
  withUploadStep("a step ends green where that is allowed, and sends nothing", async ({ options, posts }) => {
    const result = await runAction(options({ results: "none/*.json", "if-no-files-found": "ignore" }));
    expectGreen(result);
    expect(Object.fromEntries(result.outputs)).toEqual({ ...EMPTY, "upload-status": "no-files" });
    expect(result.log).toContain("Results       no files; nothing was uploaded");
    expect(posts()).toBe(0);
  });

  withUploadStep("a step is red all the same where it expects a number of them", async ({ options, posts }) => {
    const inputs = { results: "none/*.json", "if-no-files-found": "ignore", "expected-shards": "2" };
    expect(redSentence(await runAction(options(inputs)))).toMatch(/^The results have 2 errors, and nothing was sent/);
    expect(posts()).toBe(0);
  });
});

describe("shards", () => {
  test("are one experiment, from the first start to the last end, and a row that two have is there once", async () => {
    const { options, write, stored, rows } = await uploadStep();
    await write({ "results.jsonl": rowLines(1, 2), "b/results.jsonl": rowLines(2, 3), "c/results.jsonl": rowLines(9) });
    const result = await runAction(
      options({ results: "results.jsonl\nb/*.jsonl\nc/*.jsonl", "expected-shards": "3", "expected-rows": "4" }),
    );
    expectGreen(result);
    expect(result.outputs.get("row-count")).toBe("4");
    const [experiment, ...others] = await stored();
    expect(others).toEqual([]);
    expect(experiment).toMatchObject({ start_time: "2026-05-04T10:00:01Z", end_time: "2026-05-04T10:00:10Z" });
    expect(await rows(experiment?.id ?? "")).toEqual([rowOf(1), rowOf(2), rowOf(3), rowOf(9)]);
    expect(result.log.join("\n")).toMatch(/\nRows {10}4 rows, .* in 3 files\n {14}1 row .*\n/);
  });

  withUploadStep("that are too few, or have too few rows, are refused", async ({ options, posts }) => {
    expect(redSentence(await runAction(options({ "expected-shards": "2", "expected-rows": "4" })))).toMatch(
      /^The results have 2 errors, and nothing was sent/,
    );
    expect(posts()).toBe(0);
  });
});
