import { diffWordsWithSpace } from "diff";
import { cut } from "../../text/foreign-text.ts";
import type { Case, Trial } from "../cases/case-set.ts";
import type { CaseTexts, TrialText } from "./cases-data.ts";
import type { ReportedCase } from "./cases-table.ts";

// What a person compares; the files have the rest.
const LONGEST = 4_000;
const MOST_DIFFERENT = 5;
// A page with more would open slowly.
const MOST_CHARACTERS = 16_000_000;
// Texts with more differences than that have little in common: marks would not help.
const MOST_EDITS = 200;

/** The texts of the cases in their order; null for those that the page has no room for. */
export function textsOf(cases: readonly ReportedCase[]): readonly (CaseTexts | null)[] {
  let characters = 0;
  return cases.map((one) => {
    if (characters > MOST_CHARACTERS) return null;
    const texts = textsOfCase(one);
    characters += lengthOf(texts);
    return texts;
  });
}

function textsOfCase({ now, baseline }: ReportedCase): CaseTexts {
  const [expected, inputs] = [now?.expected ?? baseline?.expected, now?.inputs ?? baseline?.inputs];
  const [before, after] = [trialsOf(baseline), trialsOf(now)];
  const [reference] = before;
  const against = expected !== undefined ? "expected" : reference?.output === undefined ? undefined : "baseline";
  const shown = { inputs: shortened(inputs), expected: shortened(expected), against } as const;
  if (against === "baseline") return { ...shown, baseline: before, now: after.map(marked(reference?.output)) };
  return { ...shown, baseline: before.map(marked(shown.expected)), now: after.map(marked(shown.expected)) };
}

function trialsOf(one: Case | undefined): readonly TrialText[] {
  const trials: readonly Trial[] = one?.trials ?? [];
  const texts = trials.map(({ outputs, error }) => ({ output: shortened(outputs), error: shortened(error) }));
  const groups = Map.groupBy(texts, ({ output, error }) => JSON.stringify([output, error]));
  return [...groups.values()].slice(0, MOST_DIFFERENT).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length === 0 ? [first] : [{ ...first, times: others.length + 1 }];
  });
}

function shortened(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text, LONGEST);
}

/** Adds what differs from a text, word by word. */
function marked(reference: string | undefined): (trial: TrialText) => TrialText {
  return (trial) => {
    if (reference === undefined || trial.output === undefined || trial.output === reference) return trial;
    return { ...trial, diff: diffOf(reference, trial.output) };
  };
}

/** Undefined where the texts have too little in common. */
function diffOf(from: string, to: string): readonly number[] | undefined {
  const changes = diffWordsWithSpace(from, to, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return undefined;
  const lengths: number[] = [];
  let [same, removed, added] = [0, 0, 0];
  for (const change of changes) {
    const { length } = change.value;
    if (change.added) added += length;
    else if (change.removed) removed += length;
    else if (removed + added === 0) same += length;
    else {
      lengths.push(same, removed, added);
      [same, removed, added] = [length, 0, 0];
    }
  }
  return [...lengths, same, removed, added];
}

function lengthOf({ inputs = "", expected = "", baseline, now }: CaseTexts): number {
  const trials = [...baseline, ...now].map(({ output = "", error = "" }) => output.length + error.length);
  return trials.reduce((sum, length) => sum + length, inputs.length + expected.length);
}
