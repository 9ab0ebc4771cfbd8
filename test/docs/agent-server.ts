import { startFaultServer, type FaultServer } from "../wire/fault-server.ts";
import type { WireAnswer } from "../wire/faults.ts";
import type { WireRequest } from "../wire/wire-request.ts";

const ASSISTANT = { assistant_id: "0f8fad5b-d9cb-469f-a165-70867728950e", graph_id: "support", name: "support" };
const THREAD = "0198c5a4-0000-7000-8000-000000000001";

const json = (value: unknown): WireAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const events = (...all: readonly (readonly [event: string, data: unknown])[]): WireAnswer => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: all.map(([event, data]) => `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`).join(""),
});

/**
 * A small agent server with an endpoint of each group of the contract, in the forms of the public ones: it keeps the
 * state of one thread and the items of a store. It requires the key, and for MCP that both forms are accepted.
 */
export async function startAgentServer(key: string): Promise<FaultServer> {
  const items = new Map<string, unknown>();
  let values: unknown = null;

  const answer = ({ method, path, query, headers, body: bytes }: WireRequest): WireAnswer | undefined => {
    const body = (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as Readonly<Record<string, unknown>>;
    const { id, input } = body;
    const said = { ...(input as object), answer: "On its way." };
    const rpc = (result: unknown) => ({ jsonrpc: "2.0", id, result });
    switch (`${method} ${path}`) {
      case "GET /ok":
        return json({ ok: true });
      case "GET /info":
        return json({ version: "1.2.3" });
      case "POST /assistants/search":
        return json(body["offset"] === 0 ? [ASSISTANT] : []);
      case "POST /runs/wait":
        return json(said);
      case "POST /runs/stream":
        return events(["metadata", { run_id: "r-1" }], [String(body["stream_mode"]), { agent: said }]);
      case "POST /threads":
        return json({ thread_id: THREAD, status: "idle" });
      case `POST /threads/${THREAD}/runs/stream`:
        values = said;
        return events(["metadata", { run_id: "r-2" }], ["values", said]);
      case `GET /threads/${THREAD}/runs`:
        return json(query.get("offset") === "0" ? [{ run_id: "r-2", thread_id: THREAD, status: "success" }] : []);
      case `GET /threads/${THREAD}/state`:
        return json({ values });
      case `DELETE /threads/${THREAD}`:
        return { status: 204 };
      case "POST /runs/crons":
        return json({ cron_id: "c-1" });
      case "PUT /store/items":
        items.set(`${String(body["namespace"])}/${String(body["key"])}`, body);
        return { status: 204 };
      case "GET /store/items":
        return json(items.get(`${query.get("namespace")}/${query.get("key")}`) ?? null);
      case "POST /mcp":
        if (!/application\/json.*text\/event-stream/.test(headers["accept"] ?? "")) return undefined;
        return events(["message", rpc({ tools: [{ name: "support" }] })]);
      case `POST /a2a/${ASSISTANT.assistant_id}`:
        if (body["method"] === "message/send") return json(rpc({ kind: "task", status: { state: "completed" } }));
        return events(
          ...["working", "completed"].map(
            (state) => ["message", rpc({ kind: "status-update", status: { state } })] as const,
          ),
        );
    }
    return undefined;
  };

  return await startFaultServer((request) => {
    const found = request.headers["x-api-key"] === key ? answer(request) : undefined;
    return found ?? { status: 404, body: { detail: "none" } };
  });
}
