import { describe, expect, onTestFinished, test } from "vitest";
import { AgentServer } from "../../../src/agent-server/client.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { all, errorOf } from "../../agent-server/rig.ts";
import { call, create, release, settled, start } from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const ID = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";
const UNKNOWN = "0f8fad5b-d9cb-469f-a165-70867728950e";
const TWO = projectTarball({
  "graph.json": JSON.stringify({ graphs: { agent: "./a.py:a", "odd/id": "./a.py:b" } }),
  "a.py": "",
});

/** The built-in agent server of two graphs, and a client of it. */
async function agent() {
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
    const { url, server } = await agent();
    const { json } = await call(url, "GET", `/assistants/${name}`);
    expect(json).toMatchObject({ assistant_id: ID, graph_id: "agent", metadata: { created_by: "system" } });
    expect(await server.getAssistant(name)).toEqual(json);
    expect(await server.assistantSchemas(name)).toMatchObject({ graph_id: "agent", input_schema: { type: "object" } });
    expect(await server.assistantGraph(name)).toMatchObject({ nodes: [{}, { id: "echo" }, {}] });
  });

  test("is known by a graph whose id is no part of a path", async () => {
    const { url, server } = await agent();
    expect(await server.getAssistant("odd/id")).toMatchObject({ graph_id: "odd/id" });
    expect((await call(url, "GET", "/assistants/odd%2Fid/graph")).status).toBe(200);
  });

  test.each([
    ["GET", "/assistants/other", 404],
    ["GET", `/assistants/${UNKNOWN}`, 404],
    ["GET", `/assistants/${UNKNOWN}/schemas`, 404],
    ["GET", "/assistants/%ff/graph", 404],
    ["POST", "/assistants/agent", 405],
  ])("that is not there is told by a detail: %s %s", async (method, path, status) => {
    const { url } = await agent();
    expect(await call(url, method, path)).toMatchObject({ status, json: { detail: expect.any(String) as string } });
  });

  test.each([
    [{}, 2],
    [{ graph_id: "agent" }, 1],
    [{ metadata: { created_by: "somebody" } }, 0],
  ])("is counted with %j", async (json, count) => {
    const { url } = await agent();
    expect((await call(url, "POST", "/assistants/count", { json })).json).toBe(count);
  });
});

describe("the built-in agent", () => {
  test("gives its input back, and says that it is an echo", async () => {
    const { server } = await agent();
    expect(await server.runAndWait({ assistant_id: "agent", input: { question: "who?" } })).toEqual({
      question: "who?",
      echo: expect.stringContaining("built-in agent") as string,
    });
  });

  test("answers a chat with one more message", async () => {
    const { server } = await agent();
    const messages = [{ role: "user", content: "who?" }];
    expect(await server.runAndWait({ assistant_id: ID, input: { messages } })).toEqual({
      messages: [...messages, { type: "ai", content: expect.stringMatching(/built-in agent.*: who\?$/) as string }],
    });
  });

  test("streams what it does", async () => {
    const { server } = await agent();
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
    const { url, server } = await agent();
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
    const { url } = await agent();
    for (const path of ["/runs/wait", "/runs/stream"]) {
      expect(await call(url, "POST", path, ask)).toMatchObject({
        status,
        json: { detail: expect.any(String) as string },
      });
    }
  });

  test("is counted", async () => {
    const { url, server } = await agent();
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
