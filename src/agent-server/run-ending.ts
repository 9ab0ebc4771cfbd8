import * as z from "zod";
import type { RunCreate, RunEvent } from "../contract/agent-server.ts";
import { InvalidResponseError, NetworkError, TimeoutError } from "../http/errors.ts";
import type { ServerSentEvent } from "../http/event-stream.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { jsonOrUndefined, jsonText } from "../text/json-text.ts";
import { holdsMoreThan, ownOf } from "./beyond-input.ts";
import { RunFailedError } from "./errors.ts";

/** How a run ended whose final state is known. */
export type StateEnding =
  /** The final state holds more than the input. */
  | { readonly kind: "answered"; readonly state: unknown }
  /** The final state holds nothing beyond the input: it is null or empty, or repeats the input. */
  | { readonly kind: "empty"; readonly state: unknown }
  /** The agent asks a human, and waits for the response. `asked` is what `__interrupt__` holds. */
  | { readonly kind: "interrupted"; readonly state: unknown; readonly asked: unknown }
  | { readonly kind: "failed"; readonly error: RunFailedError };

/** How a run ended, as far as its server shows it; `unknown` after a stream without states, as without the mode `values`. */
export type RunEnding = StateEnding | { readonly kind: "unknown" };

/** How a run ended whose server waited for it: servers send a failure with 200, too. */
export function endingOf(state: unknown, { input, assistant_id }: RunCreate, text: ForeignText): StateEnding {
  const failure = ownOf(state, "__error__");
  // An agent may have an empty field of this name in its state.
  if (failure != null) return { kind: "failed", error: failureOf(failure, assistant_id, text) };
  const asked = questionIn(state);
  if (asked !== undefined) return { kind: "interrupted", state, asked };
  return { kind: holdsMoreThan(input, state) ? "answered" : "empty", state };
}

/**
 * The events of a run, and then how it ended. An `error` event comes with the one that shows that the run went on; a run
 * that did not throws RunFailedError at its end. A stream has no closing event, so what came last decides: servers before
 * 0.16 also sent an `error` event for an attempt that failed, after which the run went on.
 */
export async function* runEvents(
  events: AsyncIterable<ServerSentEvent>,
  run: RunCreate,
  text: ForeignText,
): AsyncGenerator<RunEvent, RunEnding, undefined> {
  // The last state, in a box: null is one, too.
  let state: { readonly value: unknown } | undefined;
  let asked: unknown;
  let failure: RunFailedError | undefined;
  let held: readonly RunEvent[] = [];
  const ending = (): RunEnding => {
    if (failure) return { kind: "failed", error: failure };
    if (asked !== undefined) return { kind: "interrupted", state: state?.value, asked };
    return state ? endingOf(state.value, run, text) : { kind: "unknown" };
  };
  try {
    for await (const sent of events) {
      const told = toldBy(sent);
      const { event, data } = told;
      const isError = event === "error";
      // A new attempt that has only begun is no recovery.
      if (!SILENT.has(event)) failure = isError ? failureOf(data, run.assistant_id, text) : undefined;
      if (event === "values") state = { value: data };
      if (event === "values" || event === "updates") asked = questionIn(data);
      yield* held;
      held = isError ? [told] : [];
      if (!isError) yield told;
    }
  } catch (error) {
    const last = ending();
    const isCut =
      error instanceof NetworkError || error instanceof TimeoutError || error instanceof InvalidResponseError;
    if (last.kind !== "failed" || !isCut) throw error;
    // The agent's reason is worth more than that of the line; the run may have gone on behind it.
    last.error.cause = error;
    throw last.error;
  }
  const last = ending();
  if (last.kind === "failed") throw last.error;
  return last;
}

/** An event with its data read; an agent may stream any text, and what is not JSON stays as it is. */
export function toldBy({ event, data, id }: ServerSentEvent): RunEvent {
  if (data === "") return { event, data: undefined, id };
  try {
    return { event, data: JSON.parse(data), id };
  } catch {
    return { event, data, id };
  }
}

/** Events that say nothing about what the agent does: who runs it, and that the stream is over. */
const SILENT: ReadonlySet<string> = new Set(["metadata", "end"]);

// Servers up to 0.15 sent an empty list for a state that merely held this text.
function questionIn(state: unknown): unknown {
  const asked = ownOf(state, "__interrupt__");
  return typeof asked === "object" && asked !== null && Object.keys(asked).length > 0 ? asked : undefined;
}

const MOST_CHARACTERS = 500;

const Failure = z.looseObject({ error: z.string().nullish(), message: z.string().nullish() });

/** The error for an agent's failure, in whatever form the agent reports it. */
function failureOf(said: unknown, assistant: string, text: ForeignText): RunFailedError {
  const { error, message } = innermost(said);
  const clean = (part: string | null | undefined) => text.line(firstLine(part ?? ""), MOST_CHARACTERS);
  return new RunFailedError(text.line(assistant, MOST_CHARACTERS), clean(error), clean(message));
}

// A failure may be wrapped: one public server writes the agent's own as JSON into the message of another.
function innermost(said: unknown): z.output<typeof Failure> {
  const { data } = Failure.safeParse(said);
  if (!data) return { message: textOf(said) };
  const inner = Failure.safeParse(jsonOrUndefined(data.message ?? "")).data;
  return inner?.error == null && inner?.message == null ? data : inner;
}

export function textOf(said: unknown): string {
  if (said == null) return "";
  return typeof said === "string" ? said : jsonText(said);
}

// Schema checkers write several lines, and show the input on the later ones; some begin with a bracket of their JSON.
function firstLine(message: string): string {
  const first = message.trim().split(/[\r\n]/, 1)[0] ?? "";
  return /\p{L}/u.test(first) ? first : message;
}
