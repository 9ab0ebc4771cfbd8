import { resolve } from "node:path";
import { wouldFind, type FoundFile } from "../../../src/files/find-files.ts";
import { identityOf } from "../../../src/files/same-files.ts";
import { quoted } from "../../../src/text/quoted.ts";
import type { InputReader } from "../../options/input-reader.ts";
import type { Place } from "../../host.ts";
import { readWrittenPath } from "../../options/written-path.ts";

export const WRITTEN = ["report", "comment", "snapshot", "judgement"] as const;
export type Written = (typeof WRITTEN)[number];

export const PATH_INPUTS = {
  report: "report",
  comment: "comment-path",
  snapshot: "snapshot",
  judgement: "judgement",
} as const satisfies Record<Written, string>;
type PathInput = (typeof PATH_INPUTS)[Written];
type Reader = InputReader<PathInput | "gates" | "mapping">;

export interface WrittenPaths {
  /** Absolute; what is not in it has a default, apart from the report. */
  readonly paths: Readonly<Partial<Record<Written, string | undefined>>>;
  /** The file of the baseline that the snapshot would replace, as the user calls it: only a green judgement may. */
  readonly replaced: string | undefined;
  /** The path of the snapshot, as the user calls it, where later runs look for a baseline: a file need not be there. */
  readonly ofBaseline: string | undefined;
}

interface ReadFiles {
  readonly results: readonly FoundFile[];
  readonly baseline: readonly FoundFile[];
  /** Where later runs look for a baseline; undefined where this one starts it, and names no place. */
  readonly baselinePatterns: readonly string[] | undefined;
  readonly anchor: readonly FoundFile[];
  readonly workspace: string | undefined;
}

/**
 * The paths that are given: each file has its own, and none is a file that the step reads, by whatever name. Only the
 * snapshot may take the place of a file of the baseline.
 */
export async function readWrittenPaths(reader: Reader, place: Place, read: ReadFiles): Promise<WrittenPaths> {
  const paths: Partial<Record<Written, string>> = {};
  const files = await takenBy(reader, read);
  let [replaced, ofBaseline]: (string | undefined)[] = [];
  for (const what of WRITTEN) {
    const input = PATH_INPUTS[what];
    const path = await readWrittenPath(reader, input, place, {
      besides: input === "comment-path" ? POSTS_NOTHING : "",
    });
    if (path === undefined) continue;
    const [other] = (await keysOf(path)).flatMap((key) => files.get(key) ?? []);
    if (other && (what !== "snapshot" || other.isBaseline !== true)) {
      reader.fault(input, `${quoted(reader.text(input))} is ${other.text}; choose another path`);
    }
    if (what === "snapshot") {
      const { baselinePatterns, workspace } = read;
      if (other?.isBaseline === true) replaced = other.name;
      // A run that starts a new baseline reads none: a file where it writes its snapshot is one of those before it.
      else if (!other && !baselinePatterns && (await identityOf(path)) !== undefined) replaced = reader.text(input);
      const isFound = workspace !== undefined && (await wouldFind(baselinePatterns ?? [], workspace, path));
      if (replaced !== undefined || !baselinePatterns || isFound) ofBaseline = reader.text(input);
    }
    await take(files, path, { text: `the path of \`${input}\` too` });
    paths[what] = path;
  }
  return { paths, replaced, ofBaseline };
}

const POSTS_NOTHING = ": this step posts no comment, and `action/comment` posts the file that it writes";

interface Taken {
  /** What the file is, after "is". */
  readonly text: string;
  readonly isBaseline?: boolean;
  readonly name?: string;
}

/** Files that must not be written over, by path and by what the system knows them by: links have other paths. */
type TakenFiles = Map<string, Taken>;

async function takenBy(reader: Reader, { results, baseline, anchor, workspace }: ReadFiles): Promise<TakenFiles> {
  const files: TakenFiles = new Map();
  for (const { path } of results) await take(files, path, { text: "one of the results" });
  for (const { path } of anchor) await take(files, path, { text: "a file of the anchor" });
  for (const input of ["mapping", "gates"] as const) {
    const text = reader.text(input);
    // Most of them are no path, and lead to no file.
    if (text !== "" && !text.includes("\n"))
      await take(files, resolve(workspace ?? "", text), { text: `the file of \`${input}\`` });
  }
  for (const { path, name } of baseline) {
    await take(files, path, { text: "a file of the baseline", isBaseline: true, name });
  }
  return files;
}

/** The first that a file was taken for stays. */
async function take(files: TakenFiles, path: string, taken: Taken): Promise<void> {
  for (const key of await keysOf(path)) if (!files.has(key)) files.set(key, taken);
}

async function keysOf(path: string): Promise<readonly string[]> {
  const identity = await identityOf(path);
  return identity === undefined ? [path] : [path, identity];
}
