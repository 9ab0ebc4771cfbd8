import { isJsonList, isJsonObject, type JsonValue, writeJsonValue } from "../../../files/json/value.ts";

/** The error of a row whose tool says that it failed, and nothing of why: an empty text would look like no error. */
export const UNKNOWN_ERROR = "The tool reported a failure without a reason.";

/**
 * The text of an error, written as a text or as an object with a message; undefined where there is none: absent, null
 * or an empty text.
 */
export function errorText(error: JsonValue | undefined): string | undefined {
  if (error === undefined || error === null || error === "" || error === false) return undefined;
  if (typeof error === "string") return error;
  if (!isJsonObject(error)) return UNKNOWN_ERROR;
  const { message } = error;
  // The names in JavaScript, in Python, and of the events of evals.
  const name = error["name"] ?? error["type"];
  if (typeof message !== "string" || message === "") return UNKNOWN_ERROR;
  return typeof name === "string" && name !== "" ? `${name}: ${message}` : message;
}

/**
 * The text of what stands where any tool writes an error: its message, or else all of it. An empty list has none; an empty
 * object is what JSON makes of an error of JavaScript.
 */
export function errorTextOfAnyTool(value: JsonValue): string | undefined {
  if (value === "" || value === false) return undefined;
  if (isJsonList(value) && value.length === 0) return undefined;
  if (typeof value === "string") return value;
  const message = isJsonObject(value) ? value["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : writeJsonValue(value);
}
