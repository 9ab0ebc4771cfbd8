import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Pair, type Scalar } from "yaml";
import { isExact } from "./json/exact-number.ts";
import { ExactNumber, type JsonValue } from "./json/value.ts";
import { quoted } from "../experiments/rows/quoted-name.ts";

/** What a YAML text stands for, or all that is wrong with it: clauses that can stand behind the name of an input. */
export type YamlReading =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly faults: readonly string[] };

/** How much a text may stand for. */
export interface YamlOptions {
  /** Characters and values together. */
  readonly largest?: number;
}

// What one mistake breaks is often told many times.
const MOST_FAULTS = 20;
/** Characters and values together; what a user writes by hand is far below, and aliases that multiply are far above. */
const LARGEST = 2_000_000;
const NOT_PLAIN = "is no YAML that stands for plain values";

/**
 * Reads one document of YAML 1.2's core schema, or of JSON, which is YAML too, as the JSON that it stands for: numbers
 * keep all of their digits, dates are texts, and `<<` and `__proto__` are keys as any other. An empty text is null.
 * Tags of other schemas, keys that are no text, keys that stand twice, and what JSON has no word for are faults.
 */
export function readYaml(text: string, { largest = LARGEST }: YamlOptions = {}): YamlReading {
  try {
    return readDocument(text, largest);
  } catch (error) {
    // RangeError: nested more deeply than the parser can follow.
    if (error instanceof NotPlain || error instanceof RangeError) return { ok: false, faults: [NOT_PLAIN] };
    throw error;
  }
}

// The parser's own messages quote the text, which may hold what nobody should read: only the places are said.
function readDocument(text: string, largest: number): YamlReading {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    // A directive %YAML 1.1 would bring dates, merge keys, and `no` for false; `silent` would drop further documents.
    ...{ schema: "core", merge: false, resolveKnownTags: false, logLevel: "error" },
    // The parser compares each key with each.
    ...{ uniqueKeys: false, prettyErrors: false, lineCounter: lines },
  });
  const broken = [...document.errors, ...document.warnings].map(({ pos, code }) => {
    const { line, col } = lines.linePos(pos[0]);
    return `is no YAML: line ${String(line)}, column ${String(col)} (${code})`;
  });
  if (broken.length > 0) return { ok: false, faults: firstOf(broken) };
  const walk = new Walk(largest);
  const value = walk.value(document.contents, []);
  return walk.faults.length === 0 ? { ok: true, value } : { ok: false, faults: firstOf(walk.faults) };
}

function firstOf(faults: readonly string[]): readonly string[] {
  const all = [...new Set(faults)];
  const more = all.length - MOST_FAULTS;
  return more > 0 ? [...all.slice(0, MOST_FAULTS), `has ${String(more)} more faults`] : all;
}

class NotPlain extends Error {}

/** The keys and places in lists that lead to a value. */
type Path = readonly string[];

/** Goes through the nodes of a document in their order. */
class Walk {
  readonly faults: string[] = [];
  readonly #anchors = new Map<string, { readonly value: JsonValue; readonly size: number }>();
  readonly #largest: number;
  #size = 0;

  constructor(largest: number) {
    this.#largest = largest;
  }

  value(node: unknown, path: Path): JsonValue {
    if (isAlias(node)) return this.#aliased(node.source);
    const before = this.#size;
    this.#grow(1);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    // An alias inside of it means this very node, which has no end.
    if (anchor !== undefined) this.#anchors.delete(anchor);
    const value = this.#plain(node, path);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #plain(node: unknown, path: Path): JsonValue {
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

  #entry({ key, value }: Pair, path: Path): readonly [string, JsonValue][] {
    const name = this.#key(key, path);
    // Also below a key that is none: what stands there may be used again elsewhere.
    const read = this.value(value, [...path, name ?? ""]);
    return name === undefined ? [] : [[name, read]];
  }

  #key(node: unknown, path: Path): string | undefined {
    const value = isScalar(node) ? node.value : undefined;
    // 1 and true are good names: as they are written.
    const written = isScalar(node) && (typeof value === "number" || typeof value === "boolean") ? node.source : value;
    const key = this.value(node, path);
    if (typeof written === "string") return written;
    if (typeof key === "string" && isAlias(node)) return key;
    this.#fault(path, "has a key that is no text");
    return undefined;
  }

  #scalar({ value, source }: Scalar, path: Path): JsonValue {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") {
      this.#grow(value.length);
      if (!value.isWellFormed()) this.#fault(path, "holds half of a surrogate pair");
      return value;
    }
    const number = typeof value === "number" ? numberOf(value, source ?? "") : undefined;
    if (number === undefined) this.#fault(path, "is no number that JSON can hold");
    return number ?? null;
  }

  #aliased(anchor: string): JsonValue {
    const found = this.#anchors.get(anchor);
    if (found === undefined) throw new NotPlain();
    this.#grow(found.size);
    return found.value;
  }

  #grow(size: number): void {
    this.#size += size;
    if (this.#size > this.#largest) throw new NotPlain();
  }

  #fault(path: Path, what: string): void {
    this.faults.push(path.length === 0 ? what : `${quoted(path.join(".") || '""')} ${what}`);
  }
}

/** A number of the core schema, with all digits; undefined for .nan and .inf. */
function numberOf(value: number, source: string): JsonValue | undefined {
  if (/[fn]/i.test(source) && !Number.isFinite(value)) return undefined;
  const text = /^0[ox]/.test(source) ? BigInt(source).toString() : jsonNumber(source);
  return isExact(text) ? value : new ExactNumber(text);
}

/** `+012.` and `-.5` as JSON writes them: `12` and `-0.5`. */
function jsonNumber(source: string): string {
  const [, sign = "", whole = "", rest = ""] = /^\+?(-?)0*(\d*)(.*)$/.exec(source) ?? [];
  return sign + (whole === "" ? "0" : whole) + rest.replace(/^\.(?!\d)/, "");
}
