import { jsonOrUndefined } from "../text/json-text.ts";
import * as z from "zod";
import type { RunEvent } from "../contract/agent-server.ts";
import type { ServerSentEvent } from "../http/event-stream.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { jsonText } from "../text/json-text.ts";
import { RunFailedError } from "./errors.ts";

const MOST_CHARACTERS = 500;

const Failure = z.looseObject({ error: z.string().nullish(), message: z.string().nullish() });
const FailedAnswer = z.looseObject({ __error__: z.unknown() });

/** The events of a run. Throws RunFailedError for the event with which a server reports that the agent failed. */
export async function* runEvents(
  events: AsyncIterable<ServerSentEvent>,
  assistant: string,
  text: ForeignText,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const { event, data, id } of events) {
    const json = dataOf(data);
    if (event === "error") throw failureOf(json, assistant, text);
    yield { event, data: json, id };
  }
}

// An agent may stream any text: what is not JSON stays as it is.
function dataOf(data: string): unknown {
  if (data === "") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** The failure in the response to a run that waited, which servers send with 200. Undefined if there is none. */
export function failureIn(answer: unknown, assistant: string, text: ForeignText): RunFailedError | undefined {
  const parsed = FailedAnswer.safeParse(answer);
  // An agent may have an empty field of this name in its state.
  if (!parsed.success || parsed.data.__error__ == null) return undefined;
  return failureOf(parsed.data.__error__, assistant, text);
}

/** The error for an agent's failure, in whatever form the agent reports it. */
function failureOf(said: unknown, assistant: string, text: ForeignText): RunFailedError {
  const { error, message } = innermost(said);
  const clean = (part: string | null | undefined) => text.line(firstLine(part ?? ""), MOST_CHARACTERS);
  return new RunFailedError(text.line(assistant, MOST_CHARACTERS), clean(error), clean(message));
}

// A failure may be wrapped: one public server writes the agent's own as JSON into the message of another.
function innermost(said: unknown): z.output<typeof Failure> {
  const { data } = Failure.safeParse(said);
  if (data === undefined) return { message: textOf(said) };
  const inner = Failure.safeParse(jsonOrUndefined(data.message ?? "")).data;
  return inner?.error == null && inner?.message == null ? data : inner;
}

function textOf(said: unknown): string {
  if (said == null) return "";
  return typeof said === "string" ? said : jsonText(said);
}

// Schema checkers write several lines, and show the input on the later ones; some begin with a bracket of their JSON.
function firstLine(message: string): string {
  const first = message.trim().split(/[\r\n]/, 1)[0] ?? "";
  return /\p{L}/u.test(first) ? first : message;
}
