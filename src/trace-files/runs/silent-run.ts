import type { RunType } from "../../contract/run.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, saysNothing } from "../../files/json/value.ts";
import { cut } from "../../text/foreign-text.ts";

/** The types of runs that send something and get something back. */
const TALKING: ReadonlySet<RunType> = new Set(["llm", "embedding", "tool"]);
const MOST_TEXTS = 8;
const MOST_NAME_CHARACTERS = 60;
// Words, or the JSON of an object or a list that is not empty.
const TEXT = /\S\s+\S|^\s*[[{]\s*[^\s\]}]/;

/** True for a call of a model or a tool without inputs and outputs. */
export function isSilent(run: { readonly runType: RunType; readonly hasContent: boolean }): boolean {
  return !run.hasContent && TALKING.has(run.runType);
}

/** True for inputs or outputs that are not empty. */
export function hasContent(inputs: JsonValue | undefined, outputs: JsonValue | undefined): boolean {
  return [inputs, outputs].some((value) => !saysNothing(value));
}

/** The first names of fields that hold text, which may be the inputs and outputs by another name. */
export function textNames(fields: JsonObject): readonly string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (names.length === MOST_TEXTS) break;
    if (holdsText(value)) names.push(cut(name, MOST_NAME_CHARACTERS));
  }
  return names;
}

function holdsText(value: JsonValue): boolean {
  if (typeof value === "string") return TEXT.test(value);
  if (isJsonList(value)) return value.some(holdsText);
  return isJsonObject(value) && Object.values(value).some(holdsText);
}
