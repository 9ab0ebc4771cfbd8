import type { Assistant, AssistantFilter } from "../contract/agent-server.ts";
import { isUuid } from "../contract/uuid.ts";
import { EndlessListError, hasStatus } from "../http/errors.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import { quoted } from "../text/quoted.ts";
import { UnknownAssistantError } from "./errors.ts";

const MOST_CHARACTERS = 200;
// How many graphs a message lists.
const MOST_GRAPHS = 20;

/** True for the id of an assistant; everything else is the id of a graph. */
export function isAssistantId(name: string): boolean {
  return isUuid(name);
}

/** Requests the assistants of a server. One that does not know the filter returns all of them. */
export type AssistantSearch = (filter: AssistantFilter) => AsyncIterable<Assistant>;

// The server makes one for each graph; users may have made many others.
const MADE_BY_SERVER = { created_by: "system" } as const;

/**
 * The default assistant of a graph: the one that the server made, else the first. Throws UnknownAssistantError if there
 * is none.
 */
export async function findAssistant(graph: string, search: AssistantSearch, text: ForeignText): Promise<Assistant> {
  const isOfGraph = ({ graph_id }: Assistant) => graph_id === graph;
  const isDefault = ({ graph_id, metadata }: Assistant) =>
    graph_id === graph && metadata?.["created_by"] === MADE_BY_SERVER.created_by;
  let cause: Error | undefined;
  try {
    const found =
      (await firstOf(search({ graph_id: graph, metadata: MADE_BY_SERVER }), isDefault)) ??
      (await firstOf(search({ graph_id: graph }), isOfGraph));
    if (found) return found;
  } catch (error) {
    // Some servers respond with 404 for an unknown graph; others find nothing.
    if (!hasStatus(error, 404)) throw error;
    cause = error;
  }
  // Without a list, the error says enough.
  const others = await graphsOf(search).catch(() => []);
  const known = others.length === 0 ? "" : `; it has ${namesText(others, text)}`;
  throw new UnknownAssistantError(`The agent server has no graph ${namesText([graph], text)}${known}.`, {
    cause,
    advice: "Name a graph of the configuration file, or the id of an assistant.",
  });
}

/** True when there is an assistant of the graph among those that a server finds for it. */
export async function hasAssistant(graph: string, assistants: AsyncIterable<Assistant>): Promise<boolean> {
  try {
    return (await firstOf(assistants, ({ graph_id }) => graph_id === graph)) !== undefined;
  } catch (error) {
    // A server without a search does not name the graph.
    if (hasStatus(error, 404) && error.details.some((line) => line.includes(graph))) return false;
    throw error;
  }
}

/** The graph of a server that serves no other. Throws UnknownAssistantError where it serves none or several, or too many to tell. */
export async function onlyGraph(search: AssistantSearch, text: ForeignText): Promise<string> {
  const reasons = ["GRAPH_UNCLEAR"] as const;
  const graphs = await graphsOf(search).catch((error: unknown) => {
    if (!(error instanceof EndlessListError)) throw error;
    throw new UnknownAssistantError(error.message, { cause: error, advice: error.advice, reasons });
  });
  const [only, ...others] = graphs;
  if (only !== undefined && others.length === 0) return only;
  const many = `The agent server serves more than one graph: ${namesText(graphs, text)}.`;
  throw new UnknownAssistantError(only === undefined ? "The agent server serves no graph." : many, { reasons });
}

/** The graphs that a server serves, as many as a message lists at most. */
async function graphsOf(search: AssistantSearch): Promise<readonly string[]> {
  const ids = new Set<string>();
  // Servers make one assistant for each graph; users may have made thousands. If the server does not mark its own
  // assistants, all count.
  for (const metadata of [MADE_BY_SERVER, {}]) {
    for await (const { graph_id } of search({ metadata })) {
      if (ids.add(graph_id).size === MOST_GRAPHS) break;
    }
    if (ids.size > 0) break;
  }
  return [...ids];
}

function namesText(graphs: readonly string[], text: ForeignText): string {
  return graphs.map((graph) => quoted(text.line(graph, MOST_CHARACTERS))).join(", ");
}

async function firstOf(
  assistants: AsyncIterable<Assistant>,
  isWanted: (assistant: Assistant) => boolean,
): Promise<Assistant | undefined> {
  for await (const assistant of assistants) if (isWanted(assistant)) return assistant;
  return undefined;
}
