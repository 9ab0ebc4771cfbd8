import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import { countOf } from "../../../src/text/number.ts";
import { quoted } from "../../../src/text/quoted.ts";
import type { Properties } from "../state/state.ts";
import type { SourceLook } from "./source-looks.ts";

/** The files of a source with a checksum of each, as state keeps them: `PATH\nCHECKSUM\n…`, compressed, Base64. */
export type SourceFiles = string;

// A state is read and written whole: more than this is not worth a list of names.
export const MOST_FILES = 5_000;
const MOST_BYTES = 1024 * 1024;
// What a person reads; the rest is counted.
const MOST_NAMED = 10;

/** What state keeps of the files of a directory, and how they differ from those that `olds` have. */
export function filesOf({ hash, entries, sums }: SourceLook, olds: Properties): Properties {
  const { sourceHash, sourceFiles: before, sourceChanges } = olds;
  if (hash === sourceHash) return { sourceFiles: before, sourceChanges };
  const sourceFiles = listFiles(entries, sums);
  return { sourceFiles, sourceChanges: fileChanges(before, sourceFiles) };
}

/** Undefined for more files than a state should hold. */
export function listFiles(entries: readonly SourceEntry[], sums: Uint32Array | undefined): SourceFiles | undefined {
  if (sums === undefined || entries.length > MOST_FILES) return undefined;
  const lines = entries.map(({ path, mode, target = "" }, index) => {
    const sum = [sums[index] ?? 0, mode, target].join(" ");
    return `${JSON.stringify(path)}\n${sum.replaceAll("\n", " ")}\n`;
  });
  const text = lines.join("");
  if (Buffer.byteLength(text) > MOST_BYTES) return undefined;
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).toString("base64");
}

/** Which files differ, each as `added PATH`, `changed PATH` or `removed PATH`; undefined where a list is missing. */
export function fileChanges(before: unknown, after: SourceFiles | undefined): readonly string[] | undefined {
  const [old, now] = [filesIn(before), filesIn(after)];
  if (old === undefined || now === undefined) return undefined;
  const changes = [
    ...[...now].filter(([path, sum]) => old.has(path) && old.get(path) !== sum).map(([path]) => ["changed", path]),
    ...[...now.keys()].filter((path) => !old.has(path)).map((path) => ["added", path]),
    ...[...old.keys()].filter((path) => !now.has(path)).map((path) => ["removed", path]),
  ];
  const named = changes.slice(0, MOST_NAMED).map(([what = "", path = ""]) => `${what} ${quoted(path)}`);
  const more = changes.length - named.length;
  return more === 0 ? named : [...named, `and ${countOf(more, "more file")}`];
}

function filesIn(files: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof files !== "string") return undefined;
  try {
    const text = brotliDecompressSync(Buffer.from(files, "base64"), { maxOutputLength: MOST_BYTES }).toString();
    const lines = text.split("\n");
    const pairs = lines.flatMap((line, index) => (index % 2 === 1 ? [[pathIn(lines[index - 1]), line] as const] : []));
    return new Map(pairs);
  } catch {
    // State that another version wrote, or that a user edited: the digest still says whether the source changed.
    return undefined;
  }
}

function pathIn(line = ""): string {
  const path: unknown = JSON.parse(line);
  return String(path);
}
