import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isPreviewStem,
  LARGEST_PULL_REQUEST,
  plainNames,
  PREVIEW_NAME_LIMITS,
  previewBeginning,
  previewName,
  previewNumber,
  type PreviewNames,
} from "../../src/deployment/preview-name.ts";
import "../property-runs.ts";

const { least, usual, most } = PREVIEW_NAME_LIMITS;
const REPOSITORY = "1296269";
const stems = fc.stringMatching(/^[a-z]([a-z0-9-]{0,90}[a-z0-9])?$/);
const limits = fc.integer({ min: least, max: most });
const repositories = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1 }).map((id) => String(id)),
);
const names = fc.record({
  stem: stems,
  limit: limits,
  repository: repositories,
}) satisfies fc.Arbitrary<PreviewNames>;
const numbers = fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: LARGEST_PULL_REQUEST }));

test.each([
  ["support-agent", usual, 7, "support-agent-pr-7"],
  ["support-agent", 21, 7, "support-agent-pr-7"],
  ["support-agent", 21, 1234, "support-agent-pr-1234"],
  ["support-agent", 21, 12345, "support-5b8e-pr-12345"],
  ["support-agents-of-the-desk", 21, 7, "support-age-6d24-pr-7"],
])("%s, at most %i characters, pull request %i, plain: %s", (stem, limit, number, name) => {
  expect(previewName({ stem, limit, repository: undefined }, number)).toBe(name);
});

test.each([
  ["support-agent", usual, 7, "support-agent-pr-7-ead601"],
  ["support-agent", 21, 7, "support-a-pr-7-ead601"],
  ["support-agent", least, LARGEST_PULL_REQUEST, "s-pr-99999999-ead601"],
  ["support-agents-of-the-desk", 21, 7, "support-a-pr-7-f6ffb2"],
])("%s, at most %i characters, pull request %i, of the repository: %s", (stem, limit, number, name) => {
  expect(previewName({ stem, limit, repository: REPOSITORY }, number)).toBe(name);
});

test("every name is a DNS label within the limit, and shows its number", () => {
  fc.assert(
    fc.property(names, numbers, (rule, number) => {
      const name = previewName(rule, number);
      expect(name).toMatch(/^[a-z][a-z0-9-]*[a-z0-9]$/);
      expect(name).not.toMatch(/--pr-/);
      expect(name.length).toBeLessThanOrEqual(rule.limit);
      const end = rule.repository === undefined ? "" : "-[0-9a-f]{6}";
      expect(name).toMatch(new RegExp(`-pr-${String(number)}${end}$`));
    }),
  );
});

test("a name leads back to its number, and begins as a search for both forms expects", () => {
  fc.assert(
    fc.property(names, numbers, (rule, number) => {
      const name = previewName(rule, number);
      expect(previewNumber(rule, name)).toBe(number);
      expect(name.startsWith(previewBeginning(rule))).toBe(true);
      const plain = previewName(plainNames(rule), number);
      expect(plain.startsWith(previewBeginning(rule))).toBe(true);
    }),
  );
});

test("the name of another stem is not taken for one of this stem, also when one begins with the other", () => {
  const ends = fc.constantFrom("", "-pr-1", "-pr", "a", "-2", "b-pr-12", "-pr-7-a1b2c3");
  fc.assert(
    fc.property(names, stems, ends, numbers, (rule, other, end, number) => {
      for (const stem of [other, rule.stem + end]) {
        if (stem === rule.stem) continue;
        expect(previewNumber(rule, previewName({ ...rule, stem }, number))).toBeUndefined();
      }
    }),
  );
});

test("no other repository, and no deployment with a plain name, has the name of a preview", () => {
  // Two of so many hashes may be the same: one stem is enough, for which these are not.
  const rule = { stem: "support-agent", limit: usual, repository: REPOSITORY };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), numbers, (other, number) => {
      fc.pre(String(other) !== REPOSITORY);
      expect(previewNumber(rule, previewName({ ...rule, repository: String(other) }, number))).toBeUndefined();
      expect(previewNumber(rule, previewName(plainNames(rule), number))).toBeUndefined();
      expect(previewNumber(plainNames(rule), previewName(rule, number))).toBeUndefined();
    }),
  );
});

test.each([undefined, REPOSITORY])("two long stems with the same beginning do not share a name (%s)", (repository) => {
  const stem = "an-agent-with-a-name-that-is-too-long";
  const one = previewName({ stem: `${stem}-1`, limit: 21, repository }, 7);
  expect(one).not.toBe(previewName({ stem: `${stem}-2`, limit: 21, repository }, 7));
});

test.each([
  "support-agent",
  "support-agent-pr-",
  "support-agent-pr-0",
  "support-agent-pr-07",
  "support-agent-pr-7x",
  "support-agent-pr--7",
  "support-agent-pr-12345678901",
  "Support-agent-pr-7",
  "x-support-agent-pr-7",
  "support-agent-pr-7-pr-7",
  "support-agent-pr-7-a1b2c3",
  "support-agent-pr-7-a1b2c",
  "support-agent-pr-7-A1B2C3",
])("%s is no preview of support-agent", (name) => {
  const rule = { stem: "support-agent", limit: usual, repository: REPOSITORY };
  expect(previewNumber(rule, name)).toBeUndefined();
  expect(previewNumber(plainNames(rule), name)).toBeUndefined();
});

test("what is no name or no number is reported before it is used", () => {
  expect(["a", "support-agent", "a1"].filter((text) => !isPreviewStem(text))).toEqual([]);
  expect(["", "1a", "-a", "a-", "A", "a_b", "a.b", "ä", "a\n"].filter(isPreviewStem)).toEqual([]);
});
