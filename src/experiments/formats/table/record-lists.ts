import { outlineJson } from "../../../files/json/outline.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";

/** A list of objects in a document. */
export interface RecordList {
  readonly path: string;
  /** Those of its first object. */
  readonly keys: readonly string[];
}

/**
 * The lists of records in the object at `above`, at most five, the ones next to the top first. Throws `DataFileError`
 * for a document that breaks.
 */
export function recordLists(file: ResultFile, above: readonly string[] = []): readonly RecordList[] {
  const found: RecordList[] = [];
  let level: readonly (readonly string[])[] = [above];
  // A large document is read once for each object that is looked into.
  for (let looks = 0, depth = 0; depth < DEEPEST && found.length < MOST_LISTS; depth += 1) {
    const below: (readonly string[])[] = [];
    for (const path of level) {
      looks += 1;
      if (looks > MOST_LOOKS) return found;
      for (const { key, kind, first, keys } of outlineJson(file.bytes, path)?.members ?? []) {
        // A name with a dot has no path.
        if (key === "" || key.includes(".")) continue;
        if (kind === "object") below.push([...path, key]);
        // Messages of a conversation are no records.
        else if (kind === "list" && first === "object" && !keys.includes("role"))
          found.push({ path: [...path, key].join("."), keys });
      }
    }
    level = below;
  }
  return found.slice(0, MOST_LISTS);
}

/** Names lists with their first keys: `"cases" (with "utt" and "said")`. */
export function listsText(lists: readonly RecordList[]): string {
  const names = lists.map(({ path, keys }) => {
    return `${quotedName(path)} (with ${listed(keys.map(quotedName), { conjunction: "and", most: MOST_KEYS })})`;
  });
  return `${lists.length === 1 ? "a list of records is" : "lists of records are"} ${listed(names, { conjunction: "and", most: MOST_LISTS })}`;
}

/** The line of a mapping that names the rows, as code; a path that would not be plain there is not shown. */
export function rowsLine({ path }: RecordList): string {
  return PLAIN_PATH.test(path) ? `\`rows: ${path}\`` : "`rows: PATH`";
}

const PLAIN_PATH = /^[\p{L}_][\p{L}\p{N}_.-]{0,198}$/u;
const DEEPEST = 4;
const MOST_LISTS = 5;
const MOST_LOOKS = 12;
const MOST_KEYS = 4;
