import { createServer, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";

// A process of its own, so that what it takes is not counted as the client's: an agent server whose agent answers at
// once. It repeats the question, and pads the state to as many characters as its argument says. It prints its address,
// tells of its requests at /bench/counts, and ends with its standard input.
const padding = "x".repeat(Number(process.argv[2] ?? "0"));
const ASSISTANT = {
  assistant_id: "7c5f6f5e-6a4b-5d0e-9a53-0d3f1e1f4b0a",
  graph_id: "agent",
  name: "agent",
  metadata: {},
};

interface Kept {
  readonly runId: string;
  readonly values: unknown;
  readonly metadata: unknown;
}
const threads = new Map<string, Kept>();
let counts: Record<string, number> = {};

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => (text += chunk));
  request.on("end", () => {
    answer(request.method ?? "", request.url ?? "", text, response);
  });
});

function answer(method: string, url: string, text: string, response: ServerResponse): void {
  const [path = ""] = url.split("?");
  if (path === "/bench/counts") {
    json(response, { ...counts, left: threads.size });
    counts = {};
    return;
  }
  const [, room = "", id = "", , runId = ""] = path.split("/");
  const kept = threads.get(id);
  const kind = path.endsWith("/stream") || path.endsWith("/wait") ? "run" : room;
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (path === "/ok") json(response, { ok: true });
  else if (path === "/info") json(response, { version: "0.16.7", host: { host_revision_id: "r1" } });
  else if (path === "/assistants/search") json(response, [ASSISTANT]);
  else if (path.startsWith("/assistants/")) json(response, ASSISTANT);
  else if (path === "/threads/search") json(response, []);
  else if (path === "/runs/wait") json(response, valuesOf(text));
  else if (room === "threads" && method === "POST" && runId === "stream") stream(response, id, text);
  else if (room === "threads" && method === "DELETE" && threads.delete(id)) response.writeHead(204).end();
  else if (room !== "threads" || !kept) json(response, { detail: "not found" }, 404);
  else if (runId !== "") {
    json(response, { run_id: kept.runId, thread_id: id, status: "success", metadata: kept.metadata });
  } else
    json(response, { thread_id: id, status: "idle", values: kept.values, metadata: kept.metadata, interrupts: {} });
}

function valuesOf(text: string): { readonly messages: readonly unknown[] } {
  const { input } = JSON.parse(text) as { readonly input: { readonly question: string } };
  const usage_metadata = { input_tokens: 12, output_tokens: 7, total_tokens: 19 };
  const said = { type: "ai", id: randomUUID(), content: input.question, artifact: padding, usage_metadata };
  return {
    messages: [
      { type: "human", id: randomUUID(), content: input.question },
      { ...said, response_metadata: { model_name: "model" } },
    ],
  };
}

function stream(response: ServerResponse, id: string, text: string): void {
  const { metadata } = JSON.parse(text) as { readonly metadata?: unknown };
  const values = valuesOf(text);
  const runId = randomUUID();
  threads.set(id, { runId, values, metadata });
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "content-location": `/threads/${id}/runs/${runId}`,
  });
  const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const begun = event("metadata", { run_id: runId, attempt: 1 });
  // Of the modes that are asked for: whole states, or the parts of messages.
  const told = text.includes('"messages-tuple"')
    ? event("messages", [values.messages[1], {}])
    : event("values", values);
  response.end(begun + told);
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on("end", () => process.exit(0)).resume();
