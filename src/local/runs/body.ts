import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import type { HttpCall } from "../http/call.ts";
import { Refusal, tooLarge } from "../http/error.ts";

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["zstd", promisify(zstdDecompress)],
]);

/** The body of a request that carries runs, decoded; 413 above the limit, as it was sent and as it is decoded. */
export async function readRunBody(call: HttpCall, limitBytes: number): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length = "0" } = call.headers;
  const decode = DECODERS.get(encoding.toLowerCase());
  if (decode === undefined && encoding !== "identity") {
    throw new Refusal(415, `Content-Encoding ${encoding} is none of gzip and zstd`);
  }
  if (Number(length) > limitBytes) throw tooLarge(limitBytes);
  const bytes = await collect(call, limitBytes);
  return decode === undefined ? bytes : await decoded(bytes, decode, encoding, limitBytes);
}

async function collect(call: HttpCall, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of call.body(limitBytes)) chunks.push(chunk);
  const [first = Buffer.alloc(0)] = chunks;
  return chunks.length > 1 ? Buffer.concat(chunks) : first;
}

async function decoded(bytes: Buffer, decode: Decode, encoding: string, limitBytes: number): Promise<Buffer> {
  try {
    // A few bytes can stand for gigabytes.
    return await decode(bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limitBytes);
    if (code === "Z_BUF_ERROR") throw new Refusal(422, `error reading ${encoding} data: unexpected EOF`);
    throw new Refusal(400, `error reading ${encoding} data: the body is not in this encoding`);
  }
}
