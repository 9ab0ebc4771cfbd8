import { anyJson, isBareObject } from "../client/any-json.ts";

/** Returns what is sent in place of inputs or outputs. It gets the program's own object, not a copy. */
export type Redact = (value: unknown) => unknown;

/** What to remove from runs before they are sent. Names, tags, metadata and events are sent as given. */
export interface RedactionOptions {
  /** Gets the inputs of a run; what it returns is sent. */
  readonly inputs?: Redact | undefined;
  /** Gets the outputs of a run; what it returns is sent. */
  readonly outputs?: Redact | undefined;
  /** Gets the text of an error. */
  readonly errors?: ((text: string) => string) | undefined;
}

// A value is not sent when its redaction throws.
const WITHHELD = "[withheld: the redaction failed]";

/** Turns any values into the objects that the service takes, redacted. */
export class Redaction {
  readonly #options: RedactionOptions;

  constructor(options: RedactionOptions = {}) {
    this.#options = options;
  }

  inputs(value: unknown): unknown {
    return redacted(value, "input", this.#options.inputs);
  }

  outputs(value: unknown): unknown {
    return redacted(value, "output", this.#options.outputs);
  }

  error(error: unknown): string {
    const { errors } = this.#options;
    let text: string;
    try {
      text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    } catch {
      // An object without a prototype cannot become a string.
      text = anyJson(error);
    }
    try {
      return errors ? errors(text) : text;
    } catch {
      return WITHHELD;
    }
  }
}

function redacted(value: unknown, name: string, redact: Redact | undefined): unknown {
  const object = named(value, name);
  if (!redact || object === undefined) return object;
  try {
    return named(redact(object), name);
  } catch {
    return { [name]: WITHHELD };
  }
}

// The service takes objects as inputs and outputs.
function named(value: unknown, name: string): unknown {
  if (value === undefined) return undefined;
  try {
    const isNamed = typeof value === "object" && value !== null && !Array.isArray(value) && isBareObject(value);
    return isNamed ? value : { [name]: value };
  } catch {
    // A proxy that throws.
    return { [name]: value };
  }
}
