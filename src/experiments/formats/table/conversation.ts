import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceRow } from "../../rows/source-row.ts";

const ROLE_KEYS = ["role", "from", "type", "speaker", "author"];
const TEXT_KEYS = ["content", "value", "text", "message"];
const ASSISTANT: ReadonlySet<JsonValue> = new Set(["assistant", "ai", "model", "bot", "gpt", "agent"]);

/**
 * The row where its inputs are a conversation that ends with the message of the assistant, and it has no output: what
 * stands before that message went in, and the message came out.
 */
export function withLastMessage(row: SourceRow): SourceRow {
  const { inputs, outputs } = row;
  if (outputs !== undefined) return row;
  if (isJsonList(inputs)) {
    const output = outputOf(inputs);
    return output === undefined ? row : { ...row, inputs: inputs.slice(0, -1), outputs: output };
  }
  if (!isJsonObject(inputs)) return row;
  const lists = Object.entries(inputs).filter(([, value]) => isJsonList(value) && outputOf(value) !== undefined);
  const [[key, messages] = []] = lists;
  // Of two conversations neither is known to be the one that was answered.
  if (key === undefined || lists.length > 1 || !isJsonList(messages)) return row;
  return { ...row, inputs: { ...inputs, [key]: messages.slice(0, -1) }, outputs: outputOf(messages) };
}

/** The last message of a conversation, if it is the assistant's and answers another one. */
function outputOf(messages: readonly JsonValue[]): JsonValue | undefined {
  const last = messages.at(-1);
  if (messages.length < 2 || !messages.every(isMessage) || !isJsonObject(last)) return undefined;
  const role = ROLE_KEYS.map((key) => last[key]).find((value) => value !== undefined) ?? null;
  if (typeof role !== "string" || !ASSISTANT.has(role.toLowerCase())) return undefined;
  const text = TEXT_KEYS.map((key) => last[key]).find((value) => value !== undefined);
  // A message with more in it, such as the calls of tools, stays whole.
  const isPlain = typeof text === "string" && Object.keys(last).length === 2;
  return isPlain ? text : last;
}

function isMessage(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return ROLE_KEYS.some((key) => typeof value[key] === "string") && Object.keys(value).length > 1;
}
