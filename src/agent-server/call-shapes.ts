import * as z from "zod";
import { count, orLeftOut, type ShapesOf, someText, textsByName } from "../contract/call-arguments.ts";
import { callOptions } from "../http/call-shapes.ts";
import type { ListOptions } from "../http/page-walk.ts";

/** Which assistants a search returns, and how long it may take. */
export interface AssistantSearchOptions extends ListOptions {
  /** How many assistants are returned at most; all of them when not given. */
  readonly limit?: number | undefined;
  /** How many assistants are passed over first, in the order of the server; 0 when not given. */
  readonly offset?: number | undefined;
}

export const runShape = z.looseObject({ assistant_id: someText }, "must be an object");
// An iterable that has to be waited for is none: its names are checked before anything is sent.
export const iterable = z.custom<Iterable<string>>(
  (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
  "must be an iterable of texts, such as an array",
);
export const graphNames = z.array(someText);
export const searchShape = callOptions.extend({
  limit: count.optional(),
  offset: z.int("must be a whole number").min(0, "must be 0 or more").optional(),
});

/** Where a run is carried out, and what is sent with it. */
export interface InThread {
  /**
   * The id of the thread whose state the run continues. Leave it out for a run without a thread: `undefined` and
   * an empty text are errors, because such a run would begin without the state.
   */
  readonly threadId?: string | undefined;
  /** Sent besides the usual headers, such as those of a trace; names in lower case. They cannot replace credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

// A dot in a path leads elsewhere, however it is encoded.
export const idInPath = someText.refine((id) => !/^\.{1,2}$/.test(id), "is not an id");
export const inThread = callOptions.extend({
  threadId: orLeftOut(idInPath),
  headers: textsByName.optional(),
} satisfies ShapesOf<InThread>);
