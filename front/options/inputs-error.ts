import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { shortened } from "../../src/text/quoted.ts";
import { reasonsText, withoutFullStop, withFullStop } from "../../src/text/reasons.ts";

// An input of many lines may have an error in each, and a message may repeat a little of many parts of an input.
const MOST_FAULTS = 50;
const MOST_CHARACTERS = 1_000;

export interface InputFault {
  /** The name as in action.yml, or that of an environment variable. */
  readonly input: string;
  /** What is wrong and what to write instead, to be read after the name. It holds no secret. */
  readonly message: string;
}

/** Invalid inputs: all errors at once, found before any request. */
export class InputsError extends GraphDeployError {
  readonly code = "INPUTS";
  readonly faults: readonly InputFault[];
  /** How many there are besides. */
  readonly more: number;

  constructor(all: readonly InputFault[]) {
    const faults = all.map(({ input, message }) => ({ input, message: shortened(message, MOST_CHARACTERS) }));
    super(sentence(faults), { advice: "Correct the inputs and run again; nothing was sent." });
    this.faults = faults.slice(0, MOST_FAULTS);
    this.more = faults.length - this.faults.length;
  }
}

function sentence(faults: readonly InputFault[]): string {
  const [first] = faults;
  if (!first) return "The inputs are invalid.";
  if (faults.length === 1) return onlyFault(first);
  const count = new Set(faults.map(({ input }) => input)).size;
  if (count === 1) return `The input ${first.input} is invalid: ${reasonsText(faults.map(reasonOf))}.`;
  const reasons = faults.map((fault) => `${fault.input} ${reasonOf(fault)}`);
  return `${String(count)} inputs are invalid: ${reasonsText(reasons)}.`;
}

// A message that begins with its verb has the input as its subject.
function onlyFault({ input, message }: InputFault): string {
  const isPredicate = /^(is|has|contains|must|needs|applies|cannot)\b/.test(message);
  const kind = /^[A-Z\d_]+$/.test(input) ? "environment variable" : "input";
  const text = isPredicate ? `The ${kind} ${input} ${message}` : `The ${kind} ${input} is invalid: ${message}`;
  return withFullStop(text);
}

/** What is wrong, without what to write instead: that follows the first semicolon outside quotes. */
function reasonOf({ message }: InputFault): string {
  const [reason = message] = /^(?:"(?:[^"\\]|\\.)*"|[^";])+/.exec(message) ?? [];
  return withoutFullStop(reason);
}
