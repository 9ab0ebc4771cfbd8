import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { posix } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry, extract } from "tar";
import { ArchiveTree } from "./tree.ts";

/** Why an uploaded archive is not unpacked. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** What one archive may cost. */
export interface ArchiveLimits {
  readonly entries: number;
  /** Unpacked, headers included. */
  readonly bytes: number;
  /** Unpacked bytes for each packed byte; looked at above `ratioFloorBytes` only, since small texts shrink well. */
  readonly ratio: number;
  readonly ratioFloorBytes: number;
  /** Of a file whose content is asked for. */
  readonly contentBytes: number;
}

const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 200_000,
  bytes: 4 * 1024 ** 3,
  ratio: 200,
  ratioFloorBytes: 64 * 1024 ** 2,
  contentBytes: 1024 ** 2,
};

/** Whose content is kept. */
export interface WantedFiles {
  /** Without which nothing can be done: one that is too large is refused. */
  readonly needed?: ReadonlySet<string>;
  /** That help when they are short; others are passed over. */
  readonly spare?: ReadonlySet<string>;
}

/** What is known of an archive once it was read. */
export interface ReadArchive {
  readonly tree: ArchiveTree;
  /** Of the files that were asked for, by the path that the archive gives them without a leading `./`. */
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly bytes: number;
}

/**
 * Unpacks a `.tar.gz` into memory: all names, and the content of the wanted files. Nothing is written, and
 * nothing beyond the limits is read. Rejects with ArchiveError when the archive is damaged or hostile.
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
        checkSize(bytes, packed, limits);
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
    throw archiveErrorOf(error);
  }
}

function checkSize(bytes: number, packed: number, limits: ArchiveLimits): void {
  if (bytes > limits.bytes) throw new ArchiveError(`it unpacks to more than ${String(limits.bytes)} bytes`);
  if (bytes > limits.ratioFloorBytes && bytes > packed * limits.ratio) {
    throw new ArchiveError(`it unpacks to more than ${String(limits.ratio)} times its size`);
  }
}

/** Turns the bytes of a tar stream into a tree; throws at the first entry that has no place in it. */
class EntryReader {
  readonly #parser: Parser;
  readonly #tree = new ArchiveTree();
  readonly #contents = new Map<string, Buffer>();
  readonly #wanted: WantedFiles;
  readonly #limits: ArchiveLimits;
  #entries = 0;
  #ended = false;
  #refused: string | undefined;

  constructor(wanted: WantedFiles, limits: ArchiveLimits) {
    this.#wanted = wanted;
    this.#limits = limits;
    // Any ratio is too much for an archive within the archive, which nobody has a reason to send.
    this.#parser = new Parser({
      maxDecompressionRatio: 0,
      onwarn: (_code, message) => {
        this.#refuse(message);
      },
    });
    this.#parser.on("abort", () => {
      this.#refuse("it holds another compressed archive");
    });
    this.#parser.on("error", (error: Error) => {
      this.#refuse(error);
    });
    this.#parser.on("entry", (entry: ReadEntry) => {
      this.#add(entry);
    });
    this.#parser.on("ignoredEntry", (entry: ReadEntry) => {
      this.#refuse(`${JSON.stringify(entry.path.slice(0, 200))} is of a kind that has no place in it`);
    });
    this.#parser.on("eof", () => {
      this.#ended = true;
    });
  }

  write(chunk: Buffer): void {
    // What follows the end of the archive is not kept: the parser would collect it.
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
    if (reason !== undefined) this.#refuse(reason);
    if (Math.max(this.#entries, this.#tree.size) > this.#limits.entries) {
      this.#refuse(`it has more than ${String(this.#limits.entries)} entries`);
    }
    const path = entry.path.replace(/^(?:\.\/+)+/, "");
    if (entry.type.endsWith("File") && this.#refused === undefined && this.#isWanted(path, entry.size)) {
      this.#keep(path, entry);
    }
    entry.resume();
  }

  #isWanted(path: string, size: number): boolean {
    const { needed, spare } = this.#wanted;
    const isShort = size <= this.#limits.contentBytes;
    if (needed?.has(path) !== true) return isShort && spare?.has(path) === true;
    if (!isShort) this.#refuse(`${JSON.stringify(path)} is larger than ${String(this.#limits.contentBytes)} bytes`);
    return isShort;
  }

  #keep(path: string, entry: ReadEntry): void {
    const chunks: Buffer[] = [];
    entry.on("data", (chunk) => chunks.push(chunk));
    entry.on("end", () => this.#contents.set(path, Buffer.concat(chunks)));
  }

  #refuse(reason: string | Error): void {
    this.#refused ??= reason instanceof Error ? reason.message : reason;
  }

  #check(): void {
    if (this.#refused !== undefined) throw new ArchiveError(this.#refused);
  }
}

const GZIP_FAULTS: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: "it is no gzip file, or damaged",
  Z_BUF_ERROR: "it is cut short",
};

function archiveErrorOf(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = GZIP_FAULTS[code];
  return fault === undefined ? error : new ArchiveError(fault, { cause: error });
}

/**
 * Unpacks a `.tar.gz` into an empty folder, and answers the folder of its configuration file, relative to that one.
 * Rejects with ArchiveError, before anything is written, when the archive is damaged or hostile.
 */
export async function extractArchive(
  file: string,
  { into, configPath, signal }: { readonly into: string; readonly configPath: string; readonly signal: AbortSignal },
): Promise<string> {
  const { tree } = await readArchive(file, {}, { signal });
  const project = tree.resolve(posix.dirname(configPath));
  if (project?.kind !== "directory") throw new ArchiveError(`it has no folder ${posix.dirname(configPath)}`);
  const unpacked = extract({
    file,
    cwd: into,
    // Any doubt that `tar` itself has is a reason to stop.
    strict: true,
    preserveOwner: false,
    // Nobody runs a program of an archive as somebody else: without setuid, setgid and sticky bits.
    onReadEntry: (entry) => {
      if (entry.mode !== undefined) entry.mode &= 0o777;
    },
    // Each link was looked at by its words; followed step by step, two of them together may still lead outside.
    filter: (path, entry) => !("type" in entry) || entry.type !== "SymbolicLink" || tree.resolve(path) !== undefined,
  });
  await unpacked.catch((error: unknown) => {
    throw isTooLong(error) ? new ArchiveError("a path in it is too long for this machine", { cause: error }) : error;
  });
  return project.path;
}

// The folder that it is unpacked into counts as well.
function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}
