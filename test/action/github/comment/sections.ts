import fc from "fast-check";
import { makeSection, type Section, type SectionFacts } from "../../../../action/github/comment/section.ts";
import { SECTION_KINDS } from "../../../../front/account/brief.ts";
import { hostileText } from "../../../front/account/hostile-text.ts";

/** A section of a deploy, as far as a test does not say otherwise. */
export function section(facts: Partial<SectionFacts> = {}, text = "### ✅ support-agent is live"): Section {
  return makeSection(
    {
      kind: "deployment",
      key: "support-agent",
      run: "100",
      attempt: 1,
      at: new Date("2026-05-04T10:00:00Z"),
      name: "support-agent",
      sign: "good",
      state: "live",
      ...facts,
    },
    text,
  );
}

const tableLine = fc.constantFrom(
  ...["", "| a | b |", "|---|---|", "| `x` | 1 |", "<details><summary>more</summary>", "</details>", "<pre>", "</pre>"],
  ...["<!-- graph-deploy:end -->", '<!-- graph-deploy:section:1 {"kind":"deployment"} -->', "### ✅ x", "- y"],
);

/** Any text of a section: lines as reports have them, and lines that nothing has defused. */
export const anyText = fc
  .array(fc.oneof({ weight: 3, arbitrary: tableLine }, hostileText, fc.string({ maxLength: 200 })), { maxLength: 40 })
  .map((lines) => lines.join("\n"));

/** Any section; few keys and runs, so that they meet. */
export const anySection = fc
  .record({
    kind: fc.constantFrom(...SECTION_KINDS),
    key: fc.oneof(fc.constantFrom("a", "ab", "a-b", "<!--", "-->"), hostileText),
    run: fc.integer({ min: 1, max: 5 }).map(String),
    attempt: fc.integer({ min: 1, max: 3 }),
    at: fc.integer({ min: 0, max: 1_000 }).map((second) => new Date(Date.UTC(2026, 4, 4) + second * 1_000)),
    name: hostileText,
    sign: fc.constantFrom("good", "bad", "warning"),
    state: hostileText,
    page: fc.option(fc.constantFrom("https://a.example", "javascript:alert(1)"), { nil: undefined }),
    commit: fc.option(fc.constantFrom("4f1c09ab".repeat(5)), { nil: undefined }),
    text: fc.oneof(
      anyText,
      fc.integer({ min: 0, max: 4_000 }).map((rows) => "| row of a table |\n".repeat(rows)),
    ),
  })
  .map(({ text, ...facts }) => makeSection(facts, text));
