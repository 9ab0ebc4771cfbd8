import { openPromise, type Entry, type ZipFile } from "yauzl";
import { bytesText } from "../../../text/bytes.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { quoted } from "../../rows/quoted-name.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { unpack, UnpackFault } from "./zip-unpack.ts";

/** An entry of a zip file. */
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
 * for a zip that is cut or damaged, and for one that is made to do harm: encrypted, with names that lead out of a
 * folder, with sizes that are not true, or unpacking to far more than it is.
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
    const total = new UnpackedTotal(file.size);
    let number = 0;
    for await (const entry of zip.eachEntry()) {
      number++;
      const fault = number > MAX_ENTRIES ? `there are more than ${MAX_ENTRIES}` : (faultOf(entry) ?? total.add(entry));
      const name = entry.fileNameRaw.toString("utf8");
      if (fault !== undefined) throw refuse(`the entry ${quoted(name)} of the zip: ${fault}`);
      if (!isWanted(name)) continue;
      yield {
        name,
        bytes: await contentOf(zip, entry, (text) => refuse(`the entry ${quoted(name)} of the zip ${text}`)),
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

function faultOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "it is encrypted";
  if (leadsOut(entry.fileNameRaw.toString("latin1"))) return "its name leads out of the zip";
  return undefined;
}

// As yauzl's validateFileName, whose errors hold the name.
function leadsOut(name: string): boolean {
  return /^[/\\]|^[A-Za-z]:|\0/.test(name) || name.split(/[/\\]/).includes("..");
}

/** What entries take together: they may overlap, so that a small file unpacks to anything. */
class UnpackedTotal {
  readonly #fileSize: number;
  #packed = 0;
  #unpacked = 0;

  constructor(fileSize: number) {
    this.#fileSize = fileSize;
  }

  /** Counts an entry; says what is wrong with the zip, if it is. */
  add({ compressedSize, uncompressedSize }: Entry): string | undefined {
    this.#packed += compressedSize;
    this.#unpacked += uncompressedSize;
    if (this.#packed > this.#fileSize)
      return "the entries up to it take more than the whole file, so that they overlap";
    if (uncompressedSize > MAX_ENTRY_BYTES) return `it unpacks to more than ${bytesText(MAX_ENTRY_BYTES)}`;
    const isBomb = this.#unpacked > FREE_BYTES && this.#unpacked > MAX_RATIO * this.#fileSize;
    return isBomb
      ? `the entries up to it unpack to more than ${MAX_RATIO} times the file, as a zip bomb does`
      : undefined;
  }
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
    throw error instanceof UnpackFault ? refuse(error.fault) : error;
  }
}
