import type { TracingInfo } from "../../contract/run.ts";

/** What a request may hold at most, and whether it may be compressed. */
export interface BatchLimits {
  readonly runs: number;
  /** Of the body before it is compressed. */
  readonly bytes: number;
  readonly gzip: boolean;
}

// What services say that say something; a service may name no limits.
const RUNS = 100;
const BYTES = 20_971_520;

/** The limits of a service that tells none. */
export const USUAL_LIMITS: BatchLimits = { runs: RUNS, bytes: BYTES, gzip: false };

/** The limits that a service tells; the usual ones where it is silent. */
export function limitsOf({ batch_ingest_config: batch, instance_flags: flags }: TracingInfo): BatchLimits {
  return {
    runs: batch?.size_limit ?? RUNS,
    bytes: batch?.size_limit_bytes ?? BYTES,
    gzip: flags?.gzip_body_enabled ?? false,
  };
}
