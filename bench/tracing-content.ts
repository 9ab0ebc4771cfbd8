import { createHash } from "node:crypto";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

/** What has arrived so far. */
export interface ContentSummary {
  /** Distinct ids of runs that were made, and have both inputs and outputs. */
  readonly runs: number;
  /** Ids of runs of which something is missing. */
  readonly incomplete: number;
  /** The same for the same content in any order. */
  readonly digest: string;
}

/** One request, as its headers say that its body is to be read. */
export interface EncodedBody {
  readonly chunks: readonly Buffer[];
  readonly contentType: string;
  readonly contentEncoding: string | undefined;
}

/** A run as far as it has arrived: clients send it in one piece, or its end apart from its beginning. */
type Pieces = Map<string, unknown>;

/** Reads what clients send, in whichever form of the contract, so that all can be seen to have sent the same. */
export class TracedContent {
  readonly #begun = new Map<string, Pieces>();
  readonly #complete = new Set<string>();
  #sum = 0n;

  get summary(): ContentSummary {
    return { runs: this.#complete.size, incomplete: this.#begun.size, digest: this.#sum.toString(16) };
  }

  /** Takes one body of POST /runs/multipart. */
  take({ chunks, contentType, contentEncoding }: EncodedBody): void {
    const plain = decoded(Buffer.concat(chunks), contentEncoding);
    for (const { name, content } of parts(plain, boundaryOf(contentType))) this.#takePart(name, content);
  }

  #takePart(name: string, content: Buffer): void {
    const [event = "", id = "", field] = name.split(".");
    if (this.#complete.has(id)) return;
    const pieces = this.#begun.get(id) ?? new Map<string, unknown>();
    this.#begun.set(id, pieces);
    pieces.set(event, true);
    const value: unknown = JSON.parse(content.toString("utf8"));
    if (field === undefined) for (const [key, each] of Object.entries(value ?? {})) set(pieces, key, each);
    else set(pieces, field, value);
    if (!NEEDED.every((key) => pieces.has(key))) return;
    this.#begun.delete(id);
    this.#complete.add(id);
    this.#sum = BigInt.asUintN(64, this.#sum + hashOf(pieces));
  }
}

const COMPARED = ["name", "run_type", "session_name", "inputs", "outputs"];
// Ids and times differ from client to client: they only have to be there.
const NEEDED = [...COMPARED, "post", "id", "trace_id", "dotted_order", "start_time", "end_time"];

function hashOf(pieces: Pieces): bigint {
  const text = JSON.stringify(COMPARED.map((key) => pieces.get(key)));
  return createHash("sha1").update(text).digest().readBigUInt64LE();
}

/** Null and an empty object mean that nothing is said. */
function set(pieces: Pieces, key: string, value: unknown): void {
  if (value == null || (typeof value === "object" && Object.keys(value).length === 0)) return;
  pieces.set(key, value);
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "zstd") return zstdDecompressSync(bytes);
  return encoding === "gzip" ? gunzipSync(bytes) : bytes;
}

function boundaryOf(contentType: string): string {
  const [, boundary] = /boundary="?([^";]+)"?/.exec(contentType) ?? [];
  if (boundary === undefined) throw new Error(`${contentType} names no boundary`);
  return boundary;
}

function* parts(body: Buffer, boundary: string): Generator<{ readonly name: string; readonly content: Buffer }> {
  const begin = `--${boundary}\r\n`;
  for (let at = 0; body.toString("latin1", at, at + begin.length) === begin;) {
    const headEnd = body.indexOf("\r\n\r\n", at);
    const head = body.toString("latin1", at, headEnd);
    const [, name] = /name="([^"]*)"/.exec(head) ?? [];
    // One client states the length in a header of its own, another in the type.
    const [, length] = /(?:content-length: ?|; ?length=)(\d+)/i.exec(head) ?? [];
    if (name === undefined || length === undefined) throw new Error(`a part has no name or no length: ${head}`);
    const start = headEnd + 4;
    const end = start + Number(length);
    yield { name, content: body.subarray(start, end) };
    at = end + 2;
  }
}
