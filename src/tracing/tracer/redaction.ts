import { anyJson } from "../client/any-json.ts";
import { isBareObject } from "../client/any-json.ts";

/** What of inputs and outputs is sent: answers what stands in their place. It is given the program's own object. */
export type Redact = (value: unknown) => unknown;

/** How runs are kept from telling too much. Names, tags, metadata and events are sent as they are given. */
export interface RedactionOptions {
  readonly inputs?: Redact | undefined;
  readonly outputs?: Redact | undefined;
  /** Of the text of errors. */
  readonly errors?: ((text: string) => string) | undefined;
}

// What a redaction could not look at is not sent.
const WITHHELD = "[withheld: the redaction failed]";

/** Makes the objects that the wire has out of any values, without what is not to be sent. */
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
    const text = textOf(error);
    try {
      return errors === undefined ? text : errors(text);
    } catch {
      return WITHHELD;
    }
  }
}

function redacted(value: unknown, name: string, redact: Redact | undefined): unknown {
  const object = named(value, name);
  if (redact === undefined || object === undefined) return object;
  try {
    return named(redact(object), name);
  } catch {
    return { [name]: WITHHELD };
  }
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    // An object without a prototype is no text.
    return anyJson(error);
  }
}

// The service takes objects as inputs and outputs.
function named(value: unknown, name: string): unknown {
  if (value === undefined) return undefined;
  try {
    return isNamed(value) ? value : { [name]: value };
  } catch {
    // A proxy that refuses to be looked at.
    return { [name]: value };
  }
}

function isNamed(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isBareObject(value);
}
