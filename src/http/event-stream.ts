import { GarbageError } from "./garbage-error.ts";

/** The media type of a stream of events. */
export const EVENT_STREAM = "text/event-stream";

// As much as an answer that is read whole may have.
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** One event of a stream: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export interface ServerSentEvent {
  /** `message` when the server names none. */
  readonly event: string;
  /** Its lines, joined by line feeds. */
  readonly data: string;
  /** The id that the server gave last; undefined before the first. */
  readonly id: string | undefined;
}

/**
 * Takes a stream apart, whatever way its bytes are cut into chunks. Comments, by which a server shows that it lives, and
 * `retry`, which is about connecting again, are no events.
 */
export class EventStream {
  // It drops a byte order mark at the start.
  readonly #decoder = new TextDecoder();
  #line = "";
  #afterReturn = false;
  #event = "";
  #data: string[] = [];
  #dataCharacters = 0;
  #id: string | undefined;

  /** The events that end within this chunk. Throws a GarbageError for one that is larger than any. */
  push(chunk: Uint8Array): readonly ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const line of this.#lines(this.#decoder.decode(chunk, { stream: true }))) {
      const event = this.#take(line);
      if (event !== undefined) events.push(event);
    }
    if (this.#line.length + this.#dataCharacters > MOST_CHARACTERS) {
      throw new GarbageError("one event is larger than 16 MiB", { mayImprove: false });
    }
    return events;
  }

  /** The stream is over. Throws a GarbageError when it was in the middle of an event, which is lost then. */
  end(): void {
    const line = this.#line + this.#decoder.decode();
    if ((line === "" || line.startsWith(":")) && this.#event === "" && this.#data.length === 0) return;
    throw new GarbageError("the stream ends in the middle of an event", { mayImprove: false });
  }

  // A line may end in a return, a line feed or both; both may come in two chunks.
  *#lines(text: string): Generator<string, void, undefined> {
    const [open = "", ...ended] = text
      .slice(this.#afterReturn && text.startsWith("\n") ? 1 : 0)
      .split(/\r\n|\r|\n/)
      .reverse();
    if (text !== "") this.#afterReturn = text.endsWith("\r");
    for (const part of ended.reverse()) {
      const line = this.#line + part;
      this.#line = "";
      yield line;
    }
    this.#line += open;
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#dispatch();
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.#event = value;
    if (field === "id" && !value.includes("\0")) this.#id = value;
    if (field === "data") {
      this.#data.push(value);
      // The whole line counts: ever more lines without a value must not fill the memory either.
      this.#dataCharacters += line.length + 1;
    }
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const event = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    this.#dataCharacters = 0;
    return isEmpty ? undefined : event;
  }
}

/** The events of a body, each as it comes. Throws what EventStream throws. */
export async function* eventsOf(chunks: AsyncIterable<unknown>): AsyncGenerator<ServerSentEvent, void, undefined> {
  const stream = new EventStream();
  for await (const chunk of chunks) {
    if (chunk instanceof Uint8Array) yield* stream.push(chunk);
  }
  stream.end();
}
