// As a whole: a name that an older Node does not have would keep the library from saying which Node it needs.
import * as zlib from "node:zlib";
import * as z from "zod";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { bytesText } from "../../../text/bytes.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** True for what begins as a zip file does. */
export function isZip(head: Buffer): boolean {
  return ["PK\u0003\u0004", "PK\u0005\u0006"].includes(head.toString("latin1", 0, 4));
}

/**
 * The entries whose names are wanted, unpacked one by one, in the order of the zip's directory. Throws DataFileError
 * for a zip that is cut or damaged, and for one that may do harm: encrypted, with names that lead out of a
 * directory, with false sizes, or unpacking to far more than its size.
 */
export async function* zipEntries(
  file: ResultFile,
  isWanted: (name: string) => boolean,
): AsyncGenerator<ZipEntry, void, undefined> {
  const refuse = (fault: string) => new DataFileError({ file: file.name }, fault);
  // Names as bytes, because the errors of yauzl hold them.
  const zip = await openPromise(file.path, { decodeStrings: false, validateEntrySizes: false, autoClose: false }).catch(
    (error: unknown) => {
      throw refuse(directoryFault(error));
    },
  );
  try {
    const total = { entries: 0, packed: 0, unpacked: 0 };
    for await (const entry of zip.eachEntry()) {
      total.entries += 1;
      total.packed += entry.compressedSize;
      total.unpacked += entry.uncompressedSize;
      const fault = faultOf(entry, total, file.size);
      const name = entry.fileNameRaw.toString("utf8");
      if (fault !== undefined) throw refuse(`the entry ${quotedName(name)} of the zip: ${fault}`);
      if (!isWanted(name)) continue;
      yield {
        name,
        bytes: await contentOf(zip, entry, (text) => refuse(`the entry ${quotedName(name)} of the zip ${text}`)),
      };
    }
  } catch (error) {
    throw error instanceof DataFileError ? error : refuse(directoryFault(error));
  } finally {
    zip.close();
  }
}

const MAX_ENTRIES = 1_000_000;
const MAX_ENTRY_BYTES = 256 * 1024 * 1024;

function directoryFault(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (message.includes("encryption")) return "the zip is encrypted";
  const isCut = /end of central directory|comment length/i.test(message);
  return isCut ? "the zip has no directory at its end, as if the file were cut off" : "the zip's directory is damaged";
}

/** `total` is what the entries up to this one take together: they may overlap, so that a small file unpacks to anything. */
function faultOf(
  entry: Entry,
  total: { readonly entries: number; readonly packed: number; readonly unpacked: number },
  fileSize: number,
): string | undefined {
  if (total.entries > MAX_ENTRIES) return `there are more than ${MAX_ENTRIES} entries`;
  if (entry.isEncrypted()) return "it is encrypted";
  // As yauzl's validateFileName, whose errors hold the name.
  const name = entry.fileNameRaw.toString("latin1");
  const leadsOut = /^[/\\]|^[A-Za-z]:|\0/.test(name) || name.split(/[/\\]/).includes("..");
  if (leadsOut) return "its name points outside the zip";
  if (total.packed > fileSize) return "the entries overlap: up to this one they take more than the whole file";
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) return `it unpacks to more than ${bytesText(MAX_ENTRY_BYTES)}`;
  if (total.unpacked <= FREE_BYTES || total.unpacked <= MAX_RATIO * fileSize) return undefined;
  return `the entries up to it unpack to more than ${MAX_RATIO} times the file, as a zip bomb does`;
}

// The small logs of test/fixtures unpack to 3 to 7 times their size; below a GiB the ratio does no harm.
const MAX_RATIO = 200;
const FREE_BYTES = 1024 * 1024 * 1024;

async function contentOf(zip: ZipFile, entry: Entry, refuse: (text: string) => DataFileError): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    const packed: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    for await (const part of packed) parts.push(part);
  } catch {
    throw refuse("cannot be read, as if the file were cut off or changed");
  }
  try {
    const { compressionMethod: method, uncompressedSize: size, crc32: checksum } = entry;
    return unpack(Buffer.concat(parts), { method, size, checksum });
  } catch (error) {
    throw error instanceof UnpackFault ? refuse(error.message) : error;
  }
}

interface PackedEntry {
  /** APPNOTE.TXT 4.4.5. */
  readonly method: number;
  /** How many bytes it unpacks to. */
  readonly size: number;
  readonly checksum: number;
}

/** An entry that cannot be unpacked, or is not what the directory says: the rest of a sentence that begins with it. */
class UnpackFault extends Error {}

/** The content of an entry; never more than the directory says. Throws UnpackFault. */
export function unpack(packed: Buffer, entry: PackedEntry): Buffer {
  const bytes = decompress(packed, entry);
  if (bytes.length > entry.size) throw new UnpackFault(TOO_MUCH);
  if (bytes.length < entry.size) throw new UnpackFault("unpacks to less than the zip's directory says");
  if (zlib.crc32(bytes) !== entry.checksum) throw new UnpackFault("is damaged: its checksum does not match");
  return bytes;
}

const TOO_MUCH = "unpacks to more than the zip's directory says";
const [STORED, DEFLATED, ZSTD] = [0, 8, 93];

function decompress(packed: Buffer, { method, size }: PackedEntry): Buffer {
  if (method === STORED) return packed;
  if (method === DEFLATED) return guarded(() => zlib.inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }));
  if (method === ZSTD) return unpackFrames(packed, size);
  throw new UnpackFault(`uses compression method ${method}; only deflate and zstd are supported`);
}

// inspect_ai begins a frame every 200 MiB, and entries are refused from 256 MiB on. Frames of nothing cost time.
const MAX_FRAMES = 64;

/**
 * zlib stops behind the first frame of several, without an error (measured: Node 24.21), and returns how far it came.
 */
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
  const { data } = Frame.safeParse(result);
  if (!data) throw new UnpackFault(DAMAGED);
  return { buffer: data.buffer, consumed: data.engine.bytesWritten };
}

const Frame = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number().min(1) }) });
const DAMAGED = "is damaged and cannot be unpacked";

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnpackFault) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new UnpackFault(code === "ERR_BUFFER_TOO_LARGE" ? TOO_MUCH : DAMAGED);
  }
}
