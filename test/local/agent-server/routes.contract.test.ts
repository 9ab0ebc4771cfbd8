import { describe, expect, test, onTestFinished } from "vitest";
import { AgentServer } from "../../../src/agent-server/client.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import { all, errorOf } from "../../agent-server/rig.ts";
import { call, create, deployed, release, settled, start, IMAGE_CREATE, GITHUB_CREATE } from "../caller.ts";
import { textOf } from "../page-cards.ts";
import { projectTarball } from "../tarball.ts";

const THREE = projectTarball({
  "graph.json": JSON.stringify({
    graphs: { agent: "./a.py:a", router: "./a.py:b", "odd <name>": "./a.py:c" },
    dependencies: ["."],
  }),
  "a.py": "",
});

async function agent() {
  const service = await start();
  const { id } = await create(service);
  const revisionId = await release(service, id, THREE);
  await settled(service, id, revisionId);
  const deployment = service.deployments()[0];
  return { service, id, revisionId, url: deployment?.url ?? "" };
}

describe("the agent server", () => {
  test("has an address of its own, which the deployment says once a revision is DEPLOYED", async () => {
    const service = await start();
    const { id } = await create(service);
    const before = await call(service.url, "GET", `/v2/deployments/${id}`);
    expect(before.json).toMatchObject({ url: null, source_config: { custom_url: null } });
    await settled(service, id, await release(service, id));
    const { json } = await call(service.url, "GET", `/v2/deployments/${id}`);
    const { url, source_config } = json as { url: string; source_config: { custom_url: string } };
    expect(url).toBe(source_config.custom_url);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(url).not.toBe(service.url);
  });

  test("answers /ok, /info and /docs", async () => {
    const { id, revisionId, url } = await agent();
    expect((await call(url, "GET", "/ok")).json).toEqual({ ok: true });
    expect((await call(url, "GET", "/info")).json).toMatchObject({
      version: expect.any(String),
      flags: { assistants: true },
      host: { kind: "local", project_id: id, host_revision_id: revisionId },
    });
    const docs = await call(url, "GET", "/docs");
    expect(docs.headers["content-type"]).toMatch(/^text\/html/);
    expect(textOf(docs.text)).toContain("POST /assistants/search");
    expect(docs.text).not.toContain("<name>");
  });

  test("knows one assistant per graph, under the id that every agent server gives it", async () => {
    const { url } = await agent();
    const { json, headers } = await call(url, "POST", "/assistants/search", { json: {} });
    expect(json).toMatchObject([
      {
        assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca",
        graph_id: "agent",
        name: "agent",
        metadata: { created_by: "system" },
      },
      { graph_id: "router" },
      { graph_id: "odd <name>" },
    ]);
    expect(headers).toMatchObject({ "x-pagination-total": "3" });
    expect(headers).not.toHaveProperty("x-pagination-next");
  });

  test.each([
    [{ metadata: { created_by: "system" } }, 3],
    [{ metadata: { created_by: "somebody" } }, 0],
    [{ metadata: { created_by: "system", owner: null } }, 0],
    [{ metadata: null }, 3],
    [{ graph_id: "router" }, 1],
    [{ limit: 2 }, 2],
    [{ limit: 2, offset: 2 }, 1],
    [{ offset: 9 }, 0],
    [{ surplus: true }, 3],
  ])("searches with %j", async (json, count) => {
    const { url } = await agent();
    expect((await call(url, "POST", "/assistants/search", { json })).json).toHaveLength(count);
  });

  test("says where the next page starts", async () => {
    const { url } = await agent();
    const { headers } = await call(url, "POST", "/assistants/search", { json: { limit: 2 } });
    expect(headers).toMatchObject({ "x-pagination-total": "3", "x-pagination-next": "2" });
  });

  test.each([
    ["an unknown graph", "POST", "/assistants/search", { json: { graph_id: "x" } }, 404],
    ["a limit of 0", "POST", "/assistants/search", { json: { limit: 0 } }, 422],
    ["metadata that is no object", "POST", "/assistants/search", { json: { metadata: "x" } }, 422],
    ["no body", "POST", "/assistants/search", {}, 422],
    ["an unknown path", "GET", "/stored", {}, 404],
    ["another method", "GET", "/runs/wait", {}, 405],
  ])("answers %s with a detail", async (_what, method, path, ask, status) => {
    const { url } = await agent();
    expect(await call(url, method, path, ask)).toMatchObject({ status, json: { detail: expect.anything() } });
  });

  test.each([
    ["an image", IMAGE_CREATE],
    ["a repository", GITHUB_CREATE],
  ])("of %s knows no graphs, since the service has not seen the source", async (_what, body) => {
    const service = await start();
    const { id, latest_revision_id } = await create(service, body);
    expect((await settled(service, id, latest_revision_id)).status).toBe("DEPLOYED");
    const url = service.deployments()[0]?.url ?? "";
    expect((await call(url, "GET", "/ok")).status).toBe(200);
    expect((await call(url, "POST", "/assistants/search", { json: {} })).json).toEqual([]);
  });

  test("of an image is where its owner says that it is", async () => {
    const service = await start();
    const custom_url = "https://agents.example/support";
    const { id, latest_revision_id } = await create(service, { ...IMAGE_CREATE, source_config: { custom_url } });
    await settled(service, id, latest_revision_id);
    expect(service.deployments()[0]).toMatchObject({ url: custom_url, source_config: { custom_url } });
  });

  test("of the next revision takes over at the same address", async () => {
    const { service, id, url } = await agent();
    const next = await release(service, id, projectTarball());
    await settled(service, id, next);
    expect(service.deployments()[0]?.url).toBe(url);
    const { json } = await call(url, "POST", "/assistants/search", { json: {} });
    expect(json).toMatchObject([{ graph_id: "agent" }]);
  });
});

test("each deployment has an agent server, and they do not mix", async () => {
  const service = await start();
  const one = await deployed(service);
  const two = await deployed(service, {
    ...GITHUB_CREATE,
    source: "internal_source",
    name: "two",
    source_revision_config: { graph_config_path: "graph.json" },
  });
  expect(one.url).not.toBe(two.url);
  expect((await call(one.url, "GET", "/info")).json).toMatchObject({ host: { project_id: one.id } });
  expect((await call(two.url, "GET", "/info")).json).toMatchObject({ host: { project_id: two.id } });
});

const ID = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";
const UNKNOWN = "0f8fad5b-d9cb-469f-a165-70867728950e";
const TWO = projectTarball({
  "graph.json": JSON.stringify({ graphs: { agent: "./a.py:a", "odd/id": "./a.py:b" }, dependencies: ["."] }),
  "a.py": "",
});

/** The built-in agent server of two graphs, and a client of it. */
async function clientOf() {
  const service = await start();
  const { id } = await create(service);
  await settled(service, id, await release(service, id, TWO));
  const url = service.deployments()[0]?.url ?? "";
  const http = new HttpClient();
  onTestFinished(() => http.close());
  return { url, server: new AgentServer({ endpoint: new Endpoint(url), http }) };
}

describe("an assistant of the built-in agent server", () => {
  test.each(["agent", ID])("is known as %s", async (name) => {
    const { url, server } = await clientOf();
    const { json } = await call(url, "GET", `/assistants/${name}`);
    expect(json).toMatchObject({ assistant_id: ID, graph_id: "agent", metadata: { created_by: "system" } });
    expect(await server.getAssistant(name)).toEqual(json);
    expect(await server.assistantSchemas(name)).toMatchObject({ graph_id: "agent", input_schema: { type: "object" } });
    expect(await server.assistantGraph(name)).toMatchObject({ nodes: [{}, { id: "echo" }, {}] });
  });

  test("is known by a graph whose id is no part of a path", async () => {
    const { url, server } = await clientOf();
    expect(await server.getAssistant("odd/id")).toMatchObject({ graph_id: "odd/id" });
    expect((await call(url, "GET", "/assistants/odd%2Fid/graph")).status).toBe(200);
  });

  test.each([
    ["GET", "/assistants/other", 404],
    ["GET", `/assistants/${UNKNOWN}`, 404],
    ["GET", `/assistants/${UNKNOWN}/schemas`, 404],
    ["GET", "/assistants/%ff/graph", 404],
    ["POST", "/assistants/agent", 405],
  ])("that is not there is reported by a detail: %s %s", async (method, path, status) => {
    const { url } = await clientOf();
    expect(await call(url, method, path)).toMatchObject({ status, json: { detail: expect.any(String) as string } });
  });

  test.each([
    [{}, 2],
    [{ graph_id: "agent" }, 1],
    [{ metadata: { created_by: "somebody" } }, 0],
  ])("is counted with %j", async (json, count) => {
    const { url } = await clientOf();
    expect((await call(url, "POST", "/assistants/count", { json })).json).toBe(count);
  });
});

describe("the built-in agent", () => {
  test("gives its input back, and says that it is an echo", async () => {
    const { server } = await clientOf();
    expect(await server.runAndWait({ assistant_id: "agent", input: { question: "who?" } })).toEqual({
      question: "who?",
      echo: expect.stringContaining("built-in agent") as string,
    });
  });

  test("answers a chat with one more message", async () => {
    const { server } = await clientOf();
    const messages = [{ role: "user", content: "who?" }];
    expect(await server.runAndWait({ assistant_id: ID, input: { messages } })).toEqual({
      messages: [...messages, { type: "ai", content: expect.stringMatching(/built-in agent.*: who\?$/) as string }],
    });
  });

  test("streams what it does", async () => {
    const { server } = await clientOf();
    const input = { question: "who?" };
    const news = await all(server.streamRun({ assistant_id: "agent", input, stream_mode: ["values", "updates"] }));
    expect(news.map(({ event }) => event)).toEqual(["metadata", "values", "updates", "values"]);
    expect(news[1]?.data).toEqual(input);
    expect(news[3]?.data).toMatchObject(input);
  });

  test.each([
    [{ fail: "no model key" }, "EchoError: no model key"],
    [["no object"], "InvalidInputError: "],
    [undefined, ""],
  ])("fails with the input %j, which its server answers with 200", async (input, message) => {
    const { url, server } = await clientOf();
    const body = { assistant_id: "agent", input };
    const reply = await call(url, "POST", "/runs/wait", { json: body });
    expect(reply).toMatchObject({ status: 200, json: { __error__: { error: expect.any(String) as string } } });
    const told = { code: "RUN_FAILED", message: expect.stringContaining(message) as string };
    expect(await errorOf(server.runAndWait(body))).toMatchObject(told);
    expect(await errorOf(all(server.streamRun(body)))).toMatchObject(told);
  });

  test.each([
    ["no body", {}, 422],
    ["no JSON", { body: "{", headers: { "content-type": "application/json" } }, 422],
    ["another type", { body: "{}", headers: { "content-type": "text/plain" } }, 422],
    ["no assistant", { json: { input: {} } }, 422],
    ["an unknown graph", { json: { assistant_id: "other", input: {} } }, 422],
    ["an unknown assistant", { json: { assistant_id: UNKNOWN, input: {} } }, 404],
    ["an unknown mode", { json: { assistant_id: "agent", input: {}, stream_mode: "telepathy" } }, 422],
  ])("is not run with %s, and the detail is text", async (_what, ask, status) => {
    const { url } = await clientOf();
    for (const path of ["/runs/wait", "/runs/stream"]) {
      expect(await call(url, "POST", path, ask)).toMatchObject({
        status,
        json: { detail: expect.any(String) as string },
      });
    }
  });

  test("is counted", async () => {
    const { url, server } = await clientOf();
    await server.runAndWait({ assistant_id: "agent", input: {} });
    await errorOf(server.runAndWait({ assistant_id: "agent", input: { fail: "x" } }));
    await all(server.streamRun({ assistant_id: "agent", input: {} }));
    expect(await server.metrics()).toContain(
      'agent_runs_total{ending="succeeded"} 2\nagent_runs_total{ending="failed"} 1\n',
    );
    const { headers, json } = await call(url, "GET", "/metrics?format=json");
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(json).toEqual({ runs: { succeeded: 2, failed: 1 } });
    expect((await call(url, "GET", "/metrics")).headers["content-type"]).toMatch(/^text\/plain/);
    expect((await call(url, "GET", "/metrics?format=xml")).status).toBe(422);
    expect(await server.docs()).toContain("<h1>");
  });
});
