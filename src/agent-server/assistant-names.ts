import type { Assistant } from "../contract/agent-server.ts";
import { isUuid } from "../contract/uuid.ts";
import { hasStatus } from "../http/errors.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { UnknownAssistantError } from "./errors.ts";

const MOST_CHARACTERS = 200;

/** True for the id of an assistant; everything else is the id of a graph. */
export function isAssistantId(name: string): boolean {
  return isUuid(name);
}

/** The path of an assistant, by its id. */
export function assistantPath(id: string): string {
  return `/assistants/${encodeURIComponent(id)}`;
}

/**
 * The assistant that stands for a graph, among those of the graph: the one that the server made by itself, else the
 * first. Throws UnknownAssistantError when there is none.
 */
export async function findAssistant(
  graph: string,
  assistants: AsyncIterable<Assistant>,
  text: ForeignText,
): Promise<Assistant> {
  let first: Assistant | undefined;
  try {
    for await (const assistant of assistants) {
      // A server that does not know this filter answers all that it has.
      if (assistant.graph_id !== graph) continue;
      if (assistant.metadata?.["created_by"] === "system") return assistant;
      first ??= assistant;
    }
  } catch (error) {
    // What some servers say of a graph that they do not know; others find nothing.
    if (!hasStatus(error, 404)) throw error;
    throw unknown(graph, text, error);
  }
  if (first === undefined) throw unknown(graph, text);
  return first;
}

function unknown(graph: string, text: ForeignText, cause?: Error): UnknownAssistantError {
  return new UnknownAssistantError(`The agent server knows no graph ${text.line(graph, MOST_CHARACTERS)}.`, {
    cause,
    advice: "Name a graph of the configuration file, or the id of an assistant.",
  });
}
