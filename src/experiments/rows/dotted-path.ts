import { isJsonList, isJsonObject, type JsonValue } from "../../files/json/value.ts";
import { parsePath, valueAtPath, type JsonPath } from "../../files/json/path.ts";

/** A step of a path leads to more than one entry of a list. */
export class AmbiguousStepError extends Error {
  readonly step: string;

  constructor(step: string) {
    super(`several entries of a list are named ${JSON.stringify(step)}`);
    this.step = step;
  }
}

/**
 * The value at a dotted path, or at one with brackets; a key that holds dots itself is found whole first. A step into a list is a place in it,
 * from 0, or the `name`, `key` or `metric` of an entry: `scores.Factuality` finds `{"name": "Factuality", …}`.
 * Undefined where there is none. Throws AmbiguousStepError.
 */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  const whole = valueOfKey(value, path);
  if (whole !== undefined || value === undefined) return whole;
  const brackets = bracketPath(path);
  if (brackets) return valueAtPath(value, brackets)?.value;
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const below = valueOfKey(value, path.slice(0, dot));
    const found = below === undefined ? undefined : valueAt(below, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A path as `$.a[-1]["b c"]`; undefined for a dotted one. */
export function bracketPath(path: string): JsonPath | undefined {
  return path.startsWith("$") && path.includes("[") ? parsePath(path) : undefined;
}

/** The key that a path with brackets begins with; undefined for a dotted one, since keys may hold dots. */
export function firstOfBrackets(path: string): string | undefined {
  const first = bracketPath(path)?.steps[0];
  return first === undefined ? undefined : String(first);
}

function valueOfKey(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (!isJsonList(value)) return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (LIST_PLACE.test(key)) return value[Number(key)];
  const [entry, other] = value.filter((item) => isJsonObject(item) && ENTRY_NAMES.some((name) => item[name] === key));
  if (other !== undefined) throw new AmbiguousStepError(key);
  return entry;
}

const ENTRY_NAMES = ["name", "key", "metric"];
const LIST_PLACE = /^(?:0|[1-9]\d{0,8})$/;
