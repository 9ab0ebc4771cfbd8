import fc from "fast-check";
import { expect, test } from "vitest";
import { planRemoval, type KnownPreview, type PreviewLimits } from "../../../action/remove/previews.ts";
import "../../property-runs.ts";

const DAY = 24 * 3_600_000;
const NOW = 100 * DAY;
const NO_LIMITS: PreviewLimits = { maxAgeMilliseconds: undefined, maxCount: undefined };

const preview = (pullRequest: number, facts: Partial<KnownPreview> = {}): KnownPreview => ({
  name: `support-pr-${String(pullRequest)}`,
  pullRequest,
  deployment: { id: `d-${String(pullRequest)}`, name: `support-pr-${String(pullRequest)}` },
  isOpen: true,
  owner: "ours",
  deployedAt: NOW - DAY,
  ...facts,
});

/** `7 closed` for each that is removed, `8: open` for each that is kept. */
function decisions(previews: readonly KnownPreview[], limits: Partial<PreviewLimits> = {}): readonly string[] {
  const { removed, kept } = planRemoval(previews, { ...NO_LIMITS, ...limits }, NOW);
  return [
    ...removed.map(({ preview: { pullRequest }, why }) => `${String(pullRequest)} ${why}`),
    ...kept.map(({ preview: { pullRequest }, why }) => `${String(pullRequest)}: ${why}`),
  ].toSorted();
}

test("a preview whose pull request is closed is removed, and one of an open pull request stays", () => {
  expect(decisions([preview(7, { isOpen: false }), preview(8)])).toEqual(["7 closed", "8: open"]);
});

test("what is not ours stays, whatever its pull request and its age", () => {
  const foreign = preview(7, { isOpen: false, owner: "foreign", deployedAt: 0 });
  expect(decisions([foreign], { maxAgeMilliseconds: DAY, maxCount: 1 })).toEqual(["7: not-owned"]);
});

test("an open one that is too old is removed; one whose age is unknown is not", () => {
  const previews = [
    preview(1, { deployedAt: NOW - 3 * DAY }),
    preview(2, { deployedAt: NOW - 2 * DAY }),
    preview(3, { deployedAt: undefined }),
  ];
  expect(decisions(previews, { maxAgeMilliseconds: 2 * DAY })).toEqual(["1 age", "2: open", "3: open"]);
});

test("of too many the oldest go; what is removed anyway and what is not ours does not count", () => {
  const previews = [
    preview(1, { deployedAt: NOW - 5 * DAY }),
    preview(2, { deployedAt: NOW - DAY }),
    preview(3, { deployedAt: NOW - 3 * DAY }),
    preview(4, { isOpen: false }),
    preview(5, { owner: "undated" }),
    preview(6, { deployedAt: NOW - 50 * DAY }),
  ];
  expect(decisions(previews, { maxCount: 2, maxAgeMilliseconds: 30 * DAY })).toEqual([
    "1 count",
    "2: open",
    "3: open",
    "4 closed",
    "5: undated",
    "6 age",
  ]);
});

test("each preview is decided once, nothing foreign goes, and without limits nothing open goes", () => {
  const previews = fc.uniqueArray(
    fc.record({
      number: fc.integer({ min: 1, max: 40 }),
      isOpen: fc.boolean(),
      owner: fc.constantFrom("foreign" as const, "ours" as const, "undated" as const),
      deployedAt: fc.option(fc.integer({ min: 0, max: NOW }), { nil: undefined }),
    }),
    { selector: ({ number }) => number },
  );
  const limits = fc.record({
    maxAgeMilliseconds: fc.option(fc.integer({ min: 1, max: NOW }), { nil: undefined }),
    maxCount: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(previews, limits, (given, limit) => {
      const known = given.map(({ number, ...facts }) => preview(number, facts));
      const { removed, kept } = planRemoval(known, limit, NOW);
      const numbers = [...removed, ...kept].map(({ preview: { pullRequest } }) => pullRequest);
      expect(numbers.toSorted()).toEqual(known.map(({ pullRequest }) => pullRequest).toSorted());
      expect(removed.every(({ preview: { owner } }) => owner === "ours")).toBe(true);
      const openLeft = kept.filter(({ why }) => why === "open").length;
      expect(openLeft).toBeLessThanOrEqual(limit.maxCount ?? Infinity);
      const open = planRemoval(known, NO_LIMITS, NOW).removed.filter(({ preview: { isOpen } }) => isOpen);
      expect(open).toEqual([]);
    }),
  );
});
