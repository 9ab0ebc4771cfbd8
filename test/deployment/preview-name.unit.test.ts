import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isPreviewStem,
  PREVIEW_NAME_LIMITS,
  previewBeginning,
  previewName,
  previewNumber,
  type PreviewNames,
} from "../../src/deployment/preview-name.ts";
import "../property-runs.ts";

const { least, usual, most } = PREVIEW_NAME_LIMITS;
const stems = fc.stringMatching(/^[a-z]([a-z0-9-]{0,90}[a-z0-9])?$/);
const limits = fc.integer({ min: least, max: most });
const names = fc.record({ stem: stems, limit: limits }) satisfies fc.Arbitrary<PreviewNames>;
const numbers = fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999_999_999 }));

test.each([
  ["support-agent", usual, 7, "support-agent-pr-7"],
  ["support-agent", 21, 7, "support-agent-pr-7"],
  ["support-agent", 21, 1234, "support-agent-pr-1234"],
  ["support-agent", 21, 12345, "support-5b8e-pr-12345"],
  ["support-agents-of-the-desk", 21, 7, "support-age-6d24-pr-7"],
])("%s, at most %i characters, pull request %i: %s", (stem, limit, number, name) => {
  expect(previewName({ stem, limit }, number)).toBe(name);
});

test("every name is a DNS label within the limit, and ends with its number", () => {
  fc.assert(
    fc.property(names, numbers, (rule, number) => {
      const name = previewName(rule, number);
      expect(name).toMatch(/^[a-z][a-z0-9-]*[a-z0-9]$/);
      expect(name.length).toBeLessThanOrEqual(rule.limit);
      expect(name.endsWith(`-pr-${String(number)}`)).toBe(true);
    }),
  );
});

test("a name leads back to its number, and begins as a search expects", () => {
  fc.assert(
    fc.property(names, numbers, (rule, number) => {
      const name = previewName(rule, number);
      expect(previewNumber(rule, name)).toBe(number);
      expect(name.startsWith(previewBeginning(rule))).toBe(true);
    }),
  );
});

test("the name of another stem is not taken for one of this stem, also when one begins with the other", () => {
  const ends = fc.constantFrom("", "-pr-1", "-pr", "a", "-2", "b-pr-12");
  fc.assert(
    fc.property(names, stems, ends, numbers, (rule, other, end, number) => {
      for (const stem of [other, rule.stem + end]) {
        if (stem === rule.stem) continue;
        expect(previewNumber(rule, previewName({ ...rule, stem }, number))).toBeUndefined();
      }
    }),
  );
});

test("two long stems with the same beginning do not share a name", () => {
  const stem = "an-agent-with-a-name-that-is-too-long";
  const one = previewName({ stem: `${stem}-1`, limit: 21 }, 7);
  expect(one).not.toBe(previewName({ stem: `${stem}-2`, limit: 21 }, 7));
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
])("%s is no preview of support-agent", (name) => {
  expect(previewNumber({ stem: "support-agent", limit: usual }, name)).toBeUndefined();
});

test("what is no name or no number is reported before it is used", () => {
  expect(["a", "support-agent", "a1"].filter((text) => !isPreviewStem(text))).toEqual([]);
  expect(["", "1a", "-a", "a-", "A", "a_b", "a.b", "ä", "a\n"].filter(isPreviewStem)).toEqual([]);
});
