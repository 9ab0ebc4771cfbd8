import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { Outcome } from "../../../src/deployment/outcome.ts";
import { InputsError, type InputFault } from "../../inputs/inputs-error.ts";

/** Why a run failed, in the words that every reporter uses. Nothing of it is defused yet. */
export interface Failure {
  /** A few words: the title of the annotation. */
  readonly title: string;
  /** What failed, for which id. */
  readonly sentence: string;
  /** What to do next; empty where there is nothing to say. */
  readonly advice: string;
  /** What the sentence could not hold: one entry for each fault of the inputs when there are several. */
  readonly faults: readonly InputFault[];
  /** The stacks of the error and of its causes, for debug logging. */
  readonly stack: string;
}

const TITLES: Readonly<Record<Outcome, string>> = {
  deployed: "Failed",
  unchanged: "Failed",
  started: "Failed",
  "dry-run": "Failed",
  "build-failed": "Build failed",
  "deploy-failed": "Deploy failed",
  superseded: "Superseded",
  interrupted: "Interrupted",
  "timed-out": "Timed out",
  cancelled: "Cancelled",
  failed: "Failed",
};
const ADVICE_UNEXPECTED =
  "This is a fault of graph-deploy, not of your project: run again with debug logging to see where it comes from, " +
  "and report it.";

/** The failure that a run ended with. */
export function describeFailure(outcome: Outcome, error: Error): Failure {
  const stack = stackOf(error);
  if (!(error instanceof GraphDeployError)) {
    const sentence = ended(`An unexpected error ended the run: ${error.message || error.name}`);
    return { title: "Unexpected error", sentence, advice: ADVICE_UNEXPECTED, faults: [], stack };
  }
  const isInputs = error instanceof InputsError;
  return {
    title: isInputs ? "Inputs" : TITLES[outcome],
    sentence: ended(error.message),
    advice: error.advice ?? "",
    faults: isInputs && error.faults.length > 1 ? error.faults : [],
    stack,
  };
}

function ended(sentence: string): string {
  return /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return "";
  const own = error.stack ?? `${error.name}: ${error.message}`;
  const cause = stackOf(error.cause, depth + 1);
  return cause === "" ? own : `${own}\nCaused by ${cause}`;
}
