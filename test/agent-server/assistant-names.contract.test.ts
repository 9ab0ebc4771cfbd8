import { describe, expect, test } from "vitest";
import * as z from "zod";
import { UnknownAssistantError } from "../../src/agent-server/errors.ts";
import type { Handler } from "../wire/fault-server.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { redirect } from "../wire/faults.ts";
import { API_KEY } from "../control-plane/rig.ts";
import { agentRig, all, errorOf } from "./rig.ts";

const [MINE, THEIRS, SYSTEM] = [1, 2, 3].map((digit) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`);
const assistants = [
  { assistant_id: THEIRS, graph_id: "triage", metadata: { created_by: "system" } },
  { assistant_id: MINE, graph_id: "support", metadata: { owner: "me" } },
  { assistant_id: SYSTEM, graph_id: "support", metadata: { created_by: "system" } },
];
const GRAPH = { nodes: [{ id: "__start__" }, { id: 2 }], edges: [{ source: "__start__", target: 2, more: true }] };
const SCHEMAS = { graph_id: "support", input_schema: { type: "object" }, output_schema: null };

/** A server that takes the id of a graph in a search alone, and may ignore it there. */
const strict =
  (filter: boolean): Handler =>
  ({ path, body }) => {
    if (path === "/assistants/search") {
      const { graph_id, offset } = JSON.parse(body.toString()) as { graph_id?: string; offset: number };
      const isFiltered = filter && graph_id !== undefined;
      const found = assistants.filter((assistant) => !isFiltered || graph_id === assistant.graph_id);
      return { status: 200, body: found.slice(offset, offset + 2) };
    }
    const [, , id = "", what] = path.split("/");
    const assistant = assistants.find(({ assistant_id }) => assistant_id === id);
    if (assistant === undefined) return { status: 422, body: { detail: "Invalid assistant ID: must be a UUID" } };
    if (what === "graph") return { status: 200, body: GRAPH };
    return { status: 200, body: what === "schemas" ? SCHEMAS : assistant };
  };

describe.each([true, false])("on a server that filters a search: %s, an assistant", (filter) => {
  test("is found by its graph: the one that the server made", async () => {
    const { front, server } = await agentRig(strict(filter));
    expect(await server.getAssistant("support")).toEqual(assistants[2]);
    expect(await server.assistantSchemas("support")).toEqual(SCHEMAS);
    expect(await server.assistantGraph("support")).toEqual(GRAPH);
    expect(front.requests.map(({ path }) => path)).toContain(`/assistants/${SYSTEM ?? ""}/schemas`);
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual({
      graph_id: "support",
      metadata: { created_by: "system" },
      limit: 100,
      offset: 0,
    });
  });

  test("is found by its id without a search", async () => {
    const { front, server } = await agentRig(strict(filter));
    expect(await server.getAssistant(MINE ?? "")).toEqual(assistants[1]);
    expect(front.requests).toHaveLength(1);
  });

  test("of an unknown graph is an error that names it, and those that there are", async () => {
    const { server } = await agentRig(strict(filter));
    const error = await errorOf(server.assistantGraph("../../etc"));
    expect(error).toBeInstanceOf(UnknownAssistantError);
    expect(error).toMatchObject({
      message: 'The agent server has no graph "../../etc"; it has "triage", "support".',
    });
  });
});

test("a server that refuses to search for an unknown graph says so in the same error", async () => {
  const { server } = await agentRig(() => ({ status: 404, body: { detail: "Graph 'x' not found." } }));
  expect(await errorOf(server.getAssistant("x"))).toMatchObject({ code: "UNKNOWN_ASSISTANT", cause: { status: 404 } });
});

test("a server that refuses that search still lists its graphs", async () => {
  const { server } = await agentRig(({ body }) => {
    const isOfGraph = body.toString().includes("graph_id");
    return isOfGraph
      ? { status: 404, body: { detail: "Graph 'x' not found." } }
      : { status: 200, body: [assistants[0]] };
  });
  expect(await errorOf(server.getAssistant("x"))).toMatchObject({
    message: 'The agent server has no graph "x"; it has "triage".',
    cause: { status: 404 },
  });
});

test("without one that the server made, the first stands for the graph", async () => {
  const { server } = await agentRig(() => ({ status: 200, body: [assistants[1]] }));
  expect(await server.getAssistant("support")).toEqual(assistants[1]);
});

test("assistants are counted, of a graph and by metadata", async () => {
  const { front, server } = await agentRig(() => ({ status: 200, body: "7" }));
  expect(await server.countAssistants({ graph_id: "support", metadata: { owner: "me" } })).toBe(7);
  expect(front.requests[0]).toMatchObject({ method: "POST", target: "/assistants/count" });
  expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual({
    graph_id: "support",
    metadata: { owner: "me" },
  });
});

describe("pages of text", () => {
  test("are handed over as they are", async () => {
    const { server } = await agentRig(({ path }) => ({ status: 200, body: `text of ${path}\n` }));
    expect(await server.docs()).toBe("text of /docs\n");
    expect(await server.metrics()).toBe("text of /metrics\n");
  });

  // As the public JS server does.
  test("that a server does not have are an error with its status", async () => {
    const answer = { status: 404, headers: { "content-type": "text/plain;charset=UTF-8" }, body: "404 Not Found" };
    const { server } = await agentRig(() => answer);
    const missing = { code: "HTTP_STATUS", status: 404, details: ["404 Not Found"] };
    expect(await errorOf(server.docs())).toMatchObject(missing);
    expect(await errorOf(server.metrics())).toMatchObject(missing);
  });
});

test("any other operation is asked for with a schema, and says what it accepts", async () => {
  const { front, server } = await agentRig(() => ({ status: 200, body: { jsonrpc: "2.0", id: 1, result: {} } }));
  const accept = "application/json, text/event-stream";
  const answer = await server.request({
    method: "POST",
    path: "/mcp",
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
    headers: { accept, "x-api-key": "of somebody else" },
    schema: z.object({ id: z.int() }),
  });
  expect(answer).toEqual({ id: 1 });
  expect(front.requests[0]?.headers).toMatchObject({ accept, "x-api-key": API_KEY });
});

describe("the key", () => {
  const operations = {
    ok: (server) => server.ok(),
    info: (server) => server.info(),
    docs: (server) => server.docs(),
    metrics: (server) => server.metrics(),
    searchAssistants: (server) => all(server.searchAssistants()),
    countAssistants: (server) => server.countAssistants(),
    getAssistant: (server) => server.getAssistant(MINE ?? ""),
    assistantSchemas: (server) => server.assistantSchemas(MINE ?? ""),
    assistantGraph: (server) => server.assistantGraph(MINE ?? ""),
    runAndWait: (server) => server.runAndWait({ assistant_id: "support", input: {} }),
    streamRun: (server) => all(server.streamRun({ assistant_id: "support", input: {} })),
    request: (server) => server.request({ method: "GET", path: "/store/items", schema: z.unknown() }),
  } satisfies Record<string, (server: Awaited<ReturnType<typeof agentRig>>["server"]) => Promise<unknown>>;

  test.each(Object.entries(operations))("goes with %s to the server, and to nobody else", async (_name, run) => {
    const other = await startFaultServer(() => ({ status: 200 }));
    const { front, server } = await agentRig(() => ({ status: 500 }));
    front.script({}, redirect(307, `${other.url}/elsewhere`));
    expect(await errorOf(run(server))).toMatchObject({ code: "REDIRECT" });
    expect(front.requests.map(({ headers }) => headers["x-api-key"])).toEqual([API_KEY]);
    expect(other.connections).toBe(0);
  });
});

describe("an odd answer", () => {
  test("for another assistant than the one that was asked for is asked for again", async () => {
    const ids = [THEIRS, MINE?.toUpperCase()];
    const { front, server } = await agentRig(() => ({
      status: 200,
      body: { ...assistants[1], assistant_id: ids.shift() },
    }));
    expect(await server.getAssistant(MINE ?? "")).toMatchObject({ assistant_id: MINE?.toUpperCase() });
    expect(front.requests).toHaveLength(2);
  });

  test("for assistants of others does not hide the one that is looked for", async () => {
    const others = [null, { assistant_id: 5 }, { assistant_id: THEIRS, graph_id: {} }];
    const { server } = await agentRig(({ body }) => {
      const { offset } = JSON.parse(body.toString()) as { offset: number };
      return { status: 200, body: Buffer.from(JSON.stringify([...others, assistants[2]].slice(offset))) };
    });
    expect(await server.getAssistant("support")).toEqual(assistants[2]);
  });

  test("in fields that nothing needs makes no difference", async () => {
    const odd = { ...assistants[1], name: 5, metadata: "none" };
    const { server } = await agentRig(({ path }) => ({
      status: 200,
      body: path === "/info" ? { version: 3, host: { host_revision_id: "r-1" } } : odd,
    }));
    expect(await server.getAssistant(MINE ?? "")).toMatchObject({ graph_id: "support" });
    expect((await server.info()).host?.host_revision_id).toBe("r-1");
  });
});
