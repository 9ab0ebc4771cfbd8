import { withFullStop } from "../../src/text/reasons.ts";
import { adviceAt, type AdviceTable } from "../../src/contract/advice.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { cut } from "../../src/text/foreign-text.ts";
import { countText } from "../../src/text/number.ts";
import { FilesError } from "../../src/files/file-faults.ts";
import { placeText } from "../../src/files/json/errors.ts";
import { InputsError } from "../options/inputs-error.ts";

/** Several errors, each with its place, which no sentence can hold. */
export interface FaultList {
  /** What the places are: `Input`, `Place`. */
  readonly heading: string;
  readonly faults: readonly (readonly [place: string, message: string])[];
  /** How many there are besides. */
  readonly more: number;
}

/** Why a run failed, in the words that every reporter uses. Nothing of it is defused yet. */
export interface Failure {
  /** A few words: the title of the annotation. */
  readonly title: string;
  /** What failed, for which id. */
  readonly sentence: string;
  /** What to do next; empty where there is nothing to say. */
  readonly advice: string;
  /** Lines of YAML that the user can paste; `advice` says where. */
  readonly paste: readonly string[];
  /** Undefined where the sentence is enough. */
  readonly list: FaultList | undefined;
  /** The stacks of the error and of its causes, for debug logging. */
  readonly stack: string;
}

const MOST_FILE_FAULTS = 20;
const MOST_STACK_LINES = 20;
const MOST_STACK_CHARACTERS = 300;
const ADVICE_UNEXPECTED =
  "This is a bug in graph-deploy, not in your project. Re-run with debug logging, and report it with that log as an issue of graph-deploy.";

export interface FailureWords {
  /** The title of an error that has none by its code. */
  readonly title?: string;
  readonly titles?: Readonly<Record<string, string>>;
  readonly table: AdviceTable;
}

export function describeFailure(error: Error, { title = "Failed", titles = {}, table }: FailureWords): Failure {
  const stack = stackOf(error);
  if (!(error instanceof GraphDeployError)) {
    const sentence = withFullStop(`An unexpected error ended the run: ${error.message || error.name}`);
    return { title: "Unexpected error", sentence, advice: ADVICE_UNEXPECTED, list: undefined, paste: [], stack };
  }
  return {
    title: error instanceof InputsError ? "Inputs" : (titles[error.code] ?? title),
    sentence: withFullStop(error.message),
    advice: adviceAt(table, error),
    list: listOf(error),
    paste: [],
    stack,
  };
}

/** The errors of inputs or of files, each with its place; undefined where the sentence of the error has them. */
function listOf(error: GraphDeployError): FaultList | undefined {
  if (error instanceof InputsError) {
    const faults = error.faults.map(({ input, message }) => [input, message] as const);
    return faults.length < 2 ? undefined : { heading: "Input", faults, more: error.more };
  }
  if (!(error instanceof FilesError)) return undefined;
  const { faults, count, message } = error;
  const [first] = faults;
  if (!first) return undefined;
  const [place, what] = [placeText(first.place), first.message];
  // The sentence has a single error; when the service found it, without its place.
  if (count === 1 && message.includes(what) && message.includes(place)) return undefined;
  const shown = faults.slice(0, MOST_FILE_FAULTS);
  return {
    heading: "Place",
    faults: shown.map((fault) => [placeText(fault.place), fault.message]),
    more: Math.max(0, count - shown.length),
  };
}

function stackOf(error: Error): string {
  const lines = stackLines(error);
  const rest = lines.length - MOST_STACK_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_STACK_LINES - 1), `and ${countText(rest + 1)} more lines`] : lines;
  return shown.map((line) => cut(line, MOST_STACK_CHARACTERS)).join("\n");
}

// Only the places: Node puts the line of the source before some stacks, which in a bundle is most of the program.
function stackLines(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const places = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
  const [first = "", ...more] = stackLines(error.cause, depth + 1);
  const cause = first === "" ? [] : [`Caused by ${first}`, ...more];
  return [...`${error.name}: ${error.message}`.split("\n"), ...places, ...cause];
}
