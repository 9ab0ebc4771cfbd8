/** What of inputs and outputs is sent: answers what stands in their place. */
export type Redact = (value: unknown) => unknown;

/** How runs are kept from telling too much. */
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
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    try {
      return errors === undefined ? text : errors(text);
    } catch {
      return WITHHELD;
    }
  }
}

function redacted(value: unknown, name: string, redact: Redact | undefined): unknown {
  if (value === undefined) return undefined;
  const object = isNamed(value) ? value : { [name]: value };
  if (redact === undefined) return object;
  try {
    return redact(object);
  } catch {
    return { [name]: WITHHELD };
  }
}

// Service.md §2.5: inputs and outputs are objects.
function isNamed(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
