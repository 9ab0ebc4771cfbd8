import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fairSize, fitLines, leftOutNote } from "../../../../action/github/comment/fitting.ts";
import { anyText } from "./sections.ts";
import "../../../property-runs.ts";

const TABLE = ["### Title", "", "| a |", "|---|", "| 1 |", "| 2 |", "| 3 |"].join("\n");

describe("lines that fit", () => {
  test("whole rows are left out and counted", () => {
    expect(fitLines(TABLE, TABLE.length)).toEqual({ text: TABLE, left: 0 });
    expect(fitLines(TABLE, TABLE.length - 1)).toEqual({ text: TABLE.slice(0, -"\n| 3 |".length), left: 1 });
  });

  test("the head of a table does not stay without a row", () => {
    expect(fitLines(TABLE, TABLE.indexOf("| 1 |") + 2)).toEqual({ text: "### Title", left: 4 });
  });

  test("what is open is closed", () => {
    const folded = ["x", "<details><summary>rows</summary>", "", "| 1 |", "| 2 |", "", "</details>"].join("\n");
    expect(fitLines(folded, folded.length - 2)).toEqual({
      text: ["x", "<details><summary>rows</summary>", "", "| 1 |", "</details>"].join("\n"),
      left: 1,
    });
  });

  test("to cut twice is to cut once, and the counts add up", () => {
    const size = fc.nat({ max: 2_000 });
    fc.assert(
      fc.property(anyText, size, size, (raw, one, other) => {
        const { text } = fitLines(raw, Infinity);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const [direct, first] = [fitLines(text, less), fitLines(text, more)];
        const second = fitLines(first.text, less);
        expect(first.text.length).toBeLessThanOrEqual(more);
        expect(second.text).toBe(direct.text);
        expect(first.left + second.left).toBe(direct.left);
      }),
    );
  });

  test("the note counts", () => {
    expect([0, 1, 1_200].map(leftOutNote)).toEqual([
      "",
      "_1 more line is left out here_",
      "_1,200 more lines are left out here_",
    ]);
  });
});

describe("a fair size", () => {
  test("takes only from the long ones", () => {
    expect(fairSize([10, 20, 100, 200], 130)).toBe(50);
    expect(fairSize([10, 20], 30)).toBe(Infinity);
    expect(fairSize([], 30)).toBe(Infinity);
    expect(fairSize([5], -3)).toBe(0);
  });

  test("never gives more than there is, and gives all of it but less than one for each", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 500 })), fc.nat({ max: 3_000 }), (sizes, most) => {
        const level = fairSize(sizes, most);
        const used = sizes.reduce((all, size) => all + Math.min(size, level), 0);
        expect(used).toBeLessThanOrEqual(most);
        if (level !== Infinity) expect(used).toBeGreaterThan(most - sizes.length);
      }),
    );
  });
});
