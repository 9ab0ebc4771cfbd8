import { DataFileError } from "../../../files/json/errors.ts";
import { outlineJson, type JsonOutline, type OutlinedMember } from "../../../files/json/outline.ts";
import type { Mapping } from "../../mapping.ts";
import { quoted } from "../../quoted-name.ts";
import type { ResultFile } from "../../result-file.ts";
import { listed } from "../../../text/quoted.ts";
import { RecordNames } from "./record-names.ts";

/** How the records of any tool stand in a file of JSON. */
export type Container =
  /** One a line, or one behind the other over several lines. */
  | { readonly shape: "lines" | "texts" }
  /** The whole document is one. */
  | { readonly shape: "one" }
  | DocumentPart;

/** A part of a document that holds records, at a path of keys. */
export type DocumentPart = (
  | {
      /** A list of records, an object of them by id, or an object of columns: objects by label, or lists. */
      readonly shape: "list" | "ids" | "columns";
    }
  | {
      /** An object with the names of `columns`, and a list of lists. */
      readonly shape: "split";
      /** The key of the lists. */
      readonly rows: string;
    }
) & {
  readonly path: readonly string[];
  /** What stands beside the part at the top of the document. */
  readonly beside: readonly OutlinedMember[];
};

/**
 * How the records stand in a file; undefined where there are none that can be seen. Throws `DataFileError` for a
 * document that breaks, and for one in which more than one list could be the rows.
 */
export function containerOf(file: ResultFile, mapping: Mapping | undefined): Container | undefined {
  const { json } = file;
  const path = mapping?.rows?.split(".");
  const names = new RecordNames(mapping);
  switch (json?.kind) {
    case "lines":
    case "texts":
      return path === undefined ? { shape: json.kind } : undefined;
    case "array":
      return path === undefined ? { shape: "list", path: [], beside: [] } : undefined;
    case "object":
      return path === undefined ? documentContainer(file, names) : partAt(file, path, names);
    default:
      return undefined;
  }
}

/** Names of lists that are rows whatever stands in them. */
const ROW_LISTS: ReadonlySet<string> = new Set(["results", "rows", "data", "examples"]);
const SPLIT_ROWS = ["data", "rows"];

function documentContainer(file: ResultFile, names: RecordNames): Container | undefined {
  const outline = outlineJson(file.bytes, []);
  if (outline === undefined) return undefined;
  const whole = tableOf(outline, [], names);
  if (whole?.shape === "split" || whole?.shape === "columns") return whole;
  const isRecord = names.haveInputs(outline.members.map(({ key }) => key));
  const lists = outline.members.filter((member) => isRowList(member, names, isRecord));
  const [list, other] = lists;
  if (list !== undefined && other !== undefined) throw ambiguous(file, lists);
  if (list !== undefined) return { shape: "list", path: [list.key], beside: besides(outline, list) };
  if (isRecord) return { shape: "one" };
  return whole ?? objectPart(file, outline, names) ?? emptyPart(outline);
}

/** A list of records; in a document that may be a record itself, scores by name are none. */
function isRowList({ key, kind, first, keys }: OutlinedMember, names: RecordNames, isRecord: boolean): boolean {
  if (kind !== "list" || first !== "object") return false;
  if (names.isPart(key)) return false;
  if (names.haveResults(keys)) return true;
  return ROW_LISTS.has(key) && !(isRecord && isNamedScore(keys));
}

function isNamedScore(keys: readonly string[]): boolean {
  const has = (names: readonly string[]) => names.some((name) => keys.includes(name));
  return has(["name", "key", "metric"]) && has(["score", "value", "passed"]);
}

/** The rows below one of the names for rows: by their ids, or by columns. */
function objectPart(file: ResultFile, { members }: JsonOutline, names: RecordNames): Container | undefined {
  const parts = members.filter(({ key, kind }) => ROW_LISTS.has(key) && kind === "object");
  const [part, other] = parts;
  if (part === undefined || other !== undefined) return undefined;
  const outline = outlineJson(file.bytes, [part.key]);
  const table = outline && tableOf(outline, [part.key], names);
  return table && { ...table, beside: members.filter(({ key }) => key !== part.key) };
}

/** An evaluation that had nothing to do. */
function emptyPart(outline: JsonOutline): Container | undefined {
  const empty = outline.members.find(
    ({ key, kind, first }) => ROW_LISTS.has(key) && kind === "list" && first === undefined,
  );
  return empty && { shape: "list", path: [empty.key], beside: besides(outline, empty) };
}

function besides({ members }: JsonOutline, part: OutlinedMember): readonly OutlinedMember[] {
  return members.filter((member) => member !== part);
}

/** The object at `path` as a table, where it is one. */
function tableOf(
  { members, kinds }: JsonOutline,
  path: readonly string[],
  names: RecordNames,
): DocumentPart | undefined {
  const find = (key: string) => members.find((member) => member.key === key);
  const columns = find("columns");
  const rows = SPLIT_ROWS.map(find).find((member) => member?.kind === "list" && member.first !== "object");
  if (columns?.kind === "list" && columns.first === "plain" && rows !== undefined) {
    const used = new Set([columns, rows, find("index")]);
    return { shape: "split", path, rows: rows.key, beside: members.filter((member) => !used.has(member)) };
  }
  if (areColumns(members, kinds, names)) return { shape: "columns", path, beside: [] };
  const areObjects = kinds.size === 1 && kinds.has("object");
  const areRecords = areObjects && members.some(({ keys }) => names.haveInputs(keys));
  const isRecord = names.haveInputs(members.map(({ key }) => key));
  return areRecords && !isRecord ? { shape: "ids", path, beside: [] } : undefined;
}

/** Columns are objects with the same labels, or all of them lists; a conversation may be two lists in one record. */
function areColumns(members: readonly OutlinedMember[], kinds: JsonOutline["kinds"], names: RecordNames): boolean {
  const [first] = members;
  if (first === undefined || kinds.size !== 1 || !names.haveInputs(members.map(({ key }) => key))) return false;
  if (kinds.has("list")) return members.length > 2;
  if (!kinds.has("object") || first.keys.length === 0) return false;
  if (
    !members.every(({ keys }) => keys.length === first.keys.length && keys.every((key, at) => key === first.keys[at]))
  ) {
    return false;
  }
  // A record may have parts with the same keys, too: it takes more to be sure where the labels are no numbers.
  return first.keys.every((key) => WHOLE.test(key)) || (first.keys.length > 1 && members.length > 2);
}

const WHOLE = /^(?:0|[1-9]\d*)$/;

function partAt(file: ResultFile, path: readonly string[], names: RecordNames): DocumentPart | undefined {
  const above = outlineJson(file.bytes, path.slice(0, -1));
  const part = above?.members.find(({ key }) => key === path.at(-1));
  if (above === undefined || part === undefined) return undefined;
  const beside = path.length === 1 ? besides(above, part) : [];
  if (part.kind === "list") return { shape: "list", path, beside };
  const outline = outlineJson(file.bytes, path);
  const table = outline && tableOf(outline, path, names);
  if (table !== undefined) return { ...table, beside };
  const areObjects = outline?.kinds.size === 1 && outline.kinds.has("object");
  return areObjects ? { shape: "ids", path, beside } : undefined;
}

function ambiguous({ name }: ResultFile, lists: readonly OutlinedMember[]): DataFileError {
  const keys = lists.map(({ key }) => quoted(key));
  const fault = `${listed(keys, { conjunction: "and", most: 5 })} are lists of objects, and each could be the rows`;
  const advice = `Name the list with the input \`mapping\`, for example \`rows: ${lists[0]?.key ?? ""}\`.`;
  return new DataFileError({ file: name }, fault, { advice });
}
