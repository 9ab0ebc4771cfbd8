import { DataFileError } from "../../../files/json/errors.ts";
import { outlineJson, type JsonOutline, type OutlinedMember } from "../../../files/json/outline.ts";
import type { Mapping } from "../../rows/mapping.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import { bracketPath } from "../../rows/dotted-path.ts";
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
  const known = FOUND.get(file);
  if (known && known.mapping === mapping) return known.container;
  const container = findContainer(file, mapping);
  FOUND.set(file, { mapping, container });
  return container;
}

/** Outlining a large document takes a third of the time of reading it, and detection has already done it. */
const FOUND = new WeakMap<
  ResultFile,
  { readonly mapping: Mapping | undefined; readonly container: Container | undefined }
>();

function findContainer(file: ResultFile, mapping: Mapping | undefined): Container | undefined {
  const { json } = file;
  const rows = mapping?.rows;
  const path = rows === undefined ? undefined : (bracketPath(rows)?.steps.map(String) ?? rows.split("."));
  const names = new RecordNames(mapping);
  switch (json.kind) {
    case "lines":
    case "texts":
      return path ? undefined : { shape: json.kind };
    case "array":
      return path ? undefined : { shape: "list", path: [], beside: [] };
    case "object":
      return path ? partAt(file, path, names) : documentContainer(file, names);
    default:
      return undefined;
  }
}

/** Names of lists that are rows whatever stands in them. */
const ROW_LISTS: ReadonlySet<string> = new Set(["results", "rows", "data", "examples"]);
const SPLIT_ROWS = ["data", "rows"];

function documentContainer(file: ResultFile, names: RecordNames): Container | undefined {
  const outline = outlineJson(file.bytes, []);
  if (!outline) return undefined;
  const whole = tableOf(outline, [], names);
  if (whole?.shape === "split" || whole?.shape === "columns") return whole;
  const isRecord = names.haveInputs(outline.members.map(({ key }) => key));
  const list = listIn(file, { outline, path: [], isRecord }, names);
  if (list) return list;
  if (isRecord) return { shape: "one" };
  const part = whole ?? objectPart(file, outline, names);
  if (part) return part;
  // An evaluation that had nothing to do.
  const empty = outline.members.find(
    ({ key, kind, first }) => ROW_LISTS.has(key) && kind === "list" && first === undefined,
  );
  return empty && { shape: "list", path: [empty.key], beside: besides(outline, empty) };
}

interface OutlinedPart {
  readonly outline: JsonOutline;
  readonly path: readonly string[];
  /** True where the object may be a record itself. */
  readonly isRecord: boolean;
}

/** The one list of records in an object; throws where there are two, or where a list beside it would be lost. */
function listIn(
  file: ResultFile,
  { outline, path, isRecord }: OutlinedPart,
  names: RecordNames,
): DocumentPart | undefined {
  const lists = outline.members.filter((member) => isRowList(member, names, isRecord));
  const [list, other] = lists;
  if (!list) return undefined;
  if (other) {
    const paths = lists.map(({ key }) => [...path, key].join("."));
    const keys = listed(paths.map(quotedName), { conjunction: "and", most: 5 });
    const advice = `Name the list in a mapping, for example \`rows: ${paths[0] ?? ""}\`.`;
    throw new DataFileError({ file: file.name }, `${keys} are lists of objects; each could be the rows`, { advice });
  }
  const beside = besides(outline, list);
  const part = beside.find((member) => isPartList(member, names));
  if (part) {
    // Scores in a separate list would be lost without notice.
    const rows = [...path, list.key].join(".");
    const fault = `the rows are in ${quotedName(rows)}, and the list ${quotedName(part.key)} beside them looks like part of them`;
    const advice = `Write its values into the rows; or set \`rows: ${rows}\` in a mapping to leave it out.`;
    throw new DataFileError({ file: file.name }, fault, { advice });
  }
  return { shape: "list", path: [...path, list.key], beside };
}

/** A list of records; in a document that may be a record itself, scores by name are none. */
function isRowList({ key, kind, first, keys }: OutlinedMember, names: RecordNames, isRecord: boolean): boolean {
  if (kind !== "list" || first !== "object") return false;
  if (names.isPart(key)) return false;
  if (names.haveResults(keys)) return true;
  return ROW_LISTS.has(key) && !(isRecord && isNamedScore(keys));
}

/** A list with what belongs into the rows; the scores of the whole by their names do not. */
function isPartList({ key, kind, first, keys }: OutlinedMember, names: RecordNames): boolean {
  if (kind !== "list" || first === undefined || isNamedScore(keys)) return false;
  return names.haveOutcomes([key]) || (first === "object" && names.haveOutcomes(keys));
}

function isNamedScore(keys: readonly string[]): boolean {
  const has = (names: readonly string[]) => names.some((name) => keys.includes(name));
  return has(["name", "key", "metric"]) && has(["score", "value", "passed"]);
}

/** The rows below one of the names for rows: by their ids, by columns, or in a list once more. */
function objectPart(file: ResultFile, { members }: JsonOutline, names: RecordNames): Container | undefined {
  const parts = members.filter(({ key, kind }) => ROW_LISTS.has(key) && kind === "object");
  const [part, other] = parts;
  if (!part || other) return undefined;
  const path = [part.key];
  const outline = outlineJson(file.bytes, path);
  if (!outline) return undefined;
  const table = tableOf(outline, path, names) ?? listIn(file, { outline, path, isRecord: false }, names);
  return table && { ...table, beside: [...members.filter((member) => member !== part), ...table.beside] };
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
  if (columns?.kind === "list" && columns.first === "plain" && rows) {
    const used = new Set([columns, rows, find("index")]);
    return { shape: "split", path, rows: rows.key, beside: members.filter((member) => !used.has(member)) };
  }
  if (areColumns(members, kinds, names)) return { shape: "columns", path, beside: [] };
  return areRecords(members, kinds, names) ? { shape: "ids", path, beside: [] } : undefined;
}

/** Columns are objects with the same labels, or all of them lists; a conversation may be two lists in one record. */
function areColumns(members: readonly OutlinedMember[], kinds: JsonOutline["kinds"], names: RecordNames): boolean {
  const labels = members[0]?.keys ?? [];
  const areNamed = names.haveInputs(members.map(({ key }) => key));
  if (areOnly("list", kinds)) return areNamed && members.length > 2;
  if (!areOnly("object", kinds) || labels.length === 0 || !areAlike(members)) return false;
  const areCounted = labels[0] === "0" && labels.every((label) => WHOLE.test(label));
  if (!areNamed) return areCounted && members.length > 1 && members.some(({ hasText }) => hasText);
  // A record may have parts with the same keys, too: it takes more to be sure where the labels are not numbers.
  return labels.every((label) => WHOLE.test(label)) || (labels.length > 1 && members.length > 2);
}

/** Records by id have inputs, or all of them the same keys, and texts: numbers alone are a summary. */
function areRecords(members: readonly OutlinedMember[], kinds: JsonOutline["kinds"], names: RecordNames): boolean {
  if (!areOnly("object", kinds) || names.haveInputs(members.map(({ key }) => key))) return false;
  if (members.some(({ keys }) => names.haveInputs(keys))) return true;
  const isTable = members.length > 1 && (members[0]?.keys.length ?? 0) > 1 && areAlike(members);
  return isTable && members.every(({ hasText }) => hasText);
}

function areOnly(kind: OutlinedMember["kind"], kinds: JsonOutline["kinds"]): boolean {
  return kinds.size === 1 && kinds.has(kind);
}

/** True where all have the same keys, as far as they were looked at. */
function areAlike([first, ...others]: readonly OutlinedMember[]): boolean {
  const keys = first?.keys ?? [];
  return others.every((other) => other.keys.length === keys.length && other.keys.every((key, at) => key === keys[at]));
}

const WHOLE = /^(?:0|[1-9]\d*)$/;

function partAt(file: ResultFile, path: readonly string[], names: RecordNames): DocumentPart | undefined {
  const above = outlineJson(file.bytes, path.slice(0, -1));
  const part = above?.members.find(({ key }) => key === path.at(-1));
  if (!above || !part) return undefined;
  const beside = path.length === 1 ? besides(above, part) : [];
  if (part.kind === "list") return { shape: "list", path, beside };
  const outline = outlineJson(file.bytes, path);
  const table = outline && tableOf(outline, path, names);
  if (table) return { ...table, beside };
  return outline && areOnly("object", outline.kinds) ? { shape: "ids", path, beside } : undefined;
}
