import { describe, expect, test } from "vitest";
import { textsOf } from "../../../src/judgement/report/cases-section.ts";
import type { TrialText } from "../../../src/judgement/report/cases-data.ts";
import { tableOfCases } from "../../../src/judgement/report/cases-table.ts";
import { madeJudged, type TextCase } from "./report-rig.ts";

const textsFor = (now: TextCase, before?: TextCase) =>
  textsOf(tableOfCases(madeJudged({ now: [now], before: before && [before] })).cases)[0];

/** What a reader makes of the lengths. */
function partsOf(reference: string, { output = "", diff = [] }: TrialText) {
  const parts: [kind: string, text: string][] = [];
  let [from, to] = [0, 0];
  const put = (kind: string, text: string) => void (text === "" || parts.push([kind, text]));
  for (let at = 0; at < diff.length; at += 3) {
    const [same = 0, removed = 0, added = 0] = diff.slice(at, at + 3);
    put("same", output.slice(to, to + same));
    put("removed", reference.slice(from + same, from + same + removed));
    put("added", output.slice(to + same, to + same + added));
    [from, to] = [from + same + removed, to + same + added];
  }
  expect([from, to]).toEqual([reference.length, output.length]);
  return parts;
}

describe("the texts of a case", () => {
  const expected = "You can  return it within 30 days.";

  test("say word by word what differs from the expected output, on both sides", () => {
    const texts = textsFor(
      { name: "c", scores: { ok: 0 }, inputs: "How long?", expected, outputs: ["You may return it in 14 days. Bye"] },
      { name: "c", scores: { ok: 1 }, expected, outputs: [expected] },
    );
    expect(texts).toMatchObject({ inputs: "How long?", expected, against: "expected" });
    expect(texts?.baseline).toEqual([{ output: expected, error: undefined }]);
    const parts = partsOf(expected, texts?.now[0] ?? {});
    const without = (kind: string) => parts.flatMap(([one, text]) => (one === kind ? [] : [text])).join("");
    expect(without("added")).toBe(expected);
    expect(without("removed")).toBe("You may return it in 14 days. Bye");
    expect(parts).toContainEqual(["removed", "30"]);
    expect(parts).toContainEqual(["added", "14"]);
  });

  test("compare with the baseline where nothing is expected", () => {
    const texts = textsFor(
      { name: "c", scores: { ok: 0 }, outputs: ["one two"] },
      { name: "c", scores: { ok: 1 }, outputs: ["one three"] },
    );
    expect(texts?.against).toBe("baseline");
    expect(partsOf("one three", texts?.now[0] ?? {})).toEqual([
      ["same", "one "],
      ["removed", "three"],
      ["added", "two"],
    ]);
  });

  test("stand alone without a baseline, and without texts", () => {
    expect(textsFor({ name: "c", scores: { ok: 1 }, outputs: ["a"] })).toMatchObject({
      baseline: [],
      now: [{ output: "a" }],
    });
    expect(textsFor({ name: "c", scores: { ok: 1 } })).toMatchObject({
      against: undefined,
      now: [{ output: undefined }],
    });
  });

  test("are cut, and unmarked where they have nothing in common", () => {
    const [one, other] = ["a", "b"].map((letter) =>
      Array.from({ length: 1_500 }, (_, at) => `${letter}${String(at)}`).join(" "),
    );
    const texts = textsFor({ name: "c", scores: { ok: 0 }, expected: one!, outputs: [other!] });
    expect(texts?.expected).toHaveLength(4_000);
    expect(texts?.now[0]).toMatchObject({ output: `${other!.slice(0, 3_999)}…`, diff: undefined });
  });

  test("end where the page has no more room for them", { tags: "slow" }, () => {
    const long = "x".repeat(4_000);
    const now = Array.from({ length: 4_200 }, (_, at) => ({
      name: `c${String(at)}`,
      scores: { ok: 1 },
      outputs: [long],
    }));
    const texts = textsOf(tableOfCases(madeJudged({ now })).cases);
    expect(texts.findIndex((each) => each === null)).toBe(4_001);
    expect(texts.at(-1)).toBeNull();
  });
});
