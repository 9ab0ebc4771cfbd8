import * as z from "zod";
import type { RunEvent } from "../contract/agent-server.ts";
import type { ServerSentEvent } from "../http/event-stream.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { jsonText } from "../text/json-text.ts";
import { RunFailedError } from "./errors.ts";

// An error is a sentence for a person, not a dump.
const MOST_CHARACTERS = 500;

const Failure = z.looseObject({ error: z.string().nullish(), message: z.string().nullish() });
const FailedAnswer = z.looseObject({ __error__: z.unknown() });

/** The news of a run. Throws RunFailedError for the event by which a server tells that the agent failed. */
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

// Text that is no JSON stays what it is: an agent may stream what it likes.
function dataOf(data: string): unknown {
  if (data === "") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** The failure that stands in the answer of a run that waited: servers answer 200 for it. Undefined when there is none. */
export function failureIn(answer: unknown, assistant: string, text: ForeignText): RunFailedError | undefined {
  const parsed = FailedAnswer.safeParse(answer);
  // An agent may well have a state of this name that is empty.
  if (!parsed.success || parsed.data.__error__ == null) return undefined;
  return failureOf(parsed.data.__error__, assistant, text);
}

/** The error for what an agent says of its failure, in whatever form it says it. */
export function failureOf(said: unknown, assistant: string, text: ForeignText): RunFailedError {
  const { error, message } = innermost(said);
  const clean = (part: string | null | undefined) => text.line(telling(part ?? ""), MOST_CHARACTERS);
  return new RunFailedError(text.line(assistant, MOST_CHARACTERS), clean(error), clean(message));
}

// A failure may be wrapped: one public server writes the agent's own as JSON into the message of another.
function innermost(said: unknown): z.output<typeof Failure> {
  const { data } = Failure.safeParse(said);
  if (data === undefined) return { message: textOf(said) };
  const inner = Failure.safeParse(parseJson(data.message ?? "")).data;
  return inner?.error == null && inner?.message == null ? data : inner;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(said: unknown): string {
  if (said == null) return "";
  return typeof said === "string" ? said : jsonText(said);
}

// Schema checkers go on for lines, and show the input on the later ones; some begin with a bracket of their JSON.
function telling(message: string): string {
  const first = message.trim().split(/[\r\n]/, 1)[0] ?? "";
  return /\p{L}/u.test(first) ? first : message;
}
