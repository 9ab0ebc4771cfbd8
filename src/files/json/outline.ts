import type { ByteSource } from "./byte-source.ts";
import { BYTE } from "./bytes.ts";
import { FAULT } from "./faults.ts";
import { parseJsonValue } from "./parsed-value.ts";
import type { JsonValue } from "./value.ts";
import { JsonWalk } from "./walk.ts";

/** What kind of value it is; a `plain` one holds no others. */
export type OutlinedKind = "list" | "object" | "plain";

/** A member of an object, and what its beginning shows. */
export interface OutlinedMember {
  readonly key: string;
  readonly kind: OutlinedKind;
  /** What the first value is that a list or an object holds; undefined where it holds none. */
  readonly first: OutlinedKind | undefined;
  /** The keys of an object, or of the object that a list begins with; at most 100. */
  readonly keys: readonly string[];
  /** True for an object with a text in it, and for a list that begins with one of these. */
  readonly hasText: boolean;
  /** A plain value that is not long. */
  readonly value: JsonValue | undefined;
}

export interface JsonOutline {
  /** Its first 1,000 members. */
  readonly members: readonly OutlinedMember[];
  /** The kinds of all members. */
  readonly kinds: ReadonlySet<OutlinedKind>;
}

/**
 * The members of the object at `path`, of which no more than names and short values are kept; undefined where no object
 * stands there. Throws `DataFileError` where the source is not JSON text up to the end of that object, as far as can be
 * seen without parsing it.
 */
export function outlineJson(source: ByteSource, path: readonly string[]): JsonOutline | undefined {
  using walk = new JsonWalk(source, MAX_KEPT_BYTES);
  walk.window.release();
  if (!walk.enter(path, BYTE.openObject)) return undefined;
  const members = new Map<string, OutlinedMember>();
  const kinds = new Set<OutlinedKind>();
  const depth = path.length + 1;
  for (const key of keysOf(walk)) {
    kinds.add(kindAt(walk));
    if (members.has(key)) throw walk.fault(FAULT.twice);
    if (members.size < MOST_MEMBERS) members.set(key, memberAt(walk, key, depth));
    else walk.passValue(depth);
  }
  if (path.length === 0 && walk.next() !== -1) throw walk.fault(FAULT.more);
  return { members: [...members.values()], kinds };
}

const MOST_MEMBERS = 1_000;
const MOST_KEYS = 100;
const LONGEST_VALUE = 1_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Passes the member whose value begins at the walk. */
function memberAt(walk: JsonWalk, key: string, depth: number): OutlinedMember {
  const kind = kindAt(walk);
  switch (kind) {
    case "plain": {
      const { window, line } = walk;
      window.hold();
      walk.passValue(depth);
      const bytes = window.kept();
      const value =
        bytes.length > LONGEST_VALUE ? undefined : parseJsonValue(bytes, { file: window.source.name, line });
      window.release();
      return { key, kind, first: undefined, keys: [], hasText: false, value };
    }
    case "object":
      return { key, kind, ...objectAt(walk, depth + 1), value: undefined };
    case "list":
      return { key, kind, ...listAt(walk, depth + 1), value: undefined };
  }
}

type Beginning = Pick<OutlinedMember, "first" | "hasText" | "keys">;

function objectAt(walk: JsonWalk, depth: number): Beginning {
  const keys: string[] = [];
  let first: OutlinedKind | undefined;
  let hasText = false;
  for (const key of keysOf(walk)) {
    first ??= kindAt(walk);
    hasText ||= walk.window.bytes[walk.window.at] === BYTE.quote;
    if (keys.length < MOST_KEYS) keys.push(key);
    walk.passValue(depth);
  }
  return { first, keys, hasText };
}

function listAt(walk: JsonWalk, depth: number): Beginning {
  walk.window.at++;
  let first: OutlinedKind | undefined;
  let object: Pick<Beginning, "hasText" | "keys"> = { keys: [], hasText: false };
  if (walk.nextOfMore() !== BYTE.closeList) {
    first = kindAt(walk);
    if (first === "object") object = objectAt(walk, depth + 1);
    else walk.passValue(depth);
    while (walk.passComma(BYTE.closeList)) walk.passValue(depth);
  }
  walk.window.at++;
  return { ...object, first };
}

/** The keys of the object that begins at the walk: a caller that takes one passes its value. */
function* keysOf(walk: JsonWalk): Generator<string, void, undefined> {
  walk.window.at++;
  if (walk.nextOfMore() !== BYTE.closeObject) {
    do yield walk.passKey();
    while (walk.passComma(BYTE.closeObject));
  }
  walk.window.at++;
}

function kindAt({ window }: JsonWalk): OutlinedKind {
  const byte = window.bytes[window.at];
  if (byte === BYTE.openObject) return "object";
  return byte === BYTE.openList ? "list" : "plain";
}
