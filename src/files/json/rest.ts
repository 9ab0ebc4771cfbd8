import type { ByteWindow } from "./byte-window.ts";
import { RestTooLargeError } from "./errors.ts";
import { JsonFault } from "./json-fault.ts";
import { decodeJson } from "./parsed-value.ts";
import type { JsonValue } from "./value.ts";

/** A document without the elements of one list, collected while it is walked over. */
export class RestOfDocument {
  readonly #window: ByteWindow;
  readonly #parts: Buffer[] = [];
  readonly #begin: number;
  #size = 0;
  #isLimited = false;
  /** How much stands before the gap, and where in the source the gap ends. */
  #headSize = 0;
  #tailBegin = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
    this.#begin = window.offsetOf(window.at);
  }

  /** Takes bytes of the rest that are done with. */
  readonly add = (bytes: Buffer): void => {
    this.#size += bytes.length;
    // A document that has no list at the path may be of any size: nobody asks for its rest.
    if (this.#size > MAX_REST_BYTES) this.#parts.length = 0;
    else this.#parts.push(Buffer.from(bytes));
    this.#limit();
  };

  /** From `window.at` on the bytes are no part of the rest. */
  leaveGap(): void {
    this.#isLimited = true;
    this.add(this.#window.kept());
    this.#limit();
    this.#headSize = this.#size;
  }

  /** From `window.at` on the bytes are part of the rest again. */
  resume(): void {
    this.#window.release(this.add);
    this.#tailBegin = this.#window.offsetOf(this.#window.at);
  }

  /** The value of all that was collected up to `window.at`. */
  parse(): JsonValue {
    this.add(this.#window.kept());
    try {
      return decodeJson(Buffer.concat(this.#parts));
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      const { at, fault } = error;
      const offset = at < this.#headSize ? this.#begin + at : this.#tailBegin + at - this.#headSize;
      throw this.#window.fault(offset, fault);
    }
  }

  #limit(): void {
    if (!this.#isLimited || this.#size <= MAX_REST_BYTES) return;
    const fault = "there is more than 32 MiB besides the list of rows";
    const { place } = this.#window.fault(this.#window.offsetOf(this.#window.at), fault);
    throw new RestTooLargeError(place, fault);
  }
}

const MAX_REST_BYTES = 32 * 1024 * 1024;
