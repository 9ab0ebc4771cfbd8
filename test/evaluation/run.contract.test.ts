import { expect, test } from "vitest";
import { countingServer } from "./counting-server.ts";
import { evaluations } from "./evaluated.ts";

test("an evaluation asks every case once, writes a row for each, and leaves no thread", async () => {
  const { url, runs, threads } = await countingServer();
  const { run, rows } = evaluations(url, 6);
  const { ended, events } = run({ trials: 2 });
  const summary = await ended;
  expect(summary).toMatchObject({ cases: 6, trials: 12, unmeasured: 0, tokens: { input: 120, output: 60 } });
  expect(runs).toHaveLength(12);
  expect(rows().map(({ run_metadata: { case_id, repetition, outcome } }) => [case_id, repetition, outcome])).toEqual(
    Array.from({ length: 6 }, (_, at) => [0, 1].map((repetition) => [`c-${at}`, repetition, "answered"])).flat(),
  );
  expect(threads.size).toBe(0);
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "complete" });
});
