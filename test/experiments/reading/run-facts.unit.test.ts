import { describe, expect, test } from "vitest";
import { RunFacts } from "../../../src/experiments/reading/run-facts.ts";
import { statedWindow } from "../../../src/experiments/sending/window.ts";
import { parseInstant } from "../../../src/contract/instant.ts";

const at = (text: string) => parseInstant(text)?.microseconds;

describe("what the files of an experiment say", () => {
  test("is of one file what it says last, and of several what the first says", () => {
    const run = new RunFacts();
    run.add("a", { name: "first", tool: "promptfoo" });
    run.add("a", { name: "last" });
    run.add("b", { name: "other", tool: "jest", metadata: { model: "b", seed: 1 } });
    run.add("c", { metadata: { model: "c" } });
    expect(run.first("name")).toBe("last");
    expect(run.all("tool")).toEqual(["promptfoo", "jest"]);
    expect(run.metadata).toEqual({ model: "b", seed: 1 });
  });

  test("keeps the scores of the whole run that no two files say differently", () => {
    const run = new RunFacts();
    run.add("a", {
      summaryScores: [
        { key: "cost", value: 1 },
        { key: "same", value: 2 },
      ],
    });
    run.add("b", {
      summaryScores: [
        { key: "cost", value: 3 },
        { key: "same", value: 2 },
        { key: "alone", value: 4 },
      ],
    });
    expect(run.summaryScores).toEqual({
      scores: [
        { key: "same", value: 2 },
        { key: "alone", value: 4 },
      ],
      differing: ["cost"],
    });
  });
});

describe("the window that files tell", () => {
  const silent = () => undefined;

  test("is from the first start to the last end", () => {
    const times = [
      { start: "2026-05-04T10:00:00Z", end: "2026-05-04T11:00:00Z" },
      { start: "2026-05-04T09:00:00Z", end: "2026-05-04T10:30:00Z" },
    ];
    expect(statedWindow(times, silent)).toEqual({
      start: at("2026-05-04T09:00:00Z"),
      end: at("2026-05-04T11:00:00Z"),
      naive: 0,
    });
  });

  test("is open where only some of them tell", () => {
    const told = { start: "2026-05-04T10:00:00Z", end: "2026-05-04T11:00:00Z" };
    expect(statedWindow([told, undefined], silent)).toEqual({ start: undefined, end: undefined, naive: 0 });
    expect(statedWindow([{ start: told.start }], silent)).toEqual({ start: at(told.start), end: undefined, naive: 0 });
    expect(statedWindow([], silent)).toEqual({ start: undefined, end: undefined, naive: 0 });
  });

  test("reports what is no time, and what has no zone", () => {
    const faults: string[] = [];
    const window = statedWindow([{ start: "soon", end: "2026-05-04T11:00:00" }], (index, message) => {
      faults.push(`${String(index)}: ${message}`);
    });
    expect(faults).toEqual([
      "0: the start of the experiment is a text, not a time; write it as 2026-01-31T09:30:00Z, or as the seconds or milliseconds since 1970",
    ]);
    expect(window.naive).toBe(1);
    expect(window.start).toBeUndefined();
  });
});

test("a run is complete unless a file says that it is not", () => {
  const run = new RunFacts();
  expect(run.isComplete).toBe(true);
  run.add("a", { tool: "x", isComplete: true });
  expect(run.isComplete).toBe(true);
  run.add("b", { isComplete: false });
  run.add("b", { tool: "y" });
  expect(run.isComplete).toBe(false);
});
