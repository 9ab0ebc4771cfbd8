import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { objectOf } from "../runs/sent-value.ts";
import { SpanAttributes } from "./attributes.ts";
import type { SpanEvent } from "./event.ts";

/** What a run gets of its span. */
export interface SpanContent extends Readonly<Record<string, JsonObject>> {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** Where a convention has an input or an output. */
interface Source {
  /** The attribute; with `isBelow` those whose names go on behind it. */
  readonly name: string;
  readonly isBelow?: boolean;
  /** The key under which it stands in what is sent; none for a value that is the whole, if it is an object. */
  readonly as?: "documents" | "messages" | "query";
  /** The key of each item that holds the item. */
  readonly within?: "document" | "message";
}

// The first that is there counts; what is left is metadata. Flattened lists of messages say more than texts beside them.
const INPUTS: readonly Source[] = [
  { name: "gen_ai.input.messages", as: "messages" },
  { name: "gen_ai.tool.call.arguments" },
  { name: "gen_ai.retrieval.query.text", as: "query" },
  { name: "llm.input_messages", isBelow: true, as: "messages", within: "message" },
  { name: "gen_ai.prompt", isBelow: true, as: "messages" },
  { name: "gen_ai.prompt", as: "messages" },
  { name: "traceloop.entity.input" },
  { name: "input.value" },
];
const OUTPUTS: readonly Source[] = [
  { name: "gen_ai.output.messages", as: "messages" },
  { name: "gen_ai.tool.call.result" },
  { name: "gen_ai.retrieval.documents", as: "documents" },
  { name: "llm.output_messages", isBelow: true, as: "messages", within: "message" },
  { name: "retrieval.documents", isBelow: true, as: "documents", within: "document" },
  { name: "gen_ai.completion", isBelow: true, as: "messages" },
  { name: "gen_ai.completion", as: "messages" },
  { name: "traceloop.entity.output" },
  { name: "output.value" },
];
/** What stands beside the inputs. */
const MORE_INPUTS = [
  ["gen_ai.system_instructions", "system_instructions"],
  ["gen_ai.tool.definitions", "tools"],
] as const;

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
// What the events are called whose attributes are those of a span.
const CONTENT_EVENTS: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.completion",
  "gen_ai.content.prompt",
]);

/** True for an event that says what went in or came out, and nothing else. */
export function isContentEvent({ name }: SpanEvent): boolean {
  return MESSAGE_EVENT.test(name) || name === "gen_ai.choice" || CONTENT_EVENTS.has(name);
}

/** What went into a span and what came out: of its attributes, which are taken, or else of its events. */
export function spanContent(attributes: SpanAttributes, events: readonly SpanEvent[]): SpanContent {
  const told = events
    .filter(({ name }) => CONTENT_EVENTS.has(name))
    .map((event) => new SpanAttributes(event.attributes));
  const first = (sources: readonly Source[], name: "input" | "output"): JsonObject | undefined =>
    [attributes, ...told].map((place) => firstOf(place, sources, name)).find((found) => found !== undefined);
  const more = [attributes, ...told].map(moreInputs);
  const inputs = first(INPUTS, "input") ?? messagesOf(events, ({ name }) => MESSAGE_EVENT.exec(name)?.[1]);
  const outputs = first(OUTPUTS, "output") ?? messagesOf(events, choiceRole);
  const beside = more.reduceRight<JsonObject>((all, found) => ({ ...all, ...found }), {});
  return { inputs: { ...beside, ...inputs }, outputs: outputs ?? {} };
}

function firstOf(attributes: SpanAttributes, sources: readonly Source[], name: "input" | "output") {
  for (const source of sources) {
    const value = source.isBelow === true ? attributes.takeBelow(source.name) : attributes.take(source.name);
    if (value !== undefined && value !== null && value !== "") return contentOf(value, source, name);
  }
  return undefined;
}

function contentOf(value: JsonValue, { as, within }: Source, name: "input" | "output"): JsonObject {
  if (as === "query") return { query: value };
  if (as === undefined || !isJsonList(value)) {
    const whole = objectOf(value, name);
    return isJsonObject(whole) ? whole : {};
  }
  return {
    [as]: within === undefined ? value : value.map((item) => (isJsonObject(item) ? (item[within] ?? item) : item)),
  };
}

function moreInputs(attributes: SpanAttributes): JsonObject {
  const found = MORE_INPUTS.map(([name, key]) => [key, attributes.take(name)] as const);
  return Object.fromEntries(found.filter((entry): entry is [(typeof entry)[0], JsonValue] => entry[1] !== undefined));
}

function choiceRole({ name }: SpanEvent): string | undefined {
  return name === "gen_ai.choice" ? "assistant" : undefined;
}

/** Messages that were told as events, one by one. */
function messagesOf(
  events: readonly SpanEvent[],
  roleOf: (event: SpanEvent) => string | undefined,
): JsonObject | undefined {
  const messages = events.flatMap((event): readonly JsonObject[] => {
    const role = roleOf(event);
    if (role === undefined) return [];
    const attributes = new SpanAttributes(event.attributes);
    const names = [...event.attributes.keys()];
    const fields = names.map((name) => [name, attributes.take(name) ?? null] as const);
    return [{ role, ...Object.fromEntries(fields) }];
  });
  return messages.length === 0 ? undefined : { messages };
}
