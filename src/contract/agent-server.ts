import * as z from "zod";
import { spare } from "./spare.ts";

/** What an agent server answers about itself; a server may leave any of it out. */
export const AgentServerInfo = z.looseObject({
  version: spare(z.string()),
  host: spare(
    z.looseObject({
      /** The revision that serves, where the platform passes it to the agent server. */
      host_revision_id: spare(z.string()),
    }),
  ),
});
export type AgentServerInfo = z.infer<typeof AgentServerInfo>;

/** A configured instance of a graph. */
export const Assistant = z.looseObject({
  assistant_id: z.string(),
  graph_id: z.string(),
  name: spare(z.string()),
  metadata: spare(z.record(z.string(), z.unknown())),
});
export type Assistant = z.infer<typeof Assistant>;

/** The body of POST /assistants/count. */
export const AssistantCount = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).nullish(),
  graph_id: z.string().nullish(),
});

/** The body of POST /assistants/search. */
export const AssistantSearch = AssistantCount.extend({
  limit: z.number().int().min(1).max(1000).optional(),
  offset: z.number().int().min(0).optional(),
});

/** What a search may ask for besides metadata; servers may know more. */
export interface AssistantFilter {
  /** The assistant's metadata must contain each of these values unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The id of a graph: only its assistants are meant. */
  readonly graph_id?: string;
}

const JsonSchema = spare(z.record(z.string(), z.unknown()));

/** What a graph takes and gives, as JSON Schemas; null where the server does not know. */
export const GraphSchemas = z.looseObject({
  graph_id: spare(z.string()),
  input_schema: JsonSchema,
  output_schema: JsonSchema,
  state_schema: JsonSchema,
  config_schema: JsonSchema,
  context_schema: JsonSchema,
});
export type GraphSchemas = z.infer<typeof GraphSchemas>;

const NodeId = z.union([z.string(), z.number()]);

/** The nodes of a graph, and how they follow each other. */
export const AssistantGraph = z.looseObject({
  nodes: z.array(z.looseObject({ id: NodeId })),
  edges: z.array(z.looseObject({ source: NodeId, target: NodeId })),
});
export type AssistantGraph = z.infer<typeof AssistantGraph>;

/** The body of POST /runs/wait and /runs/stream; servers know more fields than these. */
export const RunCreate = z.looseObject({
  /** The id of an assistant, or that of a graph for the assistant that the server made for it. */
  assistant_id: z.string(),
  /** What the graph begins with: an object for nearly all graphs. */
  input: z.unknown().optional(),
  /** How the graph is run, such as `{ configurable: {…} }`. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** What the graph is given besides its input. */
  context: z.record(z.string(), z.unknown()).optional(),
  /** Facts about the run, by name. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** What a stream sends: `values` (the state after each step), `updates` (what each step changed) and others. */
  stream_mode: z.union([z.string(), z.array(z.string())]).optional(),
});
export type RunCreate = Readonly<z.infer<typeof RunCreate>>;

/** One piece of news of a run that is streamed. */
export interface RunEvent {
  /** `metadata`, `values`, `updates`, …: what `data` is. */
  readonly event: string;
  /** JSON; undefined for an event without data. */
  readonly data: unknown;
  readonly id: string | undefined;
}
