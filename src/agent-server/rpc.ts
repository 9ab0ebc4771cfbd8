import { GarbageError } from "../http/bad-response.ts";
import { CUT_ADVICE, type ServerSentEvent } from "../http/event-stream.ts";

/** One call of JSON-RPC, as A2A and MCP send it. */
export interface RpcCall {
  readonly id: string | number;
  readonly method: string;
}

// The only ones that have several responses of one id: A2A before and since its version 1.
const SEVERAL_RESPONSES: ReadonlySet<string> = new Set([
  ...["message/stream", "tasks/resubscribe"],
  ...["SendStreamingMessage", "SubscribeToTask"],
]);

/** The call in a request body; undefined for a body that is none, and for a notification, which has no response. */
export function rpcCallIn(body: unknown): RpcCall | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (!("jsonrpc" in body && "id" in body && "method" in body)) return undefined;
  const { id, method } = body;
  const isId = typeof id === "string" || typeof id === "number";
  return isId && typeof method === "string" ? { id, method } : undefined;
}

/**
 * The response to a call among the events of a stream, behind the notifications and requests of the server. MCP lets a
 * server keep the stream open after the response, so the stream is read up to it; of several responses the last counts,
 * and the stream is read to its end. Throws a GarbageError for a stream without it.
 */
export async function rpcResponse(events: AsyncIterable<ServerSentEvent>, call: RpcCall): Promise<unknown> {
  let last: { readonly response: unknown } | undefined;
  for await (const { event, data } of events) {
    // Without data an event names a place to resume at, and of another name it shows that the server lives.
    if (event !== "message" || data === "") continue;
    const response = messagesIn(data).find((message) => isResponse(message, call));
    if (response === undefined) continue;
    if (!SEVERAL_RESPONSES.has(call.method)) return response;
    last = { response };
  }
  if (last) return last.response;
  throw new GarbageError("a stream of events that ends without the response", { mayImprove: true, advice: CUT_ADVICE });
}

/** For a request that is no call: which of the events of a stream would be its response is not known. */
export function refuseStream(): Promise<never> {
  const advice = "Read a response that is a stream with `stream`.";
  return Promise.reject(new GarbageError("not JSON, but text/event-stream", { mayImprove: false, advice }));
}

// The second version of MCP lets a server put several messages into one event.
function messagesIn(data: string): readonly unknown[] {
  try {
    const messages: unknown = JSON.parse(data);
    return Array.isArray(messages) ? messages : [messages];
  } catch {
    throw new GarbageError("an event of the stream is not JSON", { mayImprove: false });
  }
}

// A server may ask for something itself, with an id of its own choice.
function isResponse(message: unknown, { id }: RpcCall): boolean {
  if (typeof message !== "object" || message === null || "method" in message || !("id" in message)) return false;
  // Some servers write a number as a text. A request has one call, so that there is no other one of that text.
  const isId = typeof message.id === "string" || typeof message.id === "number";
  const isSame = isId && String(message.id) === String(id);
  // The id is null for a call that the server could not read.
  return "error" in message ? isSame || message.id === null : "result" in message && isSame;
}
