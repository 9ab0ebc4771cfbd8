import type { RunCreate, RunEvent } from "../contract/agent-server.ts";
import { InvalidResponseError, NetworkError, TimeoutError } from "../http/errors.ts";
import type { ServerSentEvent } from "../http/event-stream.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { StreamedEnding, type RunEnding } from "./run-ending.ts";

/**
 * The events of a run, and then how it ended. An `error` event comes with the one that shows that the run went on; a run
 * that did not throws RunFailedError at its end.
 */
export async function* runEvents(
  events: AsyncIterable<ServerSentEvent>,
  run: RunCreate,
  text: ForeignText,
): AsyncGenerator<RunEvent, RunEnding, undefined> {
  const ending = new StreamedEnding(run, text);
  let held: readonly RunEvent[] = [];
  try {
    for await (const event of events) {
      const told = toldBy(event);
      ending.note(told);
      yield* held;
      held = told.event === "error" ? [told] : [];
      if (told.event !== "error") yield told;
    }
  } catch (error) {
    const last = ending.get();
    if (last.kind !== "failed" || !isCut(error)) throw error;
    // The agent's reason is worth more than that of the line; the run may have gone on behind it.
    last.error.cause = error;
    throw last.error;
  }
  const last = ending.get();
  if (last.kind === "failed") throw last.error;
  return last;
}

function isCut(error: unknown): boolean {
  return error instanceof NetworkError || error instanceof TimeoutError || error instanceof InvalidResponseError;
}

export function toldBy({ event, data, id }: ServerSentEvent): RunEvent {
  return { event, data: dataOf(data), id };
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
