import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Scene, type Received } from "./tracing-scene.ts";
import { TracedContent, type EncodedBody } from "./tracing-content.ts";

// A process of its own, so that what it takes is not counted as the client's: a service that takes runs. It says in
// /info what the scene says, and answers after the scene's latency. It prints its address, and ends with its standard input.
let scene: Scene = Scene.parse({});
let content = new TracedContent();
let waiting: EncodedBody[] = [];
let received = { requests: 0, bytes: 0, elsewhere: 0 };

const server = createServer((request, response) => {
  const url = request.url ?? "";
  if (request.method === "POST" && url.endsWith("/runs/multipart")) take(request, response);
  else if (request.method === "GET" && url.endsWith("/info")) answer(response, 200, infoOf(scene));
  else if (url === "/bench/begin") void begin(request, response);
  else if (url === "/bench/end") end(response);
  else {
    received.elsewhere += 1;
    request.resume();
    answer(response, 404, { detail: "not found" });
  }
});

async function begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  scene = Scene.parse(JSON.parse(text));
  content = new TracedContent();
  waiting = [];
  received = { requests: 0, bytes: 0, elsewhere: 0 };
  answer(response, 200, {});
}

function end(response: ServerResponse): void {
  for (const body of waiting) content.take(body);
  waiting = [];
  answer(response, 200, { ...received, ...content.summary } satisfies Received);
}

// What arrives is read when the client has ended: reading takes longer than sending.
function take(request: IncomingMessage, response: ServerResponse): void {
  const { "content-type": contentType = "", "content-encoding": contentEncoding } = request.headers;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    received.bytes += chunk.byteLength;
  });
  request.on("end", () => {
    received.requests += 1;
    const body = { chunks, contentType, contentEncoding };
    if (scene.readsAtOnce) content.take(body);
    else waiting.push(body);
    answer(response, 202, {});
  });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const send = () => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (scene.latencyMilliseconds === 0) send();
  else setTimeout(send, scene.latencyMilliseconds);
}

/** What services say; a client of ours or of the public may rely on any of it. */
function infoOf({ gzip, zstd }: Scene): object {
  return {
    version: "0.13.0",
    batch_ingest_config: {
      use_multipart_endpoint: true,
      scale_up_qsize_trigger: 1000,
      scale_up_nthreads_limit: 16,
      scale_down_nempty_trigger: 4,
      size_limit: 100,
      size_limit_bytes: 20_971_520,
    },
    instance_flags: { gzip_body_enabled: gzip, zstd_compression_enabled: zstd },
  };
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on("end", () => process.exit(0)).resume();
