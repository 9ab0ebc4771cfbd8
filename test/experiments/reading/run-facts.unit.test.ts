import { describe, expect, test } from "vitest";
import { ToldRun } from "../../../src/experiments/reading/run-facts.ts";
import { toldWindow } from "../../../src/experiments/rows/told-window.ts";
import { parseInstant } from "../../../src/contract/instant.ts";

const at = (text: string) => parseInstant(text)?.microseconds;

describe("what the files of an experiment say", () => {
  test("is of one file what it says last, and of several what the first says", () => {
    const run = new ToldRun();
    run.tell("a", { name: "first", tool: "promptfoo" });
    run.tell("a", { name: "last" });
    run.tell("b", { name: "other", tool: "jest", metadata: { model: "b", seed: 1 } });
    run.tell("c", { metadata: { model: "c" } });
    expect(run.first("name")).toBe("last");
    expect(run.all("tool")).toEqual(["promptfoo", "jest"]);
    expect(run.metadata).toEqual({ model: "b", seed: 1 });
  });

  test("keeps the scores of the whole run that no two files say differently", () => {
    const run = new ToldRun();
    run.tell("a", {
      summaryScores: [
        { key: "cost", value: 1 },
        { key: "same", value: 2 },
      ],
    });
    run.tell("b", {
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
  const deps = { fault: () => undefined, naiveTime: () => undefined };

  test("is from the first start to the last end", () => {
    const times = [
      { start: "2026-05-04T10:00:00Z", end: "2026-05-04T11:00:00Z" },
      { start: "2026-05-04T09:00:00Z", end: "2026-05-04T10:30:00Z" },
    ];
    expect(toldWindow(times, deps)).toEqual({ start: at("2026-05-04T09:00:00Z"), end: at("2026-05-04T11:00:00Z") });
  });

  test("is open where only some of them tell", () => {
    const told = { start: "2026-05-04T10:00:00Z", end: "2026-05-04T11:00:00Z" };
    expect(toldWindow([told, undefined], deps)).toEqual({ start: undefined, end: undefined });
    expect(toldWindow([{ start: told.start }], deps)).toEqual({ start: at(told.start), end: undefined });
    expect(toldWindow([], deps)).toEqual({ start: undefined, end: undefined });
  });

  test("tells what is no time, and what has no zone", () => {
    const faults: string[] = [];
    let naive = 0;
    const window = toldWindow([{ start: "soon", end: "2026-05-04T11:00:00" }], {
      fault: (index, message) => faults.push(`${String(index)}: ${message}`),
      naiveTime: () => (naive += 1),
    });
    expect(faults).toEqual(["0: the start of the experiment is a text, and no time"]);
    expect(naive).toBe(1);
    expect(window.start).toBeUndefined();
  });
});
