import { describe, expect, test } from "vitest";
import type { AgentServer } from "../../src/agent-server/client.ts";
import { connect } from "../../src/connection.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { startFaultServer, type Handler, type Match } from "../wire/fault-server.ts";
import { redirect, status } from "../wire/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { FAULT_TABLE, type FaultRow } from "../control-plane/fault-table.ts";
import { API_KEY } from "../control-plane/rig.ts";
import { agentRig as rigOf, errorOf } from "./rig.ts";

const ID = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";

const assistants = ["support", "triage"].map((graph_id, index) => ({ assistant_id: `a-${String(index)}`, graph_id }));

/** An agent server of two assistants. */
const agent: Handler = ({ path, body }) => {
  if (path === "/ok") return { status: 200, body: { ok: true, services: {} } };
  if (path === "/info")
    return { status: 200, body: { version: "1.2.3", flags: {}, host: { host_revision_id: "r-1" } } };
  if (path === "/assistants/count") return { status: 200, body: "2" };
  if (path === `/assistants/${ID}`) return { status: 200, body: { assistant_id: ID, graph_id: "support" } };
  if (path === `/assistants/${ID}/schemas`) return { status: 200, body: { input_schema: {} } };
  if (path === `/assistants/${ID}/graph`) return { status: 200, body: { nodes: [], edges: [] } };
  const { limit, offset } = JSON.parse(body.toString()) as { limit: number; offset: number };
  return { status: 200, body: assistants.slice(offset, offset + limit) };
};

const many = Array.from({ length: 50 }, (_, index) => `graph-${String(index)}`);

const agentRig = (handler = agent) => rigOf(handler);

async function graphsOf(found: AsyncIterable<{ graph_id: string }>): Promise<readonly string[]> {
  const graphs: string[] = [];
  for await (const { graph_id } of found) graphs.push(graph_id);
  return graphs;
}

interface Operation {
  readonly name: string;
  readonly hit: Match;
  readonly usual: number;
  readonly run: (server: AgentServer, options: { attemptMilliseconds: number }) => Promise<unknown>;
}

const operations: readonly Operation[] = [
  { name: "ok", hit: { path: /^\/ok$/ }, usual: 1, run: (server, options) => server.ok(options) },
  { name: "info", hit: { path: /^\/info$/ }, usual: 1, run: (server, options) => server.info(options) },
  {
    name: "searchAssistants",
    hit: { method: "POST", path: /^\/assistants\/search$/ },
    usual: 2,
    run: (server, options) => graphsOf(server.searchAssistants({}, options)),
  },
  {
    name: "countAssistants",
    hit: { method: "POST", path: /^\/assistants\/count$/ },
    usual: 1,
    run: (server, options) => server.countAssistants({}, options),
  },
  {
    name: "getAssistant",
    hit: { path: new RegExp(`^/assistants/${ID}$`) },
    usual: 1,
    run: (server, options) => server.getAssistant(ID, options),
  },
  {
    name: "assistantSchemas",
    hit: { path: /\/schemas$/ },
    usual: 1,
    run: (server, options) => server.assistantSchemas(ID, options),
  },
  {
    name: "assistantGraph",
    hit: { path: /\/graph$/ },
    usual: 1,
    run: (server, options) => server.assistantGraph(ID, options),
  },
];

/** Runs an operation that meets a fault once. */
async function meet({ hit, run }: Operation, { fault }: FaultRow) {
  const { front, server, clock } = await agentRig();
  front.script(hit, fault);
  front.onStall = () => clock.pass(10_000);
  const error: unknown = await run(server, { attemptMilliseconds: 10_000 }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return { error, requests: front.count(hit) };
}

describe.each(operations)("$name", (operation) => {
  const { hit, usual, run } = operation;

  test.each(FAULT_TABLE)("$name: $repeatable", async (row) => {
    const { error, requests } = await meet(operation, row);
    const isRetried = row.repeatable === "retried";
    expect(error instanceof GraphDeployError ? error.code : error).toBe(isRetried ? undefined : row.repeatable);
    expect(requests).toBe(isRetried ? usual + 1 : 1);
    expect(textsOf(error).join("\n")).not.toContain(API_KEY);
    if (error instanceof Error) expect(error.message).toSatisfy(isSentence);
  });

  test("does not follow a redirect", async () => {
    const { front, server } = await agentRig();
    const bait = await startFaultServer(agent);
    front.script(hit, redirect(307, bait.url));
    await expect(run(server, { attemptMilliseconds: 10_000 })).rejects.toMatchObject({ code: "REDIRECT" });
    expect(bait.connections).toBe(0);
  });
});

describe("what an agent server answers", () => {
  test("that it is not well is an error", async () => {
    const { server } = await agentRig(() => ({ status: 200, body: { ok: false } }));
    await expect(server.ok()).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });

  test("about itself may lack anything", async () => {
    const { server } = await agentRig(() => ({ status: 200, body: {} }));
    expect(await server.info()).toEqual({});
  });

  test("in plain text is reported as it is", async () => {
    const { front, server } = await agentRig();
    front.script({}, status(404, { headers: { "content-type": "text/plain;charset=UTF-8" }, body: "404 Not Found" }));
    await expect(server.info()).rejects.toThrow(/\/info returned 404: 404 Not Found$/);
  });

  test("about a bad request ends before the rejected input", async () => {
    const { front, server } = await agentRig();
    const detail = `'limit' is too large\n\nOn instance['limit']:\n    '${API_KEY}'`;
    front.script({}, status(422, { body: { detail } }));
    await expect(graphsOf(server.searchAssistants())).rejects.toThrow(/returned 422: 'limit' is too large$/);
  });
});

describe("the assistants", () => {
  test.each<[string, Handler]>([
    ["come page by page", agent],
    [
      "come from a server with short pages",
      ({ body }) => {
        const { offset } = JSON.parse(body.toString()) as { offset: number };
        return { status: 200, body: assistants.slice(offset, offset + 1) };
      },
    ],
    ["come once from a server that ignores the offset", () => ({ status: 200, body: assistants })],
  ])("%s", async (_how, handler) => {
    const { front, server } = await agentRig(handler);
    expect(await graphsOf(server.searchAssistants())).toEqual(["support", "triage"]);
    expect(front.requests.length).toBeLessThanOrEqual(3);
  });

  // A server that makes up new assistants for each page; it comes to an end, because a client that does not would not.
  const endless: Handler = ({ body }) => {
    const { offset } = JSON.parse(body.toString()) as { offset: number };
    if (offset >= 3_000) return { status: 200, body: [] };
    return { status: 200, body: [{ assistant_id: `a-${String(offset)}`, graph_id: `g-${String(offset)}` }] };
  };

  test.each<[string, number, (server: AgentServer) => Promise<unknown>]>([
    ["all of them", 1_000, (server) => graphsOf(server.searchAssistants())],
    ["as many as the caller wants", 7, (server) => graphsOf(server.searchAssistants({}, { mostPages: 7 }))],
    ["those of three graphs", 20, (server) => server.servedGraphs(["x", "y", "z"])],
    ["the one of a graph", 20, (server) => server.getAssistant("support")],
  ])("without an end are an error after a number of pages that fits the question: %s", async (_what, pages, ask) => {
    const { front, server } = await agentRig(endless);
    const error: unknown = await ask(server).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "ENDLESS_LIST" });
    expect(front.requests).toHaveLength(pages);
  });

  test.each<[string, readonly object[], string]>([
    ["none", [], "The agent server serves no graph."],
    ["several", [{ graph_id: "a" }, { graph_id: "b" }], 'The agent server serves more than one graph: "a", "b".'],
  ])("leave it unclear which graph is asked where the server serves %s", async (_what, served, message) => {
    const body = served.map((one, at) => ({ assistant_id: String(at), ...one }));
    const { front, server } = await agentRig(() => ({ status: 200, body }));
    expect(await errorOf(server.onlyGraph())).toMatchObject({ message, reasons: ["GRAPH_UNCLEAR"] });
    expect(front.requests).toHaveLength(2);
  });

  test("without an end leave it unclear which graph is asked, after 20 pages", async () => {
    const { front, server } = await agentRig(({ body }) => {
      const { offset } = JSON.parse(body.toString()) as { offset: number };
      return { status: 200, body: offset < 3_000 ? [{ assistant_id: `a-${String(offset)}`, graph_id: "g" }] : [] };
    });
    expect(await errorOf(server.onlyGraph())).toMatchObject({ code: "UNKNOWN_ASSISTANT", reasons: ["GRAPH_UNCLEAR"] });
    expect(front.requests).toHaveLength(20);
  });

  test("are looked at for 20 pages where an unknown graph is to be told from those that there are", async () => {
    const { front, server } = await agentRig(({ body }) => {
      const { offset, graph_id: wanted } = JSON.parse(body.toString()) as { offset: number; graph_id?: string };
      const isLeft = wanted === undefined && offset < 3_000;
      return { status: 200, body: isLeft ? [{ assistant_id: `a-${String(offset)}`, graph_id: "g" }] : [] };
    });
    expect(await errorOf(server.getAssistant("x"))).toMatchObject({ message: 'The agent server has no graph "x".' });
    expect(front.requests).toHaveLength(2 + 20);
  });

  test("tell the only graph, also where the server marks none as its own", async () => {
    const { server } = await agentRig(({ body }) => {
      const { metadata } = JSON.parse(body.toString()) as { metadata: object };
      return { status: 200, body: "created_by" in metadata ? [] : [{ assistant_id: "1", graph_id: "support" }] };
    });
    expect(await server.onlyGraph()).toBe("support");
  });

  test("are asked for by their graphs, and no further than the first of each", async () => {
    const { front, server } = await agentRig(({ body }) => {
      const { graph_id, offset } = JSON.parse(body.toString()) as { graph_id?: string; offset: number };
      if (graph_id === "lost") return { status: 200, body: [] };
      if (graph_id === "unknown") return { status: 404, body: { detail: "Graph 'unknown' not found." } };
      // Users have made more assistants of it than anybody wants to see.
      return { status: 200, body: [{ assistant_id: `a-${String(offset)}`, graph_id }] };
    });
    const wanted = ["support", "lost", "triage", "unknown"];
    expect(await server.servedGraphs(wanted)).toEqual(new Set(["support", "triage"]));
    const asked = front.requests.map(({ body }) => JSON.parse(body.toString()) as { graph_id?: string });
    expect(asked.map(({ graph_id }) => graph_id)).toEqual(wanted);
  });

  test("are found on a server that does not filter by graph, with each page read once", async () => {
    const { front, server } = await agentRig(agent);
    expect(await server.servedGraphs(["support", "triage", "lost"])).toEqual(new Set(["support", "triage"]));
    expect(front.requests.length).toBeLessThanOrEqual(4);
  });

  test("of many graphs have one deadline together", async () => {
    const clock = new FastClock();
    const { front, server } = await rigOf(async ({ body }) => {
      await clock.sleep(4_000);
      const { graph_id } = JSON.parse(body.toString()) as { graph_id: string };
      return { status: 200, body: [{ assistant_id: graph_id, graph_id }] };
    }, clock);
    await expect(server.servedGraphs(many, { deadlineMilliseconds: 15_000 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    expect(front.requests.length).toBeLessThanOrEqual(5);
  });

  test("are asked for as the contract of the API says", async () => {
    const { front, server } = await agentRig();
    await graphsOf(server.searchAssistants({ created_by: "system" }));
    expect(front.requests[0]).toMatchObject({ method: "POST", target: "/assistants/search" });
    expect(front.requests[0]?.headers).toMatchObject({ "content-type": "application/json", "x-api-key": API_KEY });
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual({
      metadata: { created_by: "system" },
      limit: 100,
      offset: 0,
    });
  });
});

describe("a connection", () => {
  test("gives its key to the agent that is asked, and the tenant to the control plane alone", async () => {
    const { front } = await agentRig();
    const plane = await startFaultServer(() => ({ status: 200, body: { id: "d-1" } }));
    await using connection = connect({ url: plane.url, apiKey: API_KEY, tenantId: "tenant-1" });
    await connection.controlPlane.get("d-1");
    await connection.agentServer(front.url).ok();
    expect(plane.requests[0]?.headers).toMatchObject({ "x-api-key": API_KEY, "x-tenant-id": "tenant-1" });
    expect(front.requests[0]?.headers).toMatchObject({ "x-api-key": API_KEY });
    expect(front.requests[0]?.headers).not.toHaveProperty("x-tenant-id");
  });

  test("does not take an agent's address that would show the key on the way", async () => {
    await using connection = connect({ url: "https://plane.example", apiKey: API_KEY });
    expect(() => connection.agentServer("http://agent.example")).toThrow("use https");
  });
});
