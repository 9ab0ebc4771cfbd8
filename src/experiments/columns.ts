import type { MappedScore } from "./mapping.ts";

/** The whole of a part of a row, or what stands in it under a key. */
export interface PartRole {
  readonly part: "inputs" | "expected" | "outputs" | "metadata";
  readonly key: string | undefined;
}

/** What a column of a table, or a key of an object, is to a row. */
export type ColumnRole =
  | { readonly part: "id" | "error" | "start" | "end" | "cost" | "skipped" }
  | { readonly part: "latency"; readonly unitMilliseconds: number }
  /** Which repetition of its case the row is; `first` is the number of the first one. */
  | { readonly part: "repetition"; readonly first: 0 | 1 }
  /** Token counts: one of them, or an object of all. */
  | { readonly part: "usage"; readonly key: string | undefined }
  | PartRole
  | {
      readonly part: "score";
      readonly key: string;
      readonly kind?: MappedScore["kind"];
      /** How its cells are written, where all of them are written alike. */
      readonly form?: ScoreForm | undefined;
    }
  /** An object or a list of scores. */
  | { readonly part: "scores" };

/** How scores are written: as numbers, as words such as yes and no, as `90 %`, or with a decimal comma. */
export type ScoreForm = "number" | "word" | "percent" | "comma";

/** What kind of value it is; a missing one is nothing. */
export type ValueKind = "nothing" | "number" | "text" | "object";

/** What stands in a column, as far as it was seen; missing values do not count. */
export type ColumnKind = ValueKind | "mixed";

/** Tells the role of a column by its name; undefined where its values tell, or it has no role by itself. */
export type RoleOfName = (name: string) => ColumnRole | undefined;

/** The roles of generic columns by their names, given all names: `output_tokens` is no output beside `output`. */
export function rolesOfNames(names: Iterable<string>): RoleOfName {
  const exact = new Set([...names].flatMap((name) => exactRole(name)?.part ?? []));
  return (name) => {
    const role = exactRole(name);
    if (role !== undefined) return role;
    const part = loosePart(name);
    return part === undefined || exact.has(part) ? undefined : { part, key: undefined };
  };
}

/** The role of a column whose name does not tell it. */
export function roleOfKind(name: string, kind: ColumnKind): ColumnRole {
  const key = name.trim();
  if (kind === "number") return { part: "score", key };
  if (kind !== "object") return { part: "metadata", key };
  const plain = plainName(name);
  if (plain === "score" || plain === "scores") return { part: "scores" };
  return { part: "metadata", key: plain === "metadata" ? undefined : key };
}

const WHOLE: ReadonlyMap<string, ColumnRole> = new Map<string, ColumnRole>([
  ...["id", "row_id"].map((name) => [name, { part: "id" }] as const),
  ["error", { part: "error" }],
  ["start_time", { part: "start" }],
  ["end_time", { part: "end" }],
  ...["", "unnamed:_0"].map((name) => [name, { part: "skipped" }] as const),
  ...(
    [
      ["inputs", ["input", "inputs"]],
      ["expected", ["expected", "expected_output", "expected_outputs"]],
      ["outputs", ["output", "outputs", "actual_output", "actual_outputs"]],
    ] as const
  ).flatMap(([part, names]) => names.map((name) => [name, { part, key: undefined }] as const)),
]);

const LATENCY = /^latency(?:_(.+))?$/;
const UNIT_MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["msec", 1],
  ["millis", 1],
  ["milliseconds", 1],
  ["s", 1_000],
  ["sec", 1_000],
  ["secs", 1_000],
  ["seconds", 1_000],
]);
/** A latency without a unit is in seconds, as Python's clocks count. */
const SECOND_MILLISECONDS = 1_000;

function exactRole(name: string): ColumnRole | undefined {
  const plain = plainName(name);
  const whole = WHOLE.get(plain);
  if (whole !== undefined) return whole;
  const [, unit] = LATENCY.exec(plain) ?? [];
  if (plain === "latency") return { part: "latency", unitMilliseconds: SECOND_MILLISECONDS };
  const unitMilliseconds = unit === undefined ? undefined : UNIT_MILLISECONDS.get(unit);
  if (unitMilliseconds !== undefined) return { part: "latency", unitMilliseconds };
  return roleBelow(name);
}

/** `inputs.question` is the question of the inputs. */
function roleBelow(name: string): ColumnRole | undefined {
  const dot = name.indexOf(".");
  const key = name.slice(dot + 1).trim();
  if (dot < 1 || key === "") return undefined;
  const parent = plainName(name.slice(0, dot));
  if (parent === "score" || parent === "scores") return { part: "score", key };
  if (parent === "metadata") return { part: "metadata", key };
  const role = WHOLE.get(parent);
  if (role?.part === "inputs" || role?.part === "expected" || role?.part === "outputs") {
    return { part: role.part, key };
  }
  const part = loosePart(parent);
  return part === undefined ? undefined : { part, key };
}

function loosePart(name: string): "expected" | "outputs" | undefined {
  const plain = plainName(name);
  if (MEASURE.test(plain)) return undefined;
  if (plain.startsWith("expected_")) return "expected";
  return /^(?:actual_)?outputs?_/.test(plain) ? "outputs" : undefined;
}

/** What is measured of an output is none. */
const MEASURE = /_(?:tokens?|costs?|counts?|len|length|size|chars|words|score|ms|s|seconds)$/;

/** One spelling for `Expected output`, `expectedOutput` and `expected-output`. */
function plainName(name: string): string {
  return name
    .trim()
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s_-]+/g, "_");
}
