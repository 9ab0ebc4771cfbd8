import type * as Yaml from "yaml";
import { quotedName } from "../text/quoted.ts";
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from "./json/value.ts";
import { isExact } from "./json/exact-number.ts";

/** The JSON that a YAML text stands for, or what is wrong with the text: clauses that follow the name of an input. */
export type YamlReading<Value extends JsonValue = JsonValue> =
  | { readonly ok: true; readonly value: Value; readonly lineOf: LineOf }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The line, from 1, in which a value stands; of one that is not there, that of the nearest one above it. */
export type LineOf = (path: Path) => number;

// One mistake often breaks many lines.
const MOST_FAULTS = 20;
// Far above what a user writes by hand, and far below what aliases multiply to.
const LARGEST = 2_000_000;

type Parser = typeof Yaml;

/**
 * Reads one document of YAML 1.2's core schema, or of JSON, which is YAML too. Numbers keep all of their digits, dates
 * are texts, and `<<` and `__proto__` are ordinary keys. An empty text is null. Refuses tags of other schemas, keys
 * that are not text, repeated keys, and values that JSON cannot represent. `largest`: the most characters and values
 * together, with those of aliases.
 */
export async function readYaml(
  text: string,
  { largest = LARGEST }: { readonly largest?: number } = {},
): Promise<YamlReading> {
  // Most steps and most result files have no YAML, and do without its parser.
  const yaml = await import("yaml");
  try {
    const lines = new yaml.LineCounter();
    const document = yaml.parseDocument(text, {
      // A directive %YAML 1.1 would enable dates, merge keys and `no` for false; `silent` would ignore further documents.
      ...{ schema: "core", merge: false, resolveKnownTags: false, logLevel: "error" },
      // The parser compares each key with each other key; `Walk` uses a set.
      ...{ uniqueKeys: false, prettyErrors: false, lineCounter: lines },
    });
    // The parser's own messages quote the text, which may hold a secret: only the place and the code are reported.
    const broken = [...document.errors, ...document.warnings].map(({ pos, code }) => {
      const { line, col } = lines.linePos(pos[0]);
      return `is not valid YAML: line ${String(line)}, column ${String(col)} (${code})`;
    });
    if (broken.length > 0) return { ok: false, faults: firstOf(broken) };
    const walk = new Walk(yaml, largest);
    const value = walk.value(document.contents, []);
    if (walk.faults.length > 0) return { ok: false, faults: firstOf(walk.faults) };
    return { ok: true, value, lineOf: (path) => lines.linePos(offsetOf(yaml, document, path)).line };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, faults: [error.message] };
    // The parser follows nested values by calls of its own.
    if (error instanceof RangeError) return { ok: false, faults: ["is nested too deeply"] };
    throw error;
  }
}

/** Reads a YAML text that stands for an object; an empty text is an empty object. `example` is a line of one. */
export async function readYamlObject(text: string, example: string): Promise<YamlReading<JsonObject>> {
  if (text === "") return { ok: true, value: {}, lineOf: () => 1 };
  const read = await readYaml(text);
  if (!read.ok) return read;
  const { value, lineOf } = read;
  if (value === null) return { ok: true, value: {}, lineOf };
  if (isJsonObject(value)) return { ok: true, value, lineOf };
  return { ok: false, faults: [`must be a YAML mapping, for example \`${example}\``] };
}

function firstOf(faults: readonly string[]): readonly string[] {
  const all = [...new Set(faults)];
  const more = all.length - MOST_FAULTS;
  return more > 0 ? [...all.slice(0, MOST_FAULTS), `has ${String(more)} more errors`] : all;
}

/** Where in the text the value stands, or the nearest one above it: a member stands where its key does. */
function offsetOf({ isAlias, isMap, isNode, isScalar, isSeq }: Parser, document: Yaml.Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && (typeof key.value === "string" ? key.value : key.source) === step)
      : undefined;
    const item = isSeq(node) ? node.items[Number(step)] : pair?.key;
    if (!isNode(item)) break;
    offset = item.range?.[0] ?? offset;
    node = pair ? pair.value : item;
  }
  return offset;
}

class Unreadable extends Error {}

/** The keys and places in lists that lead to a value. */
type Path = readonly string[];

class Walk {
  readonly faults: string[] = [];
  readonly #anchors = new Map<string, { readonly value: JsonValue; readonly size: number }>();
  readonly #yaml: Parser;
  readonly #largest: number;
  #size = 0;

  constructor(yaml: Parser, largest: number) {
    this.#yaml = yaml;
    this.#largest = largest;
  }

  value(node: unknown, path: Path): JsonValue {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (isAlias(node)) return this.#aliased(node.source);
    const before = this.#size;
    this.#grow(1);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    // An alias to the node that contains it would never end.
    if (anchor !== undefined) this.#anchors.delete(anchor);
    const value = this.#plain(node, path);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #plain(node: unknown, path: Path): JsonValue {
    const { isMap, isScalar, isSeq } = this.#yaml;
    if (isScalar(node)) return this.#scalar(node, path);
    if (isSeq(node)) return node.items.map((item, index) => this.value(item, [...path, String(index)]));
    if (!isMap(node)) return null;
    const entries = node.items.flatMap((pair) => this.#entry(pair, path));
    const seen = new Set<string>();
    for (const [key] of entries) {
      if (seen.has(key)) this.#fault([...path, key], "is set twice");
      seen.add(key);
    }
    return Object.fromEntries(entries);
  }

  #entry({ key, value }: Yaml.Pair, path: Path): readonly [string, JsonValue][] {
    const name = this.#key(key, path);
    // Also below an invalid key: an alias may refer to a value there.
    const read = this.value(value, [...path, name ?? ""]);
    return name === undefined ? [] : [[name, read]];
  }

  #key(node: unknown, path: Path): string | undefined {
    const { isAlias, isScalar } = this.#yaml;
    const value = isScalar(node) ? node.value : undefined;
    // 1 and true are valid names, as written.
    const written = isScalar(node) && (typeof value === "number" || typeof value === "boolean") ? node.source : value;
    const key = this.value(node, path);
    if (typeof written === "string") return written;
    if (typeof key === "string" && isAlias(node)) return key;
    this.#fault(path, "has a key that is not text");
    return undefined;
  }

  #scalar({ value, source }: Yaml.Scalar, path: Path): JsonValue {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") {
      this.#grow(value.length);
      if (!value.isWellFormed()) this.#fault(path, "contains half of a surrogate pair");
      return value;
    }
    const number = typeof value === "number" ? numberOf(value, source ?? "") : undefined;
    if (number === undefined) this.#fault(path, "is not a number that JSON can represent");
    return number ?? null;
  }

  #aliased(anchor: string): JsonValue {
    const found = this.#anchors.get(anchor);
    if (!found) throw new Unreadable("has an alias without an anchor before it");
    this.#grow(found.size);
    return found.value;
  }

  #grow(size: number): void {
    this.#size += size;
    if (this.#size > this.#largest) throw new Unreadable("is too large, with its aliases expanded");
  }

  #fault(path: Path, what: string): void {
    this.faults.push(path.length === 0 ? what : `${quotedName(path.join(".") || '""')} ${what}`);
  }
}

/** A number of the core schema, with all digits; undefined for .nan and .inf. */
function numberOf(value: number, source: string): JsonValue | undefined {
  if (/[fn]/i.test(source) && !Number.isFinite(value)) return undefined;
  // `+012.` and `-.5` as JSON writes them: `12` and `-0.5`.
  const [, sign = "", whole = "", rest = ""] = /^\+?(-?)0*(\d*)(.*)$/.exec(source) ?? [];
  const decimal = sign + (whole === "" ? "0" : whole) + rest.replace(/^\.(?!\d)/, "");
  const text = /^0[ox]/.test(source) ? BigInt(source).toString() : decimal;
  return isExact(text) ? value : new ExactNumber(text);
}
