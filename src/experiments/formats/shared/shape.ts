import * as z from "zod";
import type { FormatContext } from "./format.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { kindOf } from "../../../files/json/kind.ts";

/** Any value, and undefined where the field is absent. */
export const anyField = z.custom<JsonValue>().optional();
/** A text; null is as good as absent. */
export const textField = z.string().nullish();
export const booleanField = z.custom<boolean>((value) => typeof value === "boolean", { error: "true or false" });
/** An object, taken as it is; null is as good as absent. */
export const objectField = z.custom<JsonObject>(isJsonObject, { error: "an object" }).nullish();
/** A number as a double; null and NaN are as good as absent. */
export const numberField = z
  .custom<number | ExactNumber | typeof NOT_A_NUMBER>(
    (value) => typeof value === "number" || value instanceof ExactNumber || value === NOT_A_NUMBER,
    { error: "a number" },
  )
  .refine((value) => !(value instanceof ExactNumber) || Number.isFinite(value.value), { error: "one below 1.8e308" })
  .nullish()
  .transform((value) => {
    const number = value instanceof ExactNumber ? value.value : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  });

/** Where a value stands in a file. */
export interface ShapePlace extends FilePlace {
  /** The dotted path to it, where the line alone is not exact enough. */
  readonly path?: string;
  /** The path without the numbers of elements, where it is known without making the path. */
  readonly level?: string;
}

/**
 * Reads a value by a schema, and notes what the schema does not read; reports errors, without the data, and returns
 * undefined then.
 */
export function readShape<Shape>(
  schema: z.ZodType<Shape>,
  value: JsonValue,
  place: ShapePlace,
  context: FormatContext,
): Shape | undefined {
  const result = schema.safeParse(value);
  if (result.success) {
    context.ledger.look(schema, value, place);
    return result.data;
  }
  const where = { file: place.file, line: place.line, row: place.row };
  for (const issue of result.error.issues) {
    const field = [...(place.path === undefined ? [] : [place.path]), ...issue.path.map(String)].join(".");
    const kind = kindOf(valueOf(value, issue.path));
    const wanted = issue.code === "invalid_type" ? (WANTED.get(issue.expected) ?? issue.expected) : issue.message;
    context.fault(where, field === "" ? `the row is ${kind}, not ${wanted}` : `\`${field}\` is ${kind}, not ${wanted}`);
  }
  return undefined;
}

const WANTED: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["array", "a list"],
  ["object", "an object"],
]);

function valueOf(value: JsonValue | undefined, path: readonly PropertyKey[]): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === "number") return isJsonList(value) ? valueOf(value[key], rest) : undefined;
  if (!isJsonObject(value)) return undefined;
  return valueOf(Object.entries(value).find(([name]) => name === key)?.[1], rest);
}
