import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** One call that the server got: `POST /threads`. */
export interface AgentCall {
  readonly endpoint: string;
  readonly body: unknown;
}

interface Running {
  readonly url: string;
  readonly calls: readonly AgentCall[];
}

interface Answer {
  readonly json?: unknown;
  readonly events?: readonly (readonly [event: string, data: unknown])[];
}

const ASSISTANT = { assistant_id: "0f8fad5b-d9cb-469f-a165-70867728950e", graph_id: "support", name: "support" };
const THREAD = "0198c5a4-0000-7000-8000-000000000001";

/**
 * A small agent server with an endpoint of each group of the contract, in the forms of the public ones: it keeps the
 * state of one thread and the items of a store. It requires the key, and for MCP that both forms are accepted.
 */
export async function startAgentServer(key: string): Promise<Running> {
  const calls: AgentCall[] = [];
  const items = new Map<string, unknown>();
  let values: unknown = null;

  const answer = (request: IncomingMessage, url: URL, body: Readonly<Record<string, unknown>>): Answer | undefined => {
    const { id, input } = body;
    const said = { ...(input as object), answer: "On its way." };
    const rpc = (result: unknown) => ({ jsonrpc: "2.0", id, result });
    switch (`${request.method ?? ""} ${url.pathname}`) {
      case "GET /ok":
        return { json: { ok: true } };
      case "GET /info":
        return { json: { version: "1.2.3" } };
      case "POST /assistants/search":
        return { json: body["offset"] === 0 ? [ASSISTANT] : [] };
      case "POST /runs/wait":
        return { json: said };
      case "POST /runs/stream":
        return {
          events: [
            ["metadata", { run_id: "r-1" }],
            [String(body["stream_mode"]), { agent: said }],
          ],
        };
      case "POST /threads":
        return { json: { thread_id: THREAD, status: "idle" } };
      case `POST /threads/${THREAD}/runs/stream`:
        values = said;
        return {
          events: [
            ["metadata", { run_id: "r-2" }],
            ["values", said],
          ],
        };
      case `GET /threads/${THREAD}/state`:
        return { json: { values } };
      case "POST /runs/crons":
        return { json: { cron_id: "c-1" } };
      case "PUT /store/items":
        items.set(`${String(body["namespace"])}/${String(body["key"])}`, body);
        return {};
      case "GET /store/items":
        return { json: items.get(`${url.searchParams.get("namespace")}/${url.searchParams.get("key")}`) ?? null };
      case "POST /mcp":
        if (!/application\/json.*text\/event-stream/.test(request.headers.accept ?? "")) return undefined;
        return { events: [["message", rpc({ tools: [{ name: "support" }] })]] };
      case `POST /a2a/${ASSISTANT.assistant_id}`:
        if (body["method"] === "message/send") return { json: rpc({ kind: "task", status: { state: "completed" } }) };
        return {
          events: ["working", "completed"].map((state) => [
            "message",
            rpc({ kind: "status-update", status: { state } }),
          ]),
        };
    }
    return undefined;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", "http://agent");
    const hasBody = request.method === "POST" || request.method === "PUT";
    const body = hasBody ? ((await json(request)) as Readonly<Record<string, unknown>>) : {};
    calls.push({ endpoint: `${request.method ?? ""} ${url.pathname}`, body });
    const found = request.headers["x-api-key"] === key ? answer(request, url, body) : undefined;
    if (found?.events !== undefined) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const [event, data] of found.events)
        response.write(`event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);
      response.end();
    } else if (found === undefined)
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"none"}');
    else if (found.json === undefined) response.writeHead(204).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found.json));
  };

  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, calls };
}
