import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { AgentServer } from "../../../src/agent-server/client.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import { startLocalService } from "../../../src/local/index.ts";
import { all } from "../../agent-server/rig.ts";
import { call, create, patch, release, settled, start, upload, withFolder } from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const GRAPHS = { support: "./agent.py:a", triage: "./agent.py:b" };
const THREAD = { threadId: "0198c5a4-0000-7000-8000-000000000001" };
const Log = z.object({ logs: z.array(z.object({ level: z.string(), message: z.string() })) });

/** A project whose recorded answers are these lines. */
function project(lines: readonly unknown[], folder = ""): Buffer {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return projectTarball({
    [`${folder}graph.json`]: JSON.stringify({ graphs: GRAPHS, dependencies: ["."] }),
    [`${folder}agent.py`]: "a = b = 1\n",
    [`${folder}requirements.txt`]: "",
    [`${folder}recorded-answers.jsonl`]: texts.join("\n"),
  });
}

function serverAt(url: string): AgentServer {
  const http = new HttpClient();
  onTestFinished(() => http.close());
  return new AgentServer({ endpoint: new Endpoint(url), http });
}

async function agent(lines: readonly unknown[]) {
  const service = await start();
  const { id } = await create(service);
  /** Makes one more revision; answers its warnings. */
  const next = async (tarball: Buffer) => {
    const revisionId = await release(service, id, tarball);
    expect(await settled(service, id, revisionId)).toMatchObject({ status: "DEPLOYED" });
    const path = `/v1/projects/${id}/revisions/${revisionId}/build_logs`;
    const { logs } = Log.parse((await call(service.url, "POST", path, { json: {} })).json);
    return logs.filter(({ level }) => level === "WARNING").map(({ message }) => message);
  };
  const warnings = await next(project(lines));
  const server = serverAt(service.deployments()[0]?.url ?? "");
  const ask = (input: unknown, graph = "support") => server.runAndWait({ assistant_id: graph, input });
  return { server, ask, next, warnings };
}

const LINE = { input: { question: "why?" }, state: { answer: "because" } };
const ECHO = expect.objectContaining({ echo: expect.any(String) as string }) as object;

describe("the built-in agent answers from what is recorded in the project", () => {
  test("for its input, however that is written, and repeats every other", async () => {
    const { ask, warnings } = await agent([
      { input: { question: "why?", of: { b: 1, a: [2] } }, state: { answer: "because" } },
      "",
      { input: { question: "when?" }, state: { answer: "now" } },
    ]);
    expect(warnings).toEqual([]);
    expect(await ask({ of: { a: [2], b: 1 }, question: "why?" })).toEqual({ answer: "because" });
    expect(await ask({ question: "when?" })).toEqual({ answer: "now" });
    expect(await ask({ question: "who?" })).toEqual(ECHO);
  });

  test("of the graph that is asked, else of any graph", async () => {
    const { ask } = await agent([
      { input: { question: "why?" }, state: { answer: "any" } },
      { graph: "triage", input: { question: "why?" }, state: { answer: "triage" } },
    ]);
    expect(await ask({ question: "why?" })).toMatchObject({ answer: "any" });
    expect(await ask({ question: "why?" }, "triage")).toMatchObject({ answer: "triage" });
  });

  test("for a chat by what its messages say, with all that is recorded of the answer", async () => {
    const usage_metadata = { input_tokens: 7, output_tokens: 2, total_tokens: 9 };
    const said = { type: "human", content: "Hello" };
    const reply = { type: "ai", content: "Good day.", usage_metadata };
    const { server, ask } = await agent([
      { input: { messages: [said] }, state: { messages: [said, reply] } },
      { input: { messages: [{ role: "user", content: "Bye" }] }, state: { messages: ["Bye", "Farewell."] } },
    ]);
    const forms = [{ role: "user", content: "Hello" }, { content: [{ type: "text", text: "Hello" }] }, "Hello"];
    for (const form of [...forms, ["user", "Hello"]]) {
      expect(await ask({ messages: [form] })).toEqual({ messages: [said, reply] });
    }
    const turn = { assistant_id: "support", if_not_exists: "create" } as const;
    await server.runAndWait({ ...turn, input: { messages: ["Hello"] } }, THREAD);
    const last = await server.runAndWait({ ...turn, input: { messages: ["Bye"] } }, THREAD);
    expect(last).toEqual({ messages: [said, reply, "Bye", "Farewell."] });
  });

  test("in a stream, whose first state is the input", async () => {
    const { server } = await agent([{ input: { question: "why?" }, state: { answer: "because" } }]);
    const run = { assistant_id: "support", input: { question: "why?" } };
    const events = await all(server.streamRun(run));
    expect(events.filter(({ event }) => event === "values").map(({ data }) => data)).toEqual([
      { question: "why?" },
      { answer: "because" },
    ]);
  });

  test("by the revision that serves", async () => {
    const { ask, next } = await agent([{ input: { question: "why?" }, state: { answer: "because" } }]);
    expect(await ask({ question: "why?" })).toMatchObject({ answer: "because" });
    await next(project([{ input: { question: "why?" }, state: { answer: "no idea" } }]));
    expect(await ask({ question: "why?" })).toMatchObject({ answer: "no idea" });
  });

  withFolder("beside a configuration file in a folder, and again after a restart", async (dataDirectory) => {
    const begin = () => startLocalService({ walkMilliseconds: 0, dataDirectory });
    {
      await using service = await begin();
      const { id } = await create(service);
      const source_tarball_path = await upload(service, id, project([LINE], "desk/"));
      const config = { source_tarball_path, graph_config_path: "desk/graph.json" };
      await patch(service, id, { source_revision_config: config });
      await settled(service, id, service.deployments()[0]?.latest_revision_id ?? "");
    }
    await using service = await begin();
    const server = serverAt(service.deployments()[0]?.url ?? "");
    expect(await server.runAndWait({ assistant_id: "support", input: LINE.input })).toEqual(LINE.state);
  });
});

test("lines of recorded answers that cannot be read are told in the log, and the others count", async () => {
  const { ask, warnings } = await agent(["{", LINE, { input: "why?", state: {} }, { ...LINE, answer: 1 }, LINE]);
  const name = "recorded-answers.jsonl";
  const wanted = "an object with the objects `input` and `state`, and perhaps the text `graph`";
  expect(warnings).toEqual([
    ...[1, 3, 4].map((line) => `${name}: Line ${String(line)} is not ${wanted}.`),
    `${name}: Line 5 has the input of line 2, which counts.`,
  ]);
  expect(await ask(LINE.input)).toEqual(LINE.state);
});

test("recorded answers that are too many are left out, which the log tells", async () => {
  const { ask, warnings } = await agent([LINE, { input: {}, state: { text: "x".repeat(1024 * 1024) } }]);
  expect(warnings).toEqual(["recorded-answers.jsonl: It is not a file of at most 1 MiB."]);
  expect(await ask(LINE.input)).toEqual(ECHO);
});
