import { expect, test } from "vitest";
import { attainableOf } from "../../src/statistics/family.ts";
import { judged, caseSet, type GivenFacts } from "../judgement/rig.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/judge.md");

/** Each sentence of the page, and each cell of its tables, without marks of markdown. */
const sentences = page.prose
  .split("\n")
  .flatMap((line) => (line.startsWith("|") ? line.split(" | ") : line.split(/(?<=[.?!])\s+(?=["*`[A-Z])/)))
  .map((text) =>
    text
      .replaceAll("**", "")
      .replace(/\]\([^)]*\)/g, "]")
      .trim(),
  )
  .filter((text) => /\w/.test(text));

/** What readers ask of a verdict, with words that the one sentence with the answer has. */
const QUESTIONS: readonly (readonly [question: string, ...words: string[]])[] = [
  ["regressed: may this be chance?", "harm is shown", "fewer than 5 of 100 runs"],
  ["inconclusive: did the agent get worse?", "neither harm nor harmlessness is shown"],
  ["not worse: was nothing lost at all?", "more harm than the margin is ruled out"],
  ["too few: why does it not say that all is well?", "fewer than 6 cases changed", "no harm"],
  ["incomplete: did the agent do badly?", "something is missing that could change the answer"],
  ["unchanged: are these the same answers, or only the same mean?", "every case has the same score as before"],
  ["passed, and no difference found: is the agent as good as before?", "found no difference", "never says"],
  ["not worse: how often is that wrong?", "a loss of the margin is green", "5 of 100 runs"],
  ["as if one more case: which case, and what did it lose?", "one case more than you have", "from 1 to 0"],
  ["as if one more case, with clusters: how large is it?", "one more cluster, as large as the largest"],
  ["incomplete, although no case changed: what would do?", "fewer cases", "`incomplete`", "the margin that would do"],
  ["incomplete for a perplexity: what is missing?", "less is better", "nothing limits a loss", "`ranges`"],
];

test.each(QUESTIONS)("one sentence answers: %s", (_question, ...words) => {
  const answers = sentences.filter((text) => words.every((word) => text.toLowerCase().includes(word)));
  expect(answers).toHaveLength(1);
});

/** The numbers of a row of a table of the page, by the first words of the row. */
function numbersBeside(name: string): readonly number[] {
  const [line = ""] = page.text.split("\n").filter((text) => text.startsWith(`| ${name} `));
  return [...line.slice(line.indexOf("|", 1)).matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/** How a rule ends where so many cases have one score, as they had it before. */
function equalCases(count: number, metric: string, score: number, rule: string, facts?: GivenFacts) {
  const cases = Array.from({ length: count }, (_, at) => ({ name: `c${String(at)}`, scores: { [metric]: score } }));
  const { rules } = judged(caseSet(cases, facts), caseSet(cases, facts), `${metric} ${rule}`);
  return rules[0]?.verdict;
}

const share: GivenFacts = { tone: { kind: "bounded", direction: "higher", low: 0, high: 1 } };

test("so many equal cases show a margin, and one fewer is incomplete", () => {
  const margins = numbersBeside("Margin, as a part of what a case can lose");
  const needed = numbersBeside("Cases");
  expect(margins).toHaveLength(5);
  for (const [at, margin] of margins.entries()) {
    const count = needed[at] ?? 0;
    expect(equalCases(count, "tone", 0.9, `not worse by ${String(margin)}pp`, share), `${String(margin)} %`).toBe(
      "not worse",
    );
    expect(equalCases(count - 1, "tone", 0.9, `not worse by ${String(margin)}pp`, share)).toBe("incomplete");
  }
});

test.each([
  ["Times", undefined],
  ["Times, with a ceiling", 10_000],
])("so many equal times show a margin: %s", (name, high) => {
  const facts: GivenFacts = { latency: { kind: "positive", direction: "lower", low: 0, high } };
  const margins = numbersBeside("Margin of a time, a cost or tokens");
  const needed = numbersBeside(name);
  expect(needed).toHaveLength(margins.length);
  for (const [at, margin] of margins.entries()) {
    const count = needed[at] ?? 0;
    expect(equalCases(count, "latency", 1000, `not worse by ${String(margin)}%`, facts)).toBe("not worse");
    expect(equalCases(count - 1, "latency", 1000, `not worse by ${String(margin)}%`, facts)).toBe("incomplete");
  }
});

test("so many cases that can get worse show harm beside other rules", () => {
  const [line = ""] = page.text.split("\n").filter((text) => text.startsWith("| Rules `not regressed` "));
  const families = [...line.matchAll(/(\d+)(?: to (\d+))?/g)].map(([, from, to]) => [Number(from), Number(to ?? from)]);
  const needed = numbersBeside("Cases that can get worse");
  expect(families).toHaveLength(needed.length);
  for (const [at, sizes] of families.entries()) {
    for (const size of sizes) {
      const [attainable] = attainableOf(Array<number>(size).fill(needed[at] ?? 0));
      expect(attainable?.needs, `${String(size)} rules`).toBe(needed[at]);
    }
  }
});
