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
  /** What becomes of the run when the client hangs up. */
  on_disconnect: z.enum(["cancel", "continue"]).optional(),
  /** What becomes of a run in a thread that has an open one; servers know more ways. */
  multitask_strategy: z.string().optional(),
  /** What becomes of a run in a thread that does not exist. */
  if_not_exists: z.enum(["create", "reject"]).optional(),
});
export type RunCreate = Readonly<z.infer<typeof RunCreate>>;

const Facts = z.record(z.string(), z.unknown());

/** A thread: the state that its runs leave to each other. */
export const Thread = z.looseObject({
  thread_id: z.string(),
  /** `idle`, `busy`, `interrupted` or `error`; servers may know more. */
  status: z.string(),
  /** The state after its last run; null before the first. */
  values: z.unknown().optional(),
  metadata: spare(Facts),
});
export type Thread = z.infer<typeof Thread>;

/** A run in a thread. */
export const ThreadRun = z.looseObject({
  run_id: z.string(),
  thread_id: z.string(),
  /** `pending`, `running`, `success`, `error`, `timeout` or `interrupted`; servers may know more. */
  status: z.string(),
  metadata: spare(Facts),
});
export type ThreadRun = z.infer<typeof ThreadRun>;

/** The state of a thread, and what its last run would do next. */
export const ThreadState = z.looseObject({
  values: z.unknown().optional(),
  /** The steps that are not done: those that failed say why in `error`. */
  tasks: spare(z.array(z.looseObject({ error: z.unknown().optional() }))),
});
export type ThreadState = z.infer<typeof ThreadState>;

/** The body of POST /threads. */
export const ThreadCreate = z.looseObject({
  /** A UUID; the server makes one when not given. */
  thread_id: z.string().optional(),
  /** Facts about the thread, by name; a search finds it by them. */
  metadata: Facts.optional(),
  /** What becomes of a second one with the same id: an error, or the one that there is. */
  if_exists: z.enum(["raise", "do_nothing"]).optional(),
});
export type ThreadCreate = Readonly<z.infer<typeof ThreadCreate>>;

/** The body of POST /threads/search. */
export const ThreadSearch = z.looseObject({
  metadata: Facts.nullish(),
  status: z.string().nullish(),
  limit: z.number().int().min(1).max(1000).optional(),
  offset: z.number().int().min(0).optional(),
});

/** What a search of threads may ask for. */
export interface ThreadFilter {
  /** The thread's metadata must contain each of these values unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** `idle`, `busy`, `interrupted` or `error`. */
  readonly status?: string;
}

/** One piece of news of a run that is streamed. */
export interface RunEvent {
  /** `metadata`, `values`, `updates`, …: what `data` is. */
  readonly event: string;
  /** JSON; undefined for an event without data. */
  readonly data: unknown;
  readonly id: string | undefined;
}
