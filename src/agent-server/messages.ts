import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../files/json/value.ts";
import { tokenCount } from "../files/token-usage.ts";
import { canonicalJson } from "../text/canonical-json.ts";

/** The messages of a model that runs added to the state of a thread, in any of its keys: without those of their inputs. */
export function addedMessages(state: JsonValue | undefined, inputs: readonly JsonValue[]): readonly JsonObject[] {
  const given = inputs.flatMap(messagesOfModel).map(({ content = null }) => canonicalJson(content));
  const seen = new Set<JsonValue>();
  return messagesOfModel(state).filter(({ id = null, content = null }) => {
    // Two keys may hold one message.
    if (id !== null && seen.has(id)) return false;
    seen.add(id);
    const at = given.length === 0 ? -1 : given.indexOf(canonicalJson(content));
    if (at >= 0) given.splice(at, 1);
    return at < 0;
  });
}

/** The calls of tools in messages, in their order. */
export function toolCallsIn(messages: readonly JsonObject[]): readonly JsonObject[] {
  const calls = messages.flatMap(({ tool_calls: calls = null }) => (isJsonList(calls) ? calls : []));
  return calls.filter(isJsonObject).map(({ name = "", args = {} }) => ({ name, args }));
}

/**
 * Tokens by model, as the messages tell: `input` has what a cache had, `output` what was thought. Undefined where one of
 * them does not tell, or there is none: what is unknown is never 0.
 */
export function usageIn(messages: readonly JsonObject[]): JsonObject | undefined {
  const models = new Map<string, Record<string, number>>();
  for (const { usage_metadata: told = null, response_metadata: response = null } of messages) {
    const counts = {
      input: tokenCount(memberOf(told, "input_tokens")),
      output: tokenCount(memberOf(told, "output_tokens")),
      cache_read: tokenCount(memberOf(memberOf(told, "input_token_details"), "cache_read")),
      reasoning: tokenCount(memberOf(memberOf(told, "output_token_details"), "reasoning")),
    };
    if (counts.input === undefined || counts.output === undefined) return undefined;
    const model = memberOf(response, "model_name") ?? memberOf(response, "model");
    const name = typeof model === "string" ? model : "unknown";
    const usage = models.get(name) ?? {};
    models.set(name, usage);
    for (const [kind, count] of Object.entries(counts))
      if (count !== undefined) usage[kind] = (usage[kind] ?? 0) + count;
  }
  return models.size === 0 ? undefined : Object.fromEntries(models);
}

const MODEL_TYPES: ReadonlySet<JsonValue> = new Set(["ai", "AIMessageChunk", "assistant"]);

function messagesOfModel(state: JsonValue | undefined): readonly JsonObject[] {
  const values = isJsonObject(state) ? Object.values(state) : [];
  const all = values.flatMap((value) => (isJsonList(value) ? value : [value])).filter(isJsonObject);
  return all.filter((value) => "content" in value && MODEL_TYPES.has(value["type"] ?? value["role"] ?? null));
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
