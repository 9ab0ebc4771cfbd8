import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { HttpResponse } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";
import type { RunningAgent } from "./running-agent.ts";

/** RFC 9110 §7.6.1: these belong to one connection. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/**
 * Passes a call on to an agent, and its answer back as it comes. `apiKey` is the service's own: an agent is foreign
 * code that has no use for it. Throws a refusal, 503 when no agent runs and 502 when it hangs up.
 */
export async function forward(call: HttpCall, agent: RunningAgent | undefined, apiKey?: string): Promise<HttpResponse> {
  if (agent === undefined) {
    throw new HttpError(503, "The agent does not run (yet); the revision's deploy log says more.", {
      "retry-after": "1",
    });
  }
  const upstream = request({
    host: "127.0.0.1",
    port: agent.port,
    method: call.method,
    path: call.target,
    headers: requestHeaders(call.headers, apiKey),
    // A connection of its own: one that is kept may be closed by the agent just as the next request goes out on it.
    agent: false,
    signal: call.signal,
  });
  upstream.once("close", agent.begin());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once("response", resolve);
    upstream.on("error", reject);
  });
  // It fails when the agent answers before it has read all, too: then there is an answer.
  pipeline(call.body(Number.POSITIVE_INFINITY), upstream).catch(() => undefined);
  try {
    const response = await answered;
    return { status: response.statusCode ?? 502, headers: responseHeaders(response.headers), stream: response };
  } catch (error) {
    const why = agent.ending === undefined ? codeOf(error) : `its process ${agent.ending}`;
    throw new HttpError(502, `The agent does not answer: ${why}.`);
  }
}

function requestHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      !HOP_BY_HOP.has(name) &&
      name !== "host" &&
      // `100 Continue` was said to the caller already.
      name !== "expect" &&
      !(apiKey !== undefined && typeof value === "string" && value.includes(apiKey)),
  );
  return Object.fromEntries(kept);
}

function responseHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | string[]>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) || name === "transfer-encoding" ? [] : [[name, value]],
    ),
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "it has hung up";
}
