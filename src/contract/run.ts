import * as z from "zod";
import { spare } from "./spare.ts";

/** The seven run types that public clients send. The contract does not list all: a run may have any other. */
export const RUN_TYPES = ["chain", "llm", "tool", "retriever", "embedding", "prompt", "parser"] as const;

/** What a run does. */
export type RunType = (typeof RUN_TYPES)[number] | (string & Record<never, never>);

/** The fields that travel in parts of their own, when they are not empty. */
export const PART_FIELDS = ["inputs", "outputs", "events"] as const;

/** A field that travels in a part of its own. */
export type PartField = (typeof PART_FIELDS)[number];

/** How long a name may be at the public service. The contract has no limit, so a longer one is only warned about. */
export const MOST_NAME_CHARACTERS = 128;

const text = z.string().nullish();
// The service documents ISO 8601; a public client sends milliseconds since 1970 for some.
const time = z.union([z.string(), z.number()]).nullish();
const uuid = z.guid("must be a UUID").nullish();

/** A run as the wire has it; null means that nothing is said, and what is not named here is kept. */
export const Run = z.looseObject({
  /** Its id, a UUID; of version 7 it keeps the order of time. */
  id: z.guid("must be a UUID"),
  /** What it is called. */
  name: text,
  /** `chain`, `llm` and others; any text. */
  run_type: text,
  /** What it works on: an object. */
  inputs: z.unknown().optional(),
  /** What it made: an object. */
  outputs: z.unknown().optional(),
  /** What happened within it, in order. */
  events: z.array(z.unknown()).nullish(),
  /** When it began: ISO 8601, or milliseconds since 1970. */
  start_time: time,
  /** When it ended, as `start_time`. */
  end_time: time,
  /** The id of the run that it is part of, a UUID. */
  parent_run_id: uuid,
  /** The name of the project. */
  session_name: text,
  /** Any text: the contract does not say that it is a UUID. */
  session_id: text,
  /** The id of the root run of the trace, a UUID. */
  trace_id: uuid,
  /** Its place in the trace: section 4.3 of the contract. */
  dotted_order: text,
  /** Why it failed. */
  error: text,
});
export type Run = z.infer<typeof Run>;

/** What GET /info says about batches, where a service has it. */
export const TracingInfo = z.looseObject({
  version: spare(z.string()),
  batch_ingest_config: spare(
    z.looseObject({
      use_multipart_endpoint: spare(z.boolean()),
      /** The most runs of a request. */
      size_limit: spare(z.number().int().positive()),
      /** The most bytes of a request. */
      size_limit_bytes: spare(z.number().int().positive()),
    }),
  ),
  /** Which encodings of a body it takes. */
  instance_flags: spare(
    z.looseObject({ gzip_body_enabled: spare(z.boolean()), zstd_compression_enabled: spare(z.boolean()) }),
  ),
});
export type TracingInfo = z.infer<typeof TracingInfo>;

/** The names of all fields of a run. */
export const RUN_FIELDS: readonly string[] = Object.keys(Run.shape);
