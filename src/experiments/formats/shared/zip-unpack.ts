// As a whole: a name that an older Node does not have would keep the library from saying which Node it needs.
import * as zlib from "node:zlib";

/** An entry as the directory of its zip describes it. */
export interface PackedEntry {
  /** APPNOTE.TXT 4.4.5. */
  readonly method: number;
  /** How many bytes it unpacks to. */
  readonly size: number;
  readonly checksum: number;
}

/** An entry that cannot be unpacked, or is not what the directory says. */
export class UnpackFault extends Error {
  /** The rest of a sentence that begins with the entry. */
  readonly fault: string;

  constructor(fault: string) {
    super(fault);
    this.fault = fault;
  }
}

/** The content of an entry; never more than the directory says. Throws UnpackFault. */
export function unpack(packed: Buffer, entry: PackedEntry): Buffer {
  const bytes = decompress(packed, entry);
  if (bytes.length > entry.size) throw new UnpackFault(TOO_MUCH);
  if (bytes.length < entry.size) throw new UnpackFault("unpacks to less than the zip's directory says");
  if (zlib.crc32(bytes) !== entry.checksum) throw new UnpackFault("is damaged: its checksum is wrong");
  return bytes;
}

const TOO_MUCH = "unpacks to more than the zip's directory says";
const [STORED, DEFLATED, ZSTD] = [0, 8, 93];

function decompress(packed: Buffer, { method, size }: PackedEntry): Buffer {
  if (method === STORED) return packed;
  if (method === DEFLATED) return guarded(() => zlib.inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }));
  if (method === ZSTD) return unpackFrames(packed, size);
  throw new UnpackFault(`is packed by method ${method}; deflate and zstd are known`);
}

// inspect_ai begins a frame every 200 MiB, and entries are refused from 256 MiB on. Frames of nothing cost time.
const MAX_FRAMES = 64;

/** zlib stops behind the first frame of several, without an error (measured: Node 24.21), and tells how far it came. */
function unpackFrames(packed: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  let left = size;
  for (let at = 0; at < packed.length;) {
    if (parts.length === MAX_FRAMES) throw new UnpackFault(`has more than ${MAX_FRAMES} zstd frames`);
    const rest = packed.subarray(at);
    const { buffer, consumed } = guarded(() => unpackFrame(rest, left));
    if (buffer.length > left) throw new UnpackFault(TOO_MUCH);
    parts.push(buffer);
    left -= buffer.length;
    at += consumed;
  }
  return Buffer.concat(parts);
}

function unpackFrame(packed: Buffer, limit: number) {
  // The types do not know that `info` changes what is returned.
  const result: unknown = zlib.zstdDecompressSync(packed, { info: true, maxOutputLength: Math.max(limit, 1) });
  if (isFrame(result) && result.engine.bytesWritten > 0) {
    return { buffer: result.buffer, consumed: result.engine.bytesWritten };
  }
  throw new UnpackFault(DAMAGED);
}

interface Frame {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function isFrame(value: unknown): value is Frame {
  if (typeof value !== "object" || value === null || !("buffer" in value) || !("engine" in value)) return false;
  const { buffer, engine } = value;
  if (!Buffer.isBuffer(buffer) || typeof engine !== "object" || engine === null) return false;
  return "bytesWritten" in engine && typeof engine.bytesWritten === "number";
}

const DAMAGED = "is damaged, and cannot be unpacked";

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnpackFault) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new UnpackFault(code === "ERR_BUFFER_TOO_LARGE" ? TOO_MUCH : DAMAGED);
  }
}
