import { randomUUID } from "node:crypto";

/** From so many characters on, a text is worth writing apart. */
export const LEAST_LONG = 4096;
// To write a text apart takes nine times its memory.
const MOST_LONG = 128 * 1024;
// One text may stand in a list a thousand times, and no string ends what is made of the pieces.
const MOST_CUT = 4 * 1024 * 1024;
// JSON.stringify is recursive and overflows the stack; no reader needs more levels.
const MOST_DEPTH = 200;
// Objects that refer to each other expand into one copy for each path through them.
const MOST_OBJECTS = 200_000;
const UNREADABLE = "[Unreadable]";

interface Walk {
  /** The objects that contain the current one. */
  readonly within: Set<object>;
  /** How many more objects it may copy. */
  left: number;
}

/**
 * JSON of any value of a program. Values that JSON cannot represent become readable ones: a Map an object, bytes base64,
 * an Error its name and message; `[Circular]`, `[Too deep]`, `[Too much]` and `[Unreadable]` mark what is left out. Never
 * throws.
 */
export function anyJson(value: unknown): string {
  return jsonOf(value, stringify);
}

/** JSON without its long texts: what stands before, between and after them; and the texts, none of them written yet. */
export interface CutJson {
  readonly pieces: readonly string[];
  /** Well-formed. */
  readonly texts: readonly string[];
}

/** As `anyJson`; the JSON of a plain value that has long texts, which are not huge alone or together, comes without them. */
export function cutJson(value: unknown): CutJson | string {
  return jsonOf<CutJson | string>(value, (plain, { longest, all }) =>
    longest < LEAST_LONG || longest > MOST_LONG || all > MOST_CUT ? stringify(plain) : cut(plain),
  );
}

// In the place of a text; it leaves this process in no value.
const MARK = `text-${randomUUID()}`;

function cut(value: unknown): CutJson | undefined {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    // Half of a surrogate pair becomes an escape.
    if (typeof item !== "string" || item.length < LEAST_LONG || !item.isWellFormed()) return item;
    texts.push(item);
    return MARK;
  });
  return { pieces: json.split(`"${MARK}"`), texts };
}

/** What has been seen of a value. */
interface Sight {
  /** How long its longest text is. */
  longest: number;
  /** How long its long texts are together, each counted wherever it stands. */
  all: number;
}

function jsonOf<Json>(value: unknown, write: (plain: unknown, sight: Sight) => Json | undefined): Json | string {
  const sight = { longest: 0, all: 0 };
  try {
    // Nearly all values are plain, and checking that costs less than a copy.
    if (isPlain(value, MOST_DEPTH, sight)) return write(value, sight) ?? "null";
  } catch {
    // A proxy that throws, or a getter that returns something else the second time.
  }
  try {
    return stringify(copyOf(value, { within: new Set(), left: MOST_OBJECTS })) ?? "null";
  } catch {
    // The text exceeds the maximum length of a string.
    return JSON.stringify(UNREADABLE);
  }
}

// Undefined for values JSON cannot represent, such as functions.
function stringify(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/** True when JSON.stringify writes the value without loss and without calling its code. */
function isPlain(value: unknown, depth: number, sight: Sight): boolean {
  if (typeof value === "string") {
    sight.longest = Math.max(sight.longest, value.length);
    if (value.length >= LEAST_LONG) sight.all += value.length;
  }
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1, sight));
  if (!isBareObject(value) || "toJSON" in value) return false;
  try {
    // A loop: making a list of values for each object would take most of the time.
    for (const key in value) {
      const item: unknown = Reflect.get(value, key);
      if (typeof item === "number" || (typeof item === "string" && item.length < LEAST_LONG)) continue;
      if (!isPlain(item, depth - 1, sight)) return false;
    }
    return true;
  } catch {
    // A getter that throws.
    return false;
  }
}

function copyOf(value: unknown, walk: Walk): unknown {
  const { within } = walk;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (within.has(value)) return "[Circular]";
  if (within.size === MOST_DEPTH) return "[Too deep]";
  if (walk.left === 0) return "[Too much]";
  walk.left -= 1;
  within.add(value);
  try {
    return copyOfObject(value, (part) => copyOf(part, walk));
  } catch {
    return UNREADABLE;
  } finally {
    within.delete(value);
  }
}

function copyOfObject(value: object, copy: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (ArrayBuffer.isView(value)) return base64(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return base64(value, 0, value.byteLength);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) {
    return Object.fromEntries(
      Array.from(value, ([key, item]) => [typeof key === "string" ? key : anyJson(key), copy(item)]),
    );
  }
  if (value instanceof Set) return Array.from(value, copy);
  if (value instanceof RegExp) return String(value);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const json: unknown = Reflect.apply(value.toJSON, value, []);
    return json === value ? copyOfFields(value, copy) : copy(json);
  }
  return copyOfFields(value, copy);
}

function copyOfFields(value: object, copy: (part: unknown) => unknown): unknown {
  const fields = Object.keys(value).map((key) => {
    try {
      return [key, copy(Reflect.get(value, key))] as const;
    } catch {
      // One getter that throws must not hide the fields beside it.
      return [key, UNREADABLE] as const;
    }
  });
  return Object.fromEntries(fields);
}

function base64(buffer: ArrayBufferLike, offset: number, length: number): string {
  return Buffer.from(buffer, offset, length).toString("base64");
}

/** True for an object literal, or one without a prototype. Throws where a proxy throws. */
export function isBareObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
