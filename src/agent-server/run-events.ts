import type { RunEvent } from "../contract/agent-server.ts";
import type { ServerSentEvent } from "../http/event-stream.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { failureOf } from "./run-failure.ts";

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
