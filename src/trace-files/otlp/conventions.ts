import type { RunType } from "../../contract/run.ts";
import { setFields } from "../../contract/set-fields.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { tokenCount, tokensOf } from "../../files/token-usage.ts";
import { objectOf } from "../runs/sent-value.ts";
import { SpanAttributes } from "./attributes.ts";
import type { SpanEvent } from "./event.ts";

// The attributes and events of the OpenTelemetry conventions for generative AI, OpenInference, Traceloop, and Google's
// Agent Development Kit.

/** Where a convention has an input or an output. */
interface Source {
  /** The attribute; with `isBelow`, the prefix of the attributes. */
  readonly name: string;
  readonly isBelow?: boolean;
  /** The key of the value in the run; without one, an object is the whole value. */
  readonly as?: "documents" | "messages" | "query";
  /** The key inside each item that holds the item. */
  readonly within?: "document" | "message";
  /** What stands there where the program does not record its messages. */
  readonly placeholders?: readonly string[];
}

// A call of a tool has such a request of a model besides.
const NOT_RECORDED = ["{}", "N/A"];

// The first one present counts, the others become metadata. Flattened lists of messages have more than the texts beside
// them.
const INPUTS: readonly Source[] = [
  { name: "gen_ai.input.messages", as: "messages" },
  { name: "gen_ai.tool.call.arguments" },
  { name: "gen_ai.retrieval.query.text", as: "query" },
  { name: "llm.input_messages", isBelow: true, as: "messages", within: "message" },
  { name: "gen_ai.prompt", isBelow: true, as: "messages" },
  { name: "gen_ai.prompt", as: "messages" },
  { name: "traceloop.entity.input" },
  { name: "input.value" },
  { name: "gcp.vertex.agent.tool_call_args", placeholders: NOT_RECORDED },
  { name: "gcp.vertex.agent.llm_request", placeholders: NOT_RECORDED },
  { name: "gcp.vertex.agent.data", placeholders: NOT_RECORDED },
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
  { name: "gcp.vertex.agent.tool_response", placeholders: NOT_RECORDED },
  { name: "gcp.vertex.agent.llm_response", placeholders: NOT_RECORDED },
];
/** What is added to the inputs. */
const MORE_INPUTS = [
  ["gen_ai.system_instructions", "system_instructions"],
  ["gen_ai.tool.definitions", "tools"],
] as const;

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
// Events that have the attributes of a span.
const CONTENT_EVENTS: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.completion",
  "gen_ai.content.prompt",
]);

/** The run type by the kind of a span, for each attribute that has one; case does not matter. */
const KINDS: readonly (readonly [attribute: string, types: Readonly<Record<string, RunType>>])[] = [
  [
    "gen_ai.operation.name",
    {
      chat: "llm",
      text_completion: "llm",
      generate_content: "llm",
      embeddings: "embedding",
      execute_tool: "tool",
      retrieval: "retriever",
      invoke_agent: "chain",
      create_agent: "chain",
      invoke_workflow: "chain",
    },
  ],
  [
    "openinference.span.kind",
    {
      llm: "llm",
      embedding: "embedding",
      retriever: "retriever",
      reranker: "retriever",
      tool: "tool",
      prompt: "prompt",
      chain: "chain",
      agent: "chain",
      guardrail: "chain",
      evaluator: "chain",
    },
  ],
  ["traceloop.span.kind", { workflow: "chain", task: "chain", agent: "chain", tool: "tool" }],
  ["llm.request.type", { chat: "llm", completion: "llm", embedding: "embedding", rerank: "retriever" }],
];

// The first versions of the convention have no operation name.
const MODEL = ["gen_ai.request.model", "gen_ai.response.model"];

/** The attributes with the tokens of a call, the newest name first. */
const COUNTS = {
  input_tokens: [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
  ],
  output_tokens: [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
  ],
  total_tokens: ["gen_ai.usage.total_tokens", "llm.token_count.total", "llm.usage.total_tokens"],
  // The convention counts both within the input; an instrumentation that hands on what Anthropic reports does not.
  cache_read_input_tokens: [
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read",
  ],
  cache_creation_input_tokens: [
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
  ],
} as const;

/** The run type of a span; `chain` where no convention has one. */
export function spanType(attributes: SpanAttributes): RunType {
  for (const [attribute, types] of KINDS) {
    const kind = attributes.text(attribute)?.toLowerCase();
    const type = kind === undefined || !Object.hasOwn(types, kind) ? undefined : types[kind];
    if (type !== undefined) return type;
  }
  return MODEL.some((name) => attributes.has(name)) && !attributes.has("gen_ai.operation.name") ? "llm" : "chain";
}

/** The tokens of a model call: input, output and total; undefined where no attribute has them. */
export function spanUsage(attributes: SpanAttributes): JsonObject | undefined {
  const count = (names: readonly string[]) =>
    names.map((name) => tokenCount(attributes.get(name))).find((tokens) => tokens !== undefined);
  const [input, output] = [count(COUNTS.input_tokens), count(COUNTS.output_tokens)];
  const total =
    tokensOf(
      setFields({
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: count(COUNTS.total_tokens),
        cache_read_input_tokens: count(COUNTS.cache_read_input_tokens),
        cache_creation_input_tokens: count(COUNTS.cache_creation_input_tokens),
      }),
    ) ?? 0;
  if (input === undefined && output === undefined && total === 0) return undefined;
  return setFields({ input_tokens: input, output_tokens: output, total_tokens: total });
}

/** True for an event that has only inputs or outputs. */
export function isContentEvent({ name }: SpanEvent): boolean {
  return MESSAGE_EVENT.test(name) || name === "gen_ai.choice" || CONTENT_EVENTS.has(name);
}

/** The inputs and outputs of a span. Takes them from its attributes, or reads them from its events. */
export function spanContent(attributes: SpanAttributes, events: readonly SpanEvent[]) {
  const places = [
    attributes,
    ...events.filter(({ name }) => CONTENT_EVENTS.has(name)).map((event) => new SpanAttributes(event.attributes)),
  ];
  const first = (sources: readonly Source[], name: "input" | "output"): JsonObject | undefined =>
    places
      .map((place) => {
        for (const source of sources) {
          const given = place.text(source.name);
          if (given !== undefined && source.placeholders?.includes(given) === true) continue;
          const value = source.isBelow === true ? place.takeBelow(source.name) : place.take(source.name);
          if (value !== undefined && value !== null && value !== "") return contentOf(value, source, name);
        }
        return undefined;
      })
      .find((found) => found !== undefined);
  const more = places.map((place) =>
    setFields(Object.fromEntries(MORE_INPUTS.map(([name, key]) => [key, place.take(name)]))),
  );
  const inputs = first(INPUTS, "input") ?? messagesOf(events, ({ name }) => MESSAGE_EVENT.exec(name)?.[1]);
  const outputs =
    first(OUTPUTS, "output") ?? messagesOf(events, ({ name }) => (name === "gen_ai.choice" ? "assistant" : undefined));
  const beside = more.reduceRight<JsonObject>((all, found) => ({ ...all, ...found }), {});
  return { inputs: { ...beside, ...inputs }, outputs: outputs ?? {} };
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

/** The messages of spans that record each one as an event. */
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
