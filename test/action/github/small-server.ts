import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { connectGitHub, type GitHub } from "../../../action/github/client.ts";
import type { GitHubInputs } from "../../../action/github/github-inputs.ts";
import type { Clock } from "../../../src/http/clock.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { FastClock } from "../../wire/clocks.ts";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A response; `cut` ends the connection instead. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly cut?: boolean;
}

/** A server under a path prefix that sends the given replies, one request after the other. */
export async function serve(reply: (request: Received, place: number) => Reply) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const seen = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      received.push(seen);
      const { status = 200, headers = {}, json, cut = false } = reply(seen, received.length);
      if (cut) response.destroy();
      else {
        response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
        response.end(json === undefined ? "" : JSON.stringify(json));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${String(port)}`;
  return { origin, received, requests: () => received.map(({ method, path }) => `${method} ${path}`) };
}

export const TOKEN = "ghs_token0123456789";

/** The inputs of a step that writes to this API. */
export function inputsFor(origin: string, more: Partial<GitHubInputs> = {}): GitHubInputs {
  return {
    token: TOKEN,
    api: new URL(`${origin}/api/v3`),
    repository: { owner: "us", repo: "agents" },
    pullRequest: undefined,
    event: {},
    run: { id: "42", attempt: 1, commit: "a".repeat(40), url: "https://github.example/us/agents/actions/runs/42" },
    allowHttp: false,
    proxy: {},
    limits: { mayWait: true, limited: undefined },
    ...more,
  };
}

/** A client of such a server, closed with the test. Its clock takes no time. */
export async function clientOf(
  origin: string,
  {
    clock = new FastClock(),
    inputs = inputsFor(origin),
  }: { readonly clock?: Clock; readonly inputs?: GitHubInputs } = {},
) {
  const redactor = new Redactor();
  const abort = new AbortController();
  const notices: string[] = [];
  const github: GitHub = connectGitHub(inputs, {
    redactor,
    signal: abort.signal,
    clock,
    random: () => 0,
    onRetry: ({ reason }) => notices.push(reason),
  });
  onTestFinished(() => github[Symbol.asyncDispose]());
  return { github, redactor, abort, notices, clock };
}

export const COMMENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
export const NEW_COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
export const ANSWER_OF_7 = { issue_number: 7, body: "hello" } as const;

/** A server with these replies, and a client of it. */
export async function connected(reply: (place: number) => Reply) {
  const server = await serve((_request, place) => reply(place));
  return { ...server, ...(await clientOf(server.origin)) };
}
