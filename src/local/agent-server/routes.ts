import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import { route, serve } from "../http/router.ts";
import { joined, markup } from "../../pages/markup.ts";
import { link } from "../../pages/names.ts";
import { factList } from "../../pages/table.ts";
import { codeCell, endpointTable } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { deploymentPath } from "../pages/paths.ts";
import { assistantRoutes, type ServedRevision, graphOf } from "./assistants.ts";
import { agentBody } from "./body.ts";
import { runEcho, type EchoEnding } from "./echo-agent.ts";
import { ENDPOINT_GROUPS, FULL_SERVER, missingReason, UNKNOWN_ENDPOINT } from "./groups.ts";

const MODES: ReadonlySet<string> = new Set(["debug", "events", "messages", "messages-tuple", "updates", "values"]);

/** Responds to the requests of an agent server. */
export type AgentHandler = (call: HttpCall) => Promise<HttpResponse>;

interface RunCounts {
  succeeded: number;
  failed: number;
}

interface Run {
  readonly id: string;
  readonly input: unknown;
  readonly modes: readonly string[];
  readonly ending: EchoEnding;
}

/** The agent server of one deployment. `served` is called for each request, so a new revision takes over at once. */
export function agentHandler(served: () => ServedRevision, serviceUrl: () => string): AgentHandler {
  const counts: RunCounts = { succeeded: 0, failed: 0 };
  const routes = [
    serve(AGENT_SERVER.ok, () => ({ status: 200, json: { ok: true } })),
    serve(AGENT_SERVER.info, () => ({ status: 200, json: info(served()) })),
    serve(AGENT_SERVER.docs, () => ({ status: 200, html: docsPage(served(), serviceUrl()) })),
    serve(AGENT_SERVER.metrics, ({ query }) => metrics(query.format, counts)),
    ...assistantRoutes(served),
    serve(AGENT_SERVER.runAndWait, async ({ call }) => {
      // The request succeeds although the run failed.
      const { id, ending } = await run(call, served(), counts);
      const json = ending.ok ? ending.state : { __error__: ending.failure };
      return { status: 200, headers: { "content-location": `/runs/${id}` }, json };
    }),
    serve(AGENT_SERVER.streamRun, async ({ call }) => {
      const { id, input, modes, ending } = await run(call, served(), counts);
      const wants = (mode: string) => modes.includes(mode);
      const events: (readonly [event: string, data: unknown])[] = [["metadata", { run_id: id, attempt: 1 }]];
      if (!ending.ok) events.push(["error", ending.failure]);
      else {
        if (wants("values")) events.push(["values", input]);
        if (wants("updates")) events.push(["updates", { echo: ending.update }]);
        if (wants("values")) events.push(["values", ending.state]);
      }
      const text = events.map(([event, data]) => `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);
      return {
        status: 200,
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          "content-location": `/runs/${id}`,
        },
        stream: Readable.from(text),
      };
    }),
  ];
  return (call) => route(routes, call, call.path, { missingReason, unknown: UNKNOWN_ENDPOINT });
}

function info({ deploymentId, revisionId, tenantId }: ServedRevision) {
  return {
    version: "0.1.0",
    flags: { assistants: true, crons: false },
    host: {
      kind: "local",
      project_id: deploymentId,
      host_revision_id: revisionId,
      revision_id: revisionId,
      tenant_id: tenantId,
    },
  };
}

async function run(call: HttpCall, served: ServedRevision, counts: RunCounts): Promise<Run> {
  const { assistant_id, input, stream_mode = "values" } = await agentBody(call, AGENT_SERVER.runAndWait.body);
  graphOf(assistant_id, served, 422);
  const modes = typeof stream_mode === "string" ? [stream_mode] : stream_mode;
  const unknown = modes.filter((mode) => !MODES.has(mode));
  if (unknown.length > 0) {
    throw new HttpError(422, `stream_mode: ${unknown.join(", ")} is not one of ${[...MODES].join(", ")}`);
  }
  const ending = runEcho(input);
  if (ending.ok) counts.succeeded += 1;
  else counts.failed += 1;
  return { id: randomUUID(), input, modes, ending };
}

// Prometheus text, or JSON with `?format=json`.
function metrics(format: string, { succeeded, failed }: RunCounts): HttpResponse {
  if (format === "json") return { status: 200, json: { runs: { succeeded, failed } } };
  if (format !== "prometheus") throw new HttpError(422, "format: must be prometheus or json");
  const lines = [
    "# HELP agent_runs_total Runs that ended, by how they ended.",
    "# TYPE agent_runs_total counter",
    `agent_runs_total{ending="succeeded"} ${String(succeeded)}`,
    `agent_runs_total{ending="failed"} ${String(failed)}`,
    "",
  ];
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    html: lines.join("\n"),
  };
}

/** What the built-in agent serves, and what it does not. `origin` is the URL of the service. */
function docsPage(served: ServedRevision, origin: string): string {
  const { deploymentId, name, revisionId, tenantId, graphs } = served;
  const list = graphs.map((graph) => markup`<code>${graph}</code>`);
  const missing = ENDPOINT_GROUPS.flatMap((group) =>
    group.missing.map((pattern) => [pattern, `${group.name}: ${group.because}`] as const),
  );
  const body = [
    factList([
      ["Graphs", list.length === 0 ? "Unknown: the service does not have the source." : joined(list, ", ")],
      ["Revision", codeCell(revisionId)],
    ]),
    ...ENDPOINT_GROUPS.filter((group) => group.served.length > 0).flatMap((group) => [
      markup`<h2>${group.name}</h2>`,
      endpointTable(group.name, group.served),
    ]),
    markup`<h2>Not served</h2>`,
    markup`<p>These return 404; one without a method does for every method, and for each path below. ${FULL_SERVER}</p>`,
    endpointTable("Not served", missing, "Why"),
  ];
  const trail = [link(origin + deploymentPath(tenantId, deploymentId), name)];
  return page(`${name}: agent server`, body, { section: "Deployments", origin, trail });
}
