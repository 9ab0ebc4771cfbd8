import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { posix } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry, extract } from "tar";
import { ArchiveTree } from "./tree.ts";

/** The archive is damaged or hostile; the message completes "The archive is invalid: …". */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

export interface ArchiveLimits {
  readonly entries: number;
  /** Unpacked, headers included. */
  readonly bytes: number;
  /** Unpacked bytes per packed byte; only checked above `ratioFloorBytes`, since small texts compress well. */
  readonly ratio: number;
  readonly ratioFloorBytes: number;
  /** Size of a file whose content is kept. */
  readonly contentBytes: number;
}

const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 200_000,
  bytes: 4 * 1024 ** 3,
  ratio: 200,
  ratioFloorBytes: 64 * 1024 ** 2,
  contentBytes: 1024 ** 2,
};

/** The files whose content is kept. */
export interface WantedFiles {
  /** Required files: the archive is invalid if one is too large. */
  readonly needed?: ReadonlySet<string>;
  /** Optional files: skipped if they are too large. */
  readonly spare?: ReadonlySet<string>;
}

export interface ReadArchive {
  readonly tree: ArchiveTree;
  /** Of the wanted files, by their path in the archive without a leading `./`. */
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly bytes: number;
}

/**
 * Reads a `.tar.gz` into memory: all names, and the content of the wanted files. Writes nothing, and reads nothing
 * beyond the limits. Rejects with ArchiveError if the archive is damaged or hostile.
 */
export async function readArchive(
  file: string,
  wanted: WantedFiles,
  { signal, limits = ARCHIVE_LIMITS }: { readonly signal: AbortSignal; readonly limits?: ArchiveLimits },
): Promise<ReadArchive> {
  const packed = (await stat(file)).size;
  const reader = new EntryReader(wanted, limits);
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      try {
        if (bytes > limits.bytes) throw new ArchiveError(`it unpacks to more than ${String(limits.bytes)} bytes`);
        if (bytes > limits.ratioFloorBytes && bytes > packed * limits.ratio) {
          throw new ArchiveError(`it unpacks to more than ${String(limits.ratio)} times its size`);
        }
        reader.write(chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  try {
    await pipeline(createReadStream(file), createGunzip({ chunkSize: 64 * 1024 }), sink, { signal });
    return { ...reader.end(), bytes };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const message = GZIP_ERRORS[code];
    throw message === undefined ? error : new ArchiveError(message, { cause: error });
  }
}

/** Turns the bytes of a tar stream into a tree; throws at the first invalid entry. */
class EntryReader {
  readonly #parser: Parser;
  readonly #tree = new ArchiveTree();
  readonly #contents = new Map<string, Buffer>();
  readonly #wanted: WantedFiles;
  readonly #limits: ArchiveLimits;
  #entries = 0;
  #ended = false;
  #invalid?: string;

  constructor(wanted: WantedFiles, limits: ArchiveLimits) {
    this.#wanted = wanted;
    this.#limits = limits;
    // Any ratio is too high for a compressed archive within the archive: a source never needs one.
    this.#parser = new Parser({
      maxDecompressionRatio: 0,
      onwarn: (_code, message) => {
        this.#reject(message);
      },
    });
    this.#parser.on("abort", () => {
      this.#reject("it contains another compressed archive");
    });
    this.#parser.on("error", (error: Error) => {
      this.#reject(error);
    });
    this.#parser.on("entry", (entry: ReadEntry) => {
      this.#add(entry);
    });
    this.#parser.on("ignoredEntry", (entry: ReadEntry) => {
      this.#reject(`${JSON.stringify(entry.path.slice(0, 200))} has a type that is not allowed`);
    });
    this.#parser.on("eof", () => {
      this.#ended = true;
    });
  }

  write(chunk: Buffer): void {
    // The parser would collect what follows the end of the archive.
    if (!this.#ended) this.#parser.write(chunk);
    this.#check();
  }

  end(): { readonly tree: ArchiveTree; readonly contents: ReadonlyMap<string, Buffer> } {
    this.#parser.end();
    this.#check();
    if (this.#entries === 0) throw new ArchiveError("it is empty");
    return { tree: this.#tree, contents: this.#contents };
  }

  #add(entry: ReadEntry): void {
    this.#entries += 1;
    const reason = this.#tree.add(entry);
    if (reason !== "") this.#reject(reason);
    if (Math.max(this.#entries, this.#tree.size) > this.#limits.entries) {
      this.#reject(`it has more than ${String(this.#limits.entries)} entries`);
    }
    const path = entry.path.replace(/^(?:\.\/+)+/, "");
    if (entry.type.endsWith("File") && this.#invalid === undefined && this.#isWanted(path, entry.size)) {
      this.#keep(path, entry);
    }
    entry.resume();
  }

  #isWanted(path: string, size: number): boolean {
    const { needed, spare } = this.#wanted;
    const isShort = size <= this.#limits.contentBytes;
    if (needed?.has(path) !== true) return isShort && spare?.has(path) === true;
    if (!isShort) this.#reject(`${JSON.stringify(path)} is larger than ${String(this.#limits.contentBytes)} bytes`);
    return isShort;
  }

  #keep(path: string, entry: ReadEntry): void {
    const chunks: Buffer[] = [];
    entry.on("data", (chunk) => chunks.push(chunk));
    entry.on("end", () => this.#contents.set(path, Buffer.concat(chunks)));
  }

  #reject(reason: string | Error): void {
    this.#invalid ??= reason instanceof Error ? reason.message : reason;
  }

  #check(): void {
    if (this.#invalid !== undefined) throw new ArchiveError(this.#invalid);
  }
}

const GZIP_ERRORS: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: "it is not a gzip file, or it is damaged",
  Z_BUF_ERROR: "it is truncated",
};

/**
 * Extracts a `.tar.gz` into an empty directory. Returns the directory of its configuration file, relative to that one.
 * Rejects with ArchiveError, before anything is written, if the archive is damaged or hostile.
 */
export async function extractArchive(
  file: string,
  { into, configPath, signal }: { readonly into: string; readonly configPath: string; readonly signal: AbortSignal },
): Promise<string> {
  const { tree } = await readArchive(file, {}, { signal });
  const project = tree.resolve(posix.dirname(configPath));
  if (project?.kind !== "directory") throw new ArchiveError(`it has no directory ${posix.dirname(configPath)}`);
  const unpacked = extract({
    file,
    cwd: into,
    // A warning of `tar` is an error, too.
    strict: true,
    preserveOwner: false,
    // Without setuid, setgid and sticky bits: a program of the archive must not run as another user.
    onReadEntry: (entry) => {
      if (entry.mode !== undefined) entry.mode &= 0o777;
    },
    // Each link was checked by its text; two of them together may still lead outside.
    filter: (path, entry) => !("type" in entry) || entry.type !== "SymbolicLink" || tree.resolve(path) !== undefined,
  });
  await unpacked.catch((error: unknown) => {
    // The path of the target directory counts, too.
    throw error instanceof Error && "code" in error && error.code === "ENAMETOOLONG"
      ? new ArchiveError("a path in it is too long for this machine", { cause: error })
      : error;
  });
  return project.path;
}
