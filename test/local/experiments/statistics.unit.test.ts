import { expect, test } from "vitest";
import { ExperimentStatistics, FeedbackTally } from "../../../src/local/experiments/statistics.ts";

test("feedback is counted by its key, with the mean of its scores and how often each value occurs", () => {
  const tally = new FeedbackTally();
  tally.add([
    { key: "exact", score: 1 },
    { key: "exact", score: 0 },
    { key: "tone", value: "kind" },
  ]);
  tally.add([{ key: "exact" }, { key: "tone", value: "kind" }, { key: "__proto__", score: 2 }]);
  tally.add();
  const result = tally.result();
  expect(Object.entries(result)).toEqual([
    ["exact", { n: 3, scored: 2, avg: 0.5, values: {} }],
    ["tone", { n: 2, scored: 0, avg: null, values: { kind: 2 } }],
    ["__proto__", { n: 1, scored: 1, avg: 2, values: {} }],
  ]);
});

test("the mean of many equal scores is exactly that score", () => {
  const tally = new FeedbackTally();
  for (let row = 0; row < 1_000; row++) tally.add([{ key: "a", score: 0.1 }]);
  expect(tally.result()["a"]?.avg).toBe(0.1);
});

test("statistics are read again as they were written, also under odd names", () => {
  const written = {
    ...{ run_count: 1, latency_p50: null, latency_p99: 1, error_rate: 0, streaming_rate: null },
    ...{ last_run_start_time: null, session_feedback_stats: {} },
    feedback_stats: JSON.parse('{"__proto__":{"n":1,"avg":1,"values":{"__proto__":2}}}') as unknown,
  };
  expect(JSON.stringify(ExperimentStatistics.parse(written).feedback_stats)).toBe(
    '{"__proto__":{"n":1,"avg":1,"values":{"__proto__":2}}}',
  );
});
