import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import * as z from "zod";
import { connect, deploy, FieldNames, systemClock, type DeployEvent, type SmokeRun } from "../../src/index.ts";
import { all, errorOf } from "../agent-server/rig.ts";
import { startPeer, type PeerServer } from "./agent-client.ts";
import { JS_FILES, PYTHON_FILES } from "./agent-projects.ts";
import { API_KEY, project, serve } from "./rig.ts";
import { FIELD_NAMES, type Tool } from "./tools.ts";

const ID = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";
const UNKNOWN_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ASK = { assistant_id: "agent", input: { question: "who?" } };
const STATE = { question: "who?", answer: "You asked: who?" };
const FILES = { js: JS_FILES, python: PYTHON_FILES };
const CHECKED = "its answer was checked";

/** A public dev server, and how it differs from the others. */
export interface Peer {
  readonly name: "js" | "python";
  readonly tool: Tool;
  readonly command: (tool: { readonly program: string }) => string;
  readonly hasPages: boolean;
  readonly hasMcp: boolean;
  /** What it answers to a run of a graph that it does not know. */
  readonly unknownGraph: number;
  /** What it answers about a graph that cannot be made. */
  readonly brokenGraph: number;
  /** What it answers to a run with a field that is wrong. */
  readonly wrongField: number;
  readonly brokenError: string;
}

/** The whole client of an agent server, against a public dev server with nothing between. */
export function describeClient(peer: Peer): void {
  const { tool } = peer;
  describe(`the client of the agent server, against the real ${peer.name} server`, () => {
    let started: PeerServer | undefined;
    beforeAll(async () => {
      if ("missing" in tool) return;
      started = await startPeer(peer.name, peer.command(tool), FILES[peer.name]);
    }, 240_000);
    afterAll(async () => {
      await started?.[Symbol.asyncDispose]();
    });

    const against = (what: string, run: (server: PeerServer["server"]) => Promise<string>) => {
      test(what, async ({ skip }: TestContext) => {
        if (started === undefined) return skip("missing" in tool ? tool.missing : "it does not run");
        expect(await run(started.server)).toBe(CHECKED);
      });
    };

    against("is well and says what it is", async (server) => {
      await server.ok();
      expect(await server.info()).toMatchObject({ version: expect.any(String) as string });
      return CHECKED;
    });

    against("has the pages of text, or says that it has none", async (server) => {
      if (peer.hasPages) {
        expect(await server.docs()).toMatch(/<html/i);
        expect(await server.metrics()).toContain("# HELP ");
      } else {
        expect(await errorOf(server.docs())).toMatchObject({ status: 404 });
        expect(await errorOf(server.metrics())).toMatchObject({ status: 404 });
      }
      return CHECKED;
    });

    against("lists, counts and names its assistants", async (server) => {
      const found = await all(server.searchAssistants({ created_by: "system" }));
      expect(found.map(({ graph_id }) => graph_id).toSorted()).toEqual(["agent", "broken"]);
      expect(await server.countAssistants()).toBe(2);
      expect(await server.countAssistants({ graph_id: "agent" })).toBe(1);
      expect(await server.getAssistant("agent")).toMatchObject({ assistant_id: ID, graph_id: "agent" });
      expect(await server.getAssistant(ID)).toEqual(await server.getAssistant("agent"));
      expect(await errorOf(server.getAssistant("nobody"))).toMatchObject({ code: "UNKNOWN_ASSISTANT" });
      expect(await errorOf(server.getAssistant(UNKNOWN_ID))).toMatchObject({ status: 404 });
      return CHECKED;
    });

    against("reports schemas and nodes of a graph, and what is wrong with one that cannot be made", async (server) => {
      const patient = { attemptMilliseconds: 60_000 };
      for (const name of ["agent", ID]) {
        expect(await server.assistantSchemas(name, patient)).toMatchObject({
          graph_id: "agent",
          state_schema: { properties: { question: { type: "string" } } },
        });
        const { nodes, edges } = await server.assistantGraph(name);
        expect(nodes.map(({ id }) => id)).toEqual(["__start__", "reply", "__end__"]);
        expect(edges).toHaveLength(2);
      }
      const broken = await errorOf(server.assistantGraph("broken"));
      expect(broken).toMatchObject({ status: peer.brokenGraph });
      return CHECKED;
    });

    against("runs a graph, by its id and by that of its assistant, and waits", async (server) => {
      expect(await server.runAndWait(ASK)).toEqual(STATE);
      expect(await server.runAndWait({ ...ASK, assistant_id: ID })).toEqual(STATE);
      return CHECKED;
    });

    // The server shows every few seconds that it lives.
    against("waits for a run that takes its time", async (server) => {
      const input = { ...ASK.input, seconds: 7 };
      const options = { attemptMilliseconds: 60_000, stallMilliseconds: 30_000 };
      expect(await server.runAndWait({ ...ASK, input }, options)).toMatchObject(STATE);
      return CHECKED;
    });

    against("streams a run, as states and as changes", async (server) => {
      const news = await all(server.streamRun({ ...ASK, stream_mode: ["values", "updates"] }));
      expect(news.map(({ event }) => event)).toEqual(["metadata", "values", "updates", "values"]);
      expect(news[0]?.data).toMatchObject({ run_id: expect.any(String) as string });
      expect(news[2]?.data).toEqual({ reply: { answer: STATE.answer } });
      expect(news[3]?.data).toEqual(STATE);
      return CHECKED;
    });

    against("runs in a thread, joins, and cancels a run that a client has left", async (server) => {
      const { threads } = server;
      const { thread_id } = await threads.create({ metadata: { suite: "client" } });
      const options = { threadId: thread_id };
      expect(await server.runAndWait(ASK, options)).toEqual(STATE);
      expect(await threads.get(thread_id)).toMatchObject({ status: "idle", values: STATE });
      expect(await threads.state(thread_id)).toMatchObject({ values: STATE });
      const [answered] = await all(threads.runs(thread_id));
      expect(answered).toMatchObject({ status: "success", thread_id });
      expect(await threads.join(thread_id, answered?.run_id ?? "")).toEqual(STATE);

      const slow = { ...ASK, input: { ...ASK.input, seconds: 30 }, on_disconnect: "continue" } as const;
      const news = server.streamRun(slow, options);
      await news.next();
      await news.return(undefined);
      const open = (await all(threads.runs(thread_id))).find(({ run_id }) => run_id !== answered?.run_id);
      expect(open).toMatchObject({ status: "running" });
      await threads.cancel(thread_id, open?.run_id ?? "");
      const status = async () => (await threads.run(thread_id, open?.run_id ?? "")).status;
      await expect.poll(status).toBe("interrupted");

      const found = await all(threads.search({ metadata: { suite: "client" } }));
      expect(found.map((thread) => thread.thread_id)).toEqual([thread_id]);
      expect(await threads.delete(thread_id)).toBe(true);
      expect(await errorOf(threads.get(thread_id))).toMatchObject({ status: 404 });
      return CHECKED;
    });

    against("may leave a stream, and runs on", async (server) => {
      const news = server.streamRun({ ...ASK, input: { ...ASK.input, seconds: 1 } });
      expect(await news.next()).toMatchObject({ done: false, value: { event: "metadata" } });
      await news.return(undefined);
      expect(await server.runAndWait(ASK)).toEqual(STATE);
      return CHECKED;
    });

    against("reports a run that failed as an error with the agent's own words", async (server) => {
      const run = { ...ASK, input: { fail: "it broke" } };
      const told = { code: "RUN_FAILED", error: "TypeError", said: "it broke" };
      expect(await errorOf(server.runAndWait(run))).toMatchObject(told);
      expect(await errorOf(all(server.streamRun(run)))).toMatchObject(told);
      const broken = { code: "RUN_FAILED", error: peer.brokenError, said: "the graph cannot be made" };
      expect(await errorOf(server.runAndWait({ ...ASK, assistant_id: "broken" }))).toMatchObject(broken);
      return CHECKED;
    });

    against("refuses a run of what it does not know, or with a wrong field, in one line", async (server) => {
      const unknown = { ...ASK, assistant_id: "nobody" };
      const refused = { code: "HTTP_STATUS", status: peer.unknownGraph };
      expect(await errorOf(server.runAndWait(unknown))).toMatchObject(refused);
      expect(await errorOf(all(server.streamRun(unknown)))).toMatchObject(refused);
      const wrong = { ...ASK, input: { question: "my secret question" }, metadata: 5 } as unknown as typeof ASK;
      const error = await errorOf(server.runAndWait(wrong));
      expect(error).toMatchObject({ code: "HTTP_STATUS", status: peer.wrongField });
      expect(String(error)).not.toContain("my secret question");
      return CHECKED;
    });

    against("takes other operations with a schema", async (server) => {
      const Thread = z.looseObject({ thread_id: z.uuid() });
      const { thread_id } = await server.request({ method: "POST", path: "/threads", body: {}, schema: Thread });
      expect(await server.request({ method: "GET", path: `/threads/${thread_id}`, schema: Thread })).toMatchObject({
        thread_id,
      });
      const news = await all(server.streamRun({ ...ASK, stream_mode: "values" }, { threadId: thread_id }));
      expect(news.at(-1)).toMatchObject({ event: "values", data: STATE });
      expect(await server.runAndWait(ASK, { threadId: thread_id })).toMatchObject(STATE);
      await server.request({
        method: "PUT",
        path: "/store/items",
        body: { namespace: ["peers"], key: "k", value: { v: 1 } },
        schema: z.undefined(),
      });
      const Item = z.looseObject({ value: z.unknown() });
      const query = { key: "k", namespace: "peers" };
      expect(await server.request({ method: "GET", path: "/store/items", query, schema: Item })).toMatchObject({
        value: { v: 1 },
      });
      const mcp = server.request({
        method: "POST",
        path: "/mcp",
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
        schema: z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) }),
      });
      expect(await errorOf(mcp)).toMatchObject(peer.hasMcp ? { expected: "an error" } : { status: 404 });
      if (!peer.hasMcp) return CHECKED;
      // Its response is a stream of events; the graph takes no messages.
      const params = { message: { role: "user", messageId: "m-1", parts: [{ kind: "text", text: "who?" }] } };
      const call = { jsonrpc: "2.0", id: 2, method: "message/stream", params };
      const path = `/a2a/${ID}`;
      const refused = { jsonrpc: "2.0", id: 2, error: { code: -32602 } };
      expect(await server.request({ method: "POST", path, body: call, schema: z.unknown() })).toMatchObject(refused);
      expect(await all(server.stream({ method: "POST", path, body: call }))).toMatchObject([{ data: refused }]);
      return CHECKED;
    });
  });

  // One server: starting it is most of what this costs, and a deploy of the same source asks the one that is live.
  test(`a deploy to the real ${peer.name} server passes by the answer of its smoke run, and fails by it`, async ({
    skip,
  }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(peer.command(tool));
    const directory = await project(peer.name, FILES[peer.name]);
    const { signal } = new AbortController();
    const fieldNames = FieldNames.parse(FIELD_NAMES);
    await using connection = connect({ url: service.url, apiKey: API_KEY, fieldNames, signal });
    const source = {
      source: "internal_source" as const,
      directory,
      workspace: directory,
      graphConfig: "langgraph.json",
      include: [],
      exclude: [],
      maxBytes: 1_000_000,
    };
    const deployed = async (smokeRun: SmokeRun) => {
      const events: DeployEvent[] = [];
      const request = {
        target: { name: "peer-agent" },
        source,
        sourceConfig: {},
        secrets: undefined,
        wait: true,
        timeoutMilliseconds: 120_000,
        pollCapMilliseconds: 1_000,
        onSuperseded: "fail" as const,
        smokeTest: true,
        smokeRun,
        record: join(directory, "..", "record.json"),
      };
      const emit = (event: DeployEvent) => void events.push(event);
      const work = deploy(request, { ...connection, clock: systemClock, spoolDirectory: tmpdir(), signal, emit });
      return { outcome: await work.catch((error: unknown) => error), events };
    };

    const expecting = ["$.answer: You asked: who?", "/ASKED/i"];
    const { outcome, events } = await deployed({ graph: "agent", input: ASK.input, expect: expecting });
    expect(outcome).toMatchObject({ outcome: "deployed" });
    const answered = events.find(({ type }) => type === "agent-answered");
    expect(answered).toMatchObject({ run: { milliseconds: expect.any(Number) as number } });

    const failing: readonly (readonly [SmokeRun, RegExp])[] = [
      [{ graph: "agent", input: { fail: "no key" }, expect: [] }, /failed: TypeError: no key$/],
      [{ graph: "broken", input: {}, expect: [] }, /: the graph cannot be made$/],
      [
        { graph: "agent", input: ASK.input, expect: ["$.answer: Paris"] },
        /has nothing at \$\.answer that contains Paris; there is "You asked: who\?"$/,
      ],
    ];
    for (const [smokeRun, message] of failing) {
      const again = await deployed(smokeRun);
      expect(again.outcome).toMatchObject({ code: "VERIFY", message: expect.stringMatching(message) as string });
      expect(again.events).toContainEqual(expect.objectContaining({ type: "recalled", verdict: "unchanged" }));
    }
  });
}
