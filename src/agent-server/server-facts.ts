import * as z from "zod";
import { AGENT_SERVER } from "../contract/operations/agent-server.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { spare } from "../contract/spare.ts";
import { isMissingEndpoint } from "../http/errors.ts";
import type { AgentServer } from "./client.ts";

const Metrics = z.looseObject({ workers: spare(z.looseObject({ max: spare(z.int().positive()) })) });

/** What an agent server says of itself; texts are empty where it does not say so. */
export interface ServerFacts {
  readonly version: string;
  readonly revisionId: string;
  /** How many runs it works on at a time; undefined where it does not say so. */
  readonly workers: number | undefined;
}

export async function serverFacts(server: AgentServer): Promise<ServerFacts> {
  const { version, host } = await server.info();
  const asked = { ...requestTo(AGENT_SERVER.metrics, {}, { query: { format: "json" } }), once: true };
  // Not all servers have them, nor in this form.
  const metrics = await server.request({ ...asked, schema: Metrics }).catch(() => undefined);
  const workers = metrics?.workers?.max ?? undefined;
  return { version: version ?? "", revisionId: host?.host_revision_id ?? "", workers };
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
