import { testWith } from "../test-with.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { onTestFinished } from "vitest";
import * as z from "zod";

const Json = z.record(z.string(), z.unknown());

/** One request, with what its body holds. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the body as it was sent. */
  readonly bytes: number;
  /** Of the body as it was before it was compressed. */
  readonly plainBytes: number;
  /** Of a batch: `post.ID`, `post.ID.inputs`, … and what they hold, in order. */
  readonly parts: ReadonlyMap<string, unknown>;
  /** Of any other request. */
  readonly json: unknown;
}

/** What is answered; `reset` cuts the connection. */
export type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      /** In place of JSON. */
      readonly text?: string;
    }
  | "reset";

/** Answers a request, or leaves it to the server, which takes it. */
export type Script = (request: SeenRequest) => Answer | Promise<Answer | undefined> | undefined;

/** A service that takes runs, keeps them as they arrive, and refuses what a test wants. */
export class RunServer {
  readonly requests: SeenRequest[] = [];
  /** By id; a patch is laid over its run. */
  readonly runs = new Map<string, Record<string, unknown>>();
  /** Patches that came before their runs. */
  readonly early: string[] = [];
  /** What GET /info answers; a service without it when undefined. */
  info: unknown;
  script: Script = () => undefined;
  /** The most batches that were there at one time. */
  mostAtOnce = 0;
  url = "";
  #open = 0;

  static async start(): Promise<RunServer> {
    const service = new RunServer();
    const server = createServer((request, response) => {
      service
        .#answer(request, response)
        .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = z.object({ port: z.number() }).parse(server.address());
    service.url = `http://127.0.0.1:${String(address.port)}`;
    onTestFinished(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => undefined);
    });
    return service;
  }

  /** The batches that came, oldest first. */
  get batches(): readonly SeenRequest[] {
    return this.requests.filter(({ path }) => path.endsWith("/runs/multipart"));
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    const request = await read(message);
    this.requests.push(request);
    if (request.path.endsWith("/multipart")) this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    const answer = (await this.script(request)) ?? this.#take(request);
    this.#open -= 1;
    if (answer === "reset") {
      message.socket.resetAndDestroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.text ?? JSON.stringify(answer.json ?? {}));
  }

  #take({ path, parts }: SeenRequest): Answer {
    if (path === "/info") return this.info === undefined ? { status: 404 } : { status: 200, json: this.info };
    if (path.endsWith("/info")) return { status: 404 };
    for (const [name, value] of parts) this.#lay(name, value);
    return { status: 202 };
  }

  #lay(name: string, value: unknown): void {
    const [event, id = "", field] = name.split(".");
    const run = this.runs.get(id) ?? {};
    if (event === "patch" && !this.runs.has(id)) this.early.push(id);
    this.runs.set(id, { ...run, ...(field === undefined ? Json.parse(value) : { [field]: value }) });
  }
}

async function read(message: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const sent = Buffer.concat(chunks);
  const body = decoded(sent, message.headers["content-encoding"]);
  const boundary = /boundary=(\S+)/.exec(message.headers["content-type"] ?? "")?.[1];
  return {
    method: message.method ?? "",
    path: message.url ?? "",
    headers: message.headers,
    bytes: sent.length,
    plainBytes: body.length,
    parts: boundary === undefined ? new Map() : partsOf(body, boundary),
    json: boundary === undefined && body.length > 0 ? JSON.parse(body.toString()) : undefined,
  };
}

const Decoded = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) });

/** Throws for another encoding, and for more than one frame. */
function decoded(sent: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined) return sent;
  if (encoding === "gzip") return gunzipSync(sent);
  if (encoding !== "zstd") throw new Error(`The body is encoded as ${encoding}`);
  // It stops behind the first frame, without an error.
  const { buffer, engine } = Decoded.parse(zstdDecompressSync(sent, { info: true }));
  if (engine.bytesWritten !== sent.length) throw new Error("The body has more than one frame");
  return buffer;
}

/** Goes by the lengths alone, and throws for a body that is not what they say. */
function partsOf(body: Buffer, boundary: string): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  for (let at = 0; ;) {
    const headEnd = body.indexOf("\r\n\r\n", at);
    if (headEnd === -1) {
      if (body.toString("latin1", at) === `--${boundary}--\r\n`) return parts;
      throw new Error(`The body ends with ${body.toString("latin1", at)}`);
    }
    const head = body.toString("latin1", at, headEnd);
    const [, name, length] =
      /^--\S+\r\nContent-Disposition: form-data; name="([^"]+)"\r\nContent-Type: application\/json\r\nContent-Length: (\d+)$/.exec(
        head,
      ) ?? [];
    if (name === undefined) throw new Error(`A part begins with ${head}`);
    const end = headEnd + 4 + Number(length);
    parts.set(name, JSON.parse(body.toString("utf8", headEnd + 4, end)));
    at = end + 2;
  }
}

/** The ids that a batch makes or adds to. */
export function idsOf({ parts }: SeenRequest): readonly string[] {
  return [...parts.keys()].filter((name) => name.split(".").length === 2).map((name) => name.split(".")[1] ?? "");
}

export const withRunServer = testWith(() => RunServer.start());
