import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { describeFailure, type Failure, type FailureWords } from "./failure.ts";

export interface ResultsFailureWords extends FailureWords {
  /** The lines below `with:` that keep rows of several systems apart. */
  readonly apart: (axis: NonNullable<ResultsError["axis"]>) => readonly string[];
}

/** The failure of a step that reads results; of columns that were not understood with a mapping to paste. */
export function describeResultsFailure(error: Error, { apart, ...words }: ResultsFailureWords): Failure {
  const failure = describeFailure(error, words);
  if (!(error instanceof ResultsError)) return failure;
  const { mapping, axis } = error;
  if (axis) return { ...failure, paste: apart(axis).map(indented) };
  return mapping
    ? { ...failure, advice: PASTE_ADVICE, paste: ["mapping: |", ...mapping.map((line) => `  ${line}`)].map(indented) }
    : failure;
}

const PASTE_ADVICE =
  "Rename the columns as `docs/results.md` of graph-deploy names them, or paste these lines below `with:` and correct them.";
// Below `with:` of a step in a job, as most workflows are indented.
const indented = (line: string) => `${" ".repeat(10)}${line}`;
