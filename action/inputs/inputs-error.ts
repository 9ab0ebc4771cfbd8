import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { cut } from "../../src/text/foreign-text.ts";
import { countText } from "../../src/text/number.ts";

const MOST_CHARACTERS = 1_000;

/** One thing that is wrong with one input. */
export interface InputFault {
  /** The name as in action.yml, or that of an environment variable. */
  readonly input: string;
  /** What is wrong and what to write instead, to be read after the name. It holds no secret. */
  readonly message: string;
}

/** Inputs that cannot be used: every fault at once, found before any request. */
export class InputsError extends GraphDeployError {
  readonly code = "INPUTS";
  readonly faults: readonly InputFault[];

  constructor(all: readonly InputFault[]) {
    const faults = all.map(({ input, message }) => ({ input, message: shortened(message) }));
    super(sentence(faults), { advice: "Correct what the step is given, and run again; nothing was sent." });
    this.faults = faults;
  }
}

// A message may repeat much of an input, a little of each of its lines.
function shortened(message: string): string {
  if (message.length <= MOST_CHARACTERS) return message;
  return `${cut(message, MOST_CHARACTERS)} (${countText(message.length)} characters)`;
}

function sentence(faults: readonly InputFault[]): string {
  const [first] = faults;
  if (first !== undefined && faults.length === 1) return onlyFault(first);
  const inputs = [...new Set(faults.map(({ input }) => input))];
  if (inputs.length === 1) return `The input ${inputs.join()} cannot be used, for ${String(faults.length)} reasons.`;
  return `${String(inputs.length)} inputs cannot be used: ${inputs.join(", ")}.`;
}

// A message that begins with its verb has the input as its subject.
function onlyFault({ input, message }: InputFault): string {
  const isPredicate = /^(is|has|holds|belongs|must|leads)\b/.test(message);
  const text = isPredicate ? `The input ${input} ${message}` : `The input ${input} cannot be used: ${message}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
