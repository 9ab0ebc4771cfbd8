import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";

/** What a field has to be, and the words for it in an error. */
export interface Kind<Value extends JsonValue> {
  readonly is: (value: JsonValue | undefined) => value is Value;
  readonly words: string;
}

export const TEXT: Kind<string> = { is: (value) => typeof value === "string", words: "a text" };
export const FLAG: Kind<boolean> = { is: (value) => typeof value === "boolean", words: "true or false" };
export const NUMBER: Kind<number | ExactNumber | typeof NOT_A_NUMBER> = {
  is: (value): value is number | ExactNumber | typeof NOT_A_NUMBER =>
    typeof value === "number" || value instanceof ExactNumber || value === NOT_A_NUMBER,
  words: "a number",
};
export const ID: Kind<string | number | ExactNumber> = {
  is: (value) => typeof value === "string" || typeof value === "number" || value instanceof ExactNumber,
  words: "a text or a number",
};
export const OBJECT: Kind<JsonObject> = { is: isJsonObject, words: "an object" };
export const LIST: Kind<readonly JsonValue[]> = { is: isJsonList, words: "a list" };
