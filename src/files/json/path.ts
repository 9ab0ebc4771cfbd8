import { jsonOrUndefined } from "../../text/json-text.ts";
import { isJsonList, isJsonObject, type JsonValue } from "./value.ts";

/** A place in JSON, as `$.messages[-1]["a key"]`. */
export interface JsonPath {
  /** As it was written; empty for the value as a whole. */
  readonly text: string;
  readonly steps: readonly (number | string)[];
}

const STEP = /\.([^.[\]:\s]+)|\[(-?\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * The path that a text begins with, and what follows it: `$` is the value as a whole. An index below zero counts from the
 * end; a key with other characters is `["a key"]`. Undefined for a text that begins with none.
 */
export function pathAtStart(text: string): { readonly path: JsonPath; readonly rest: string } | undefined {
  if (!text.startsWith("$")) return undefined;
  const steps: (number | string)[] = [];
  STEP.lastIndex = 1;
  let end = 1;
  for (let step = STEP.exec(text); step !== null; step = STEP.exec(text)) {
    const [, name, index, key] = step;
    const unescaped = jsonOrUndefined(`"${key ?? ""}"`);
    const written = typeof unescaped === "string" ? unescaped : key;
    steps.push(name ?? (index === undefined ? (written ?? "") : Number(index)));
    end = STEP.lastIndex;
  }
  return { path: { text: text.slice(0, end), steps }, rest: text.slice(end) };
}

/** The path that a text is; undefined for any other text. */
export function parsePath(text: string): JsonPath | undefined {
  const read = pathAtStart(text);
  return read?.rest === "" ? read.path : undefined;
}

/** What stands there, in a box, since it may be null; undefined where nothing does. */
export function valueAtPath(value: JsonValue, path: JsonPath): { readonly value: JsonValue } | undefined;
export function valueAtPath(value: unknown, path: JsonPath): { readonly value: unknown } | undefined;
export function valueAtPath(value: unknown, { steps }: JsonPath): { readonly value: unknown } | undefined {
  let found = value;
  for (const step of steps) {
    const key = Array.isArray(found) && typeof step === "number" && step < 0 ? found.length + step : step;
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return { value: found };
}

/** A value in which a text may stand for what is at a path of a row: such a text begins with `$.` or `$[`, or is `$`. */
export type JsonTemplate = JsonValue;

/** The first text of a template that begins as a path does, and is none; undefined where all can be read. */
export function faultyPathIn(template: JsonTemplate): string | undefined {
  if (typeof template === "string") return PATH_START.test(template) && !parsePath(template) ? template : undefined;
  if (!isJsonList(template) && !isJsonObject(template)) return undefined;
  for (const part of Object.values(template)) {
    const faulty = faultyPathIn(part);
    if (faulty !== undefined) return faulty;
  }
  return undefined;
}

/** The template with what stands at its paths; where nothing does, the first such path. */
export function filledFrom(
  row: JsonValue,
  template: JsonTemplate,
): { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly path: string } {
  if (typeof template === "string") {
    const path = PATH_START.test(template) ? parsePath(template) : undefined;
    const found = path ? valueAtPath(row, path) : { value: template };
    return found ? { ok: true, ...found } : { ok: false, path: template };
  }
  if (!isJsonList(template) && !isJsonObject(template)) return { ok: true, value: template };
  const parts: [string, JsonValue][] = [];
  for (const [key, part] of Object.entries(template)) {
    const filled = filledFrom(row, part);
    if (!filled.ok) return filled;
    parts.push([key, filled.value]);
  }
  return { ok: true, value: isJsonList(template) ? parts.map(([, value]) => value) : Object.fromEntries(parts) };
}

const PATH_START = /^\$(?:$|[.[])/;
