import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readShort } from "../../files/read-short.ts";

// About 300,000 files. Of a larger repository nothing is said: it is a courtesy, and must cost no time.
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_GITDIR_BYTES = 4_096;

/**
 * The files that git tracks in a repository, as byte strings from its top; undefined where there is no index, and for one
 * that is too large or not understood. Git itself is not asked: a workflow may have none. Of an index that is split, the
 * shared part is not read.
 */
export function trackedPaths(repository: string): readonly string[] | undefined {
  try {
    const file = join(gitDirectory(join(repository, ".git")), "index");
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const bytes = readFileSync(file);
    // The format does not tell which hash it has: with the wrong one, the lengths do not fit.
    return parseIndex(bytes, SHA1_BYTES) ?? parseIndex(bytes, SHA256_BYTES);
  } catch {
    return undefined;
  }
}

/** The directory of a repository, by its `.git`: in a worktree and in a submodule that is a file which names it. */
export function gitDirectory(path: string): string {
  const stats = statSync(path);
  if (stats.isDirectory() || stats.size > MOST_GITDIR_BYTES) return path;
  const [, directory] = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(path, "utf8")) ?? [];
  return directory === undefined ? path : resolve(path, "..", directory);
}

const SHA1_BYTES = 20;
const SHA256_BYTES = 32;
// Times, device, inode, mode, owner and size: gitformat-index(5).
const STAT_BYTES = 40;
const MODE_AT = 24;
const KIND = 0o170000;
// Not a submodule, and not a directory of a sparse index.
const FILES: ReadonlySet<number> = new Set([0o100000, 0o120000]);
const EXTENDED = 0x4000;
const LONG_NAME = 0xfff;

/** The paths in an index of version 2, 3 or 4; undefined where its parts do not fit together. */
function parseIndex(bytes: Buffer, hashBytes: number): readonly string[] | undefined {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const paths: string[] = [];
  let previous = "";
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 2 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(flagsAt);
    let nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    let kept = "";
    if (version === 4) {
      const strip = readOffset(bytes, nameAt);
      if (!strip || strip.value > previous.length) return undefined;
      kept = previous.slice(0, previous.length - strip.value);
      nameAt = strip.end;
    }
    const end = bytes.indexOf(0, nameAt);
    if (end < 0) return undefined;
    const path = kept + bytes.toString("latin1", nameAt, end);
    if ((flags & LONG_NAME) !== Math.min(path.length, LONG_NAME)) return undefined;
    if (FILES.has(bytes.readUInt32BE(at + MODE_AT) & KIND)) paths.push(path);
    // An entry is padded to a multiple of eight, with one zero at least; version 4 has no padding.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
    previous = path;
  }
  return paths;
}

/** A number in the form of pack files, with seven bits in each byte. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = -1;
  for (let at = from; at < Math.min(from + 5, bytes.length); at += 1) {
    const byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, end: at + 1 };
  }
  return undefined;
}

const MOST_SUBMODULES_BYTES = 256 * 1024;
const MOST_SUBMODULES = 1_000;

/** The directories of the submodules of a repository, absolute. */
export function submodulesOf(repository: string): readonly string[] {
  const text = readShort(join(repository, ".gitmodules"), MOST_SUBMODULES_BYTES) ?? "";
  const paths = [...text.matchAll(/^[ \t]*path[ \t]*=(.+)$/gm)].map(([, path = ""]) => join(repository, path.trim()));
  return paths.slice(0, MOST_SUBMODULES);
}

export const SUBMODULE_ADVICE = "`git submodule update --init` brings the files of submodules.";
