import { expect, test } from "vitest";
import { caseSet, judged, yesNo } from "./rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const sides = (before: readonly number[], now: readonly number[]) =>
  [caseSet(yesNo(now)), caseSet(yesNo(before))] as const;
const RULE = "correct not regressed";

test.each([
  ["5 of 5 fail", repeat(1, 5), repeat(0, 5), /^Incomplete: correct went from 1 to 0 on 5 cases, which /],
  ["6 of 6 fail", repeat(1, 6), repeat(0, 6), /^Regressed: .*, and chance alone rarely does that\./],
  [
    "2 of 5 fail",
    repeat(1, 5),
    [0, 0, 1, 1, 1],
    /^Passed: .*, and with so few cases the rule could not have been broken\./,
  ],
  [
    "3 of 100 fail",
    repeat(1, 100),
    [...repeat(0, 3), ...repeat(1, 97)],
    /^Passed: .*, which chance alone can explain\./,
  ],
  ["nothing changed", repeat(1, 100), repeat(1, 100), /^Passed: correct is as before on 100 cases\./],
  ["no case can get worse", repeat(0, 100), repeat(0, 100), /^Passed: correct is as before on 100 cases\./],
])("the first line says of chance what is true where %s", (_, before, now, line) => {
  const { headline } = judged(...sides(before, now), RULE);
  expect(headline).toMatch(line);
});

test("a gap comes first, and then a rule that cannot be judged, whatever else is broken", () => {
  const [now, before] = sides(repeat(1, 5), repeat(0, 5));
  const gap = { kind: "same-file", message: "Something is missing." } as const;
  expect(judged(now, before, RULE, { gaps: [gap] }).headline).toMatch(/^Incomplete: Something is missing\. /);
  expect(judged(now, before, `newly_failing = 0\n${RULE}`).headline).toMatch(
    /which `correct not regressed` cannot judge/,
  );
});

test("scores that are missing are said, and not what few cases could show", () => {
  const before = caseSet(yesNo(repeat(1, 5)));
  const now = caseSet(yesNo([1, 1, null, null, null]));
  const { headline, status, warnings } = judged(now, before, RULE);
  expect(status).toBe("incomplete");
  expect(headline).not.toContain("cannot judge");
  expect(headline).toMatch(/missing|lack/);
  expect(warnings.join()).not.toContain("could not have been broken");
});
