import type { RunType } from "../../contract/run.ts";
import type { SpanAttributes } from "./attributes.ts";

/** What a convention calls the kinds of its spans, by the attribute that tells; in other case they are the same. */
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

// A call of a model that does not say what it is, as of the first versions of the convention.
const MODEL = ["gen_ai.request.model", "gen_ai.response.model"];

/** What a span does; a span of which no convention tells is a step of the program. */
export function spanType(attributes: SpanAttributes): RunType {
  for (const [attribute, types] of KINDS) {
    const kind = attributes.text(attribute)?.toLowerCase();
    const type = kind === undefined || !Object.hasOwn(types, kind) ? undefined : types[kind];
    if (type !== undefined) return type;
  }
  return MODEL.some((name) => attributes.has(name)) && !attributes.has("gen_ai.operation.name") ? "llm" : "chain";
}
