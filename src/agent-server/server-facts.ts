import * as z from "zod";
import { AGENT_SERVER } from "../contract/operations/agent-server.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { spare } from "../contract/spare.ts";
import { isMissingEndpoint } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import { graphsOf, MOST_GRAPHS } from "./assistant-names.ts";
import type { AgentServer } from "./client.ts";
import { UnknownAssistantError } from "./errors.ts";

// How much of the name of each graph a message has.
const MOST_CHARACTERS = 100;

const Metrics = z.looseObject({ workers: spare(z.looseObject({ max: spare(z.int().positive()) })) });

/** What an agent server says of itself; texts are empty where it does not say so. */
export interface ServerFacts {
  readonly version: string;
  readonly revisionId: string;
  /** How many runs it works on at a time; undefined where it does not say so. */
  readonly workers: number | undefined;
}

/** Asks a server what it is. */
export async function serverFacts(server: AgentServer): Promise<ServerFacts> {
  const { version, host } = await server.info();
  const asked = { ...requestTo(AGENT_SERVER.metrics, {}, { query: { format: "json" } }), once: true };
  // Not all servers have them, nor in this form.
  const metrics = await server.request({ ...asked, schema: Metrics }).catch(() => undefined);
  const workers = metrics?.workers?.max ?? undefined;
  return { version: version ?? "", revisionId: host?.host_revision_id ?? "", workers };
}

/** The graph of a server that serves no other. Throws UnknownAssistantError. */
export async function onlyGraph(server: AgentServer): Promise<string> {
  const graphs = await graphsOf((metadata) => server.searchAssistants(metadata), MOST_GRAPHS);
  const [only, ...others] = graphs;
  if (only !== undefined && others.length === 0) return only;
  const names = graphs.map((graph) => quoted(server.printable(graph, MOST_CHARACTERS))).join(", ");
  const many = `The agent server serves more than one graph: ${names}.`;
  throw new UnknownAssistantError(only === undefined ? "The agent server serves no graph." : many, {
    reasons: ["GRAPH_UNCLEAR"],
  });
}

/** Whether a server has threads: some only run graphs without one. */
export async function hasThreads(server: AgentServer): Promise<boolean> {
  try {
    // A value that no thread has: all threads would be a large page.
    await server.threads.search({ metadata: { asks: "has-threads" } }).next();
    return true;
  } catch (error) {
    if (isMissingEndpoint(error)) return false;
    throw error;
  }
}
