import { describe, expect, test } from "vitest";
import { ExperimentNames, MOST_NAMES } from "../../../src/experiments/sending/prepared-upload.ts";

function namesOf(name: string, parts: number, part: number, mark = "77:ab"): readonly string[] {
  const names = new ExperimentNames(name, parts, mark);
  return Array.from({ length: MOST_NAMES }, () => {
    const tried = names.of(part);
    names.next();
    return tried;
  });
}

describe("the names that are tried", () => {
  test("count on from the given one", () => {
    expect(namesOf("nightly", 1, 1).slice(0, 3)).toEqual(["nightly", "nightly-2", "nightly-3"]);
    expect(namesOf("nightly", 3, 2).slice(0, 2)).toEqual(["nightly [2/3]", "nightly-2 [2/3]"]);
  });

  test("end with some that nobody has, so that a workflow with one name for all runs does not fail one day", () => {
    const last = namesOf("nightly", 1, 1).slice(9);
    expect(last).toHaveLength(MOST_NAMES - 9);
    for (const name of last) expect(name).toMatch(/^nightly-[0-9a-f]{8}$/);
    expect(new Set(last).size).toBe(last.length);
    // Another attempt of the run, which has the same mark, finds what the first has stored; another run has others.
    expect(namesOf("nightly", 1, 1).slice(9)).toEqual(last);
    expect(namesOf("nightly", 1, 1, "78:ab").slice(9)).not.toEqual(last);
  });

  test("are the same for all parts", () => {
    const names = new ExperimentNames("nightly", 2, "77:ab");
    for (let taken = 0; taken < MOST_NAMES - 1; taken += 1) names.next();
    expect(names.of(2)).toBe(names.of(1).replace("[1/2]", "[2/2]"));
  });
});
