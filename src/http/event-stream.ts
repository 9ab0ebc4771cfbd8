import { createParser } from "eventsource-parser";
import { GarbageError } from "./bad-response.ts";
import type { StreamFormat } from "./json-api.ts";

// The limit of a response that is read whole.
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** What to do about a stream that has ended early. */
export const CUT_ADVICE =
  "The server, or a gateway in front of it, ended the stream early: send the request again if it may be repeated.";

/** One event of a stream: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export interface ServerSentEvent {
  /** `message` when the server names none. */
  readonly event: string;
  /** Its lines, joined by line feeds. */
  readonly data: string;
  /** The last id from the server; undefined before the first. */
  readonly id: string | undefined;
}

/** Reads a stream of events, however its bytes are cut into chunks. */
export class EventStream {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    // Also called for an id that comes without data.
    onId: (id) => (this.#id = id),
    onEvent: ({ event = "message", data }) => this.#events.push({ event, data, id: this.#id }),
  });
  #events: ServerSentEvent[] = [];
  #id?: string;
  /** How much came since the last event; the parser may hold all of it. */
  #characters = 0;
  /** The first character of a line that has not ended yet. */
  #lineStart = "";

  /** The events that end within this chunk. Throws a GarbageError for one that is larger than 16 MiB. */
  push(chunk: Uint8Array): readonly ServerSentEvent[] {
    const text = this.#decoder.decode(chunk, { stream: true });
    const events = this.#feed(text);
    this.#characters = events.length > 0 ? 0 : this.#characters + text.length;
    if (this.#characters > MOST_CHARACTERS) {
      throw new GarbageError("one event is larger than 16 MiB", { mayImprove: false });
    }
    const lineEnd = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    this.#lineStart = (lineEnd === -1 ? this.#lineStart : "") || text.slice(lineEnd + 1, lineEnd + 2);
    return events;
  }

  /** The stream has ended. Throws a GarbageError if that was in the middle of an event, which is lost then. */
  end(): void {
    const lineStart = this.#lineStart || this.#decoder.decode();
    const isLineOpen = lineStart !== "" && lineStart !== ":";
    // The parser does not say whether it holds fields of an event: they would show in the next one.
    const [next] = this.#feed(lineStart === "" ? "data\n\n" : "\ndata\n\n");
    if (!isLineOpen && next?.event === "message" && next.data === "") return;
    throw new GarbageError("the stream ends in the middle of an event", { mayImprove: true, advice: CUT_ADVICE });
  }

  #feed(text: string): readonly ServerSentEvent[] {
    this.#events = [];
    this.#parser.feed(text);
    return this.#events;
  }
}

export const EVENT_STREAM: StreamFormat<ServerSentEvent> = {
  mediaType: "text/event-stream",
  parts: async function* (chunks) {
    const stream = new EventStream();
    for await (const chunk of chunks) {
      if (chunk instanceof Uint8Array) yield* stream.push(chunk);
    }
    stream.end();
  },
};
