import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { HttpCall } from "../http/call.ts";
import { errorCode, HttpError } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import type { AgentProcess } from "./process.ts";

/** An agent that takes requests until it is retired. */
export interface RunningAgent {
  readonly deploymentId: string;
  readonly port: number;
  readonly process: AgentProcess;
  /** Its extracted source, removed with it. */
  readonly directory: string;
}

// Headers of one connection: RFC 9110 §7.6.1.
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
 * Forwards a call to an agent, and streams its response back. `apiKey` is the service's own and is removed: an agent
 * is foreign code. Throws 503 if no agent runs, and 502 if it hangs up.
 */
export async function forward(call: HttpCall, agent: RunningAgent | undefined, apiKey?: string): Promise<HttpResponse> {
  if (!agent) {
    throw new HttpError(503, "The agent is not running (yet); see the deploy log of the revision.", {
      "retry-after": "1",
    });
  }
  const upstream = request({
    host: "127.0.0.1",
    port: agent.port,
    method: call.method,
    path: call.target,
    headers: requestHeaders(call.headers, apiKey),
    // A new connection: the agent may close one that is kept alive just as the next request is sent.
    agent: false,
    signal: call.signal,
  });
  upstream.once("close", agent.process.begin());
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once("response", resolve);
    upstream.on("error", reject);
  });
  // This also fails if the agent responds before it has read everything: then there is a response.
  pipeline(call.body(Number.POSITIVE_INFINITY), upstream).catch(() => undefined);
  try {
    const response = await responded;
    return {
      status: response.statusCode ?? 502,
      headers: Object.fromEntries(
        Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined || HOP_BY_HOP.has(name) || name === "transfer-encoding" ? [] : [[name, value]],
        ),
      ),
      stream: response,
    };
  } catch (error) {
    const { ending } = agent.process;
    const why = ending === "" ? errorCode(error) || "it hung up" : `its process ${ending}`;
    throw new HttpError(502, `The agent did not respond: ${why}.`);
  }
}

function requestHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      !HOP_BY_HOP.has(name) &&
      name !== "host" &&
      // Node has already sent `100 Continue`.
      name !== "expect" &&
      !(apiKey !== undefined && typeof value === "string" && value.includes(apiKey)),
  );
  return Object.fromEntries(kept);
}
