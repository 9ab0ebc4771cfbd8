import { setTimeout as sleep } from "node:timers/promises";
import { uuidV5 } from "../../src/contract/uuid.ts";
import type { JsonObject, JsonValue } from "../../src/files/json/value.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import type { WireAnswer } from "../wire/faults.ts";

const NAMESPACE = Buffer.alloc(16, 7);
const ASSISTANT = { assistant_id: uuidV5(NAMESPACE, "agent"), graph_id: "agent", name: "agent", metadata: {} };

/** A run as the server began it. */
export interface ServedRun {
  readonly id: string;
  readonly threadId: string;
  readonly input: JsonValue;
  readonly metadata: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  status: "error" | "interrupted" | "pending" | "running" | "success";
  readonly done: Promise<unknown>;
}

/** What an agent makes of its input; what it throws is an error of the agent. */
export type Agent = (input: JsonValue, run: ServedRun) => Promise<JsonValue> | JsonValue;

const answering: Agent = (input) => ({
  ...(input as JsonObject),
  messages: [
    {
      type: "ai",
      content: `Answer to ${JSON.stringify(input)}`,
      usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      response_metadata: { model_name: "model" },
    },
  ],
});

/** An agent server with threads that remembers every run it was asked for; it ends with the test. */
export async function countingServer({
  agent = answering,
  revision = "r-1",
}: { agent?: Agent; revision?: string } = {}) {
  const runs: ServedRun[] = [];
  const threads = new Map<string, { metadata: JsonObject; values: JsonValue; error: string }>();
  const facts = { version: "0.16.7", revision, agent, onRequest: () => undefined as unknown };

  const ends = (run: ServedRun) => run.status !== "running" && run.status !== "pending";
  const shown = ({ id, threadId, metadata, status }: ServedRun) => ({
    ...{ run_id: id, thread_id: threadId, metadata, status, assistant_id: ASSISTANT.assistant_id },
  });
  const threadOf = (id: string) => {
    const thread = threads.get(id);
    const open = runs.some((run) => run.threadId === id && !ends(run));
    const { metadata = {}, values = null } = thread ?? {};
    return { thread_id: id, status: open ? "busy" : "idle", metadata, values, interrupts: {} };
  };

  async function begun(threadId: string, body: JsonObject, headers: Readonly<Record<string, string>>) {
    const metadata = body["metadata"] as JsonObject;
    const input = body["input"] ?? null;
    if (runs.some((run) => run.threadId === threadId && !ends(run))) return { status: 409, body: { detail: "busy" } };
    const thread = threads.get(threadId) ?? { metadata, values: null, error: "" };
    threads.set(threadId, thread);
    const end = Promise.withResolvers<undefined>();
    const id = uuidV5(NAMESPACE, `${threadId} ${String(runs.filter((each) => each.threadId === threadId).length)}`);
    const run: ServedRun = { id, threadId, input, metadata, headers, status: "running", done: end.promise };
    runs.push(run);
    void (async () => {
      try {
        thread.values = await facts.agent(input, run);
        if (!ends(run)) run.status = "success";
      } catch (error) {
        thread.error = String(error);
        if (!ends(run)) run.status = "error";
      }
      end.resolve(undefined);
    })();
    await run.done;
    const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const last =
      run.status === "error"
        ? event("error", { error: "Error", message: thread.error })
        : event("values", thread.values);
    return {
      status: 200,
      headers: { "content-type": "text/event-stream", "content-location": `/threads/${threadId}/runs/${id}` },
      body: event("metadata", { run_id: id, attempt: 1 }) + last,
    };
  }

  const handler = async (method: string, path: string, body: JsonObject, headers: Readonly<Record<string, string>>) => {
    const json = (answer: object | string, status = 200): WireAnswer => ({ status, body: answer });
    const [, room = "", id = "", , runId = "", action = ""] = path.split("/");
    if (path === "/ok") return json({ ok: true });
    if (path === "/info") return json({ version: facts.version, host: { host_revision_id: facts.revision } });
    if (path === "/assistants/search") return json([ASSISTANT]);
    if (room === "assistants") return json(ASSISTANT);
    if (path === "/threads/search") {
      const { evaluation } = body["metadata"] as JsonObject;
      const found = [...threads].filter(([, { metadata }]) => metadata["evaluation"] === evaluation);
      return json(body["offset"] === 0 ? found.map(([each]) => threadOf(each)) : []);
    }
    if (room !== "threads") return json({ detail: "not found" }, 404);
    if (method === "POST" && runId === "stream") return await begun(id, body, headers);
    if (!threads.has(id)) return json({ detail: "not found" }, 404);
    if (method === "DELETE") {
      threads.delete(id);
      return json({});
    }
    const run = runs.findLast((each) => each.threadId === id && each.id === runId);
    if (path.endsWith("/runs")) return json(runs.filter(({ threadId }) => threadId === id).map(shown));
    if (path.endsWith("/state")) return json({ values: threadOf(id).values, next: [], tasks: [] });
    if (runId === "") return json(threadOf(id));
    if (!run) return json({ detail: "not found" }, 404);
    if (action === "cancel") {
      if (ends(run)) return json({ detail: "ended" }, 409);
      run.status = "interrupted";
      return json({});
    }
    if (action === "join") await Promise.race([run.done, sleep(2_000)]);
    return json(action === "join" ? (threadOf(id).values as object) : shown(run));
  };
  const front = await startFaultServer(async ({ method, path, body, headers }) => {
    facts.onRequest();
    const given = body.length === 0 ? {} : (JSON.parse(body.toString()) as JsonObject);
    return await handler(method, path, given, headers);
  });
  return { url: front.url, front, runs, threads, facts };
}
