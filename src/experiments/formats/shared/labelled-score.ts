import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { writeJsonValue, type JsonValue } from "../../../files/json/value.ts";
import type { SourceScore } from "../../rows/source-row.ts";

/** A number or a boolean as a score; a text as the category that a scorer chose, which has no number. */
export function labelledScore(value: JsonValue | undefined): Pick<SourceScore, "more" | "value"> {
  if (typeof value === "string") return value === "" ? { value: undefined } : { value: undefined, more: { value } };
  const isNested = value !== undefined && (isJsonList(value) || isJsonObject(value));
  return isNested ? { value: undefined, more: { value: writeJsonValue(value) } } : { value };
}
