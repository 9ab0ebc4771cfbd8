import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { dottedOrder } from "../../src/contract/dotted-order.ts";
import type { Clock } from "../../src/http/clock.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { Tracing } from "../../src/tracing/client/client.ts";
import { RunIngest, type IngestOptions } from "../../src/tracing/ingest/ingest.ts";
import { RunIds } from "../../src/tracing/tracer/run-id.ts";
import { TraceClock } from "../../src/tracing/tracer/trace-clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";

/** A client whose pauses take no time; it is closed after the test. */
export function tracing(url: string, clock: Clock = new FastClock()): Tracing {
  const http = new HttpClient({ clock, random: () => 1 });
  onTestFinished(() => http.close());
  return new Tracing({ endpoint: new Endpoint(url, { apiKey: "key", tenantId: "tenant" }), http });
}

/** Sends runs to a server, and is at its end after the test. */
export function ingest(url: string, options: Partial<IngestOptions> = {}): RunIngest {
  const { clock = new FastClock() } = options;
  return new RunIngest({ tracing: tracing(url, clock), clock, random: () => 1, ...options });
}

const ids = new RunIds();
const clock = new TraceClock({ now: () => performance.now(), date: () => new Date() });

/** A root run that a service takes. */
export function aRun(more: Readonly<Record<string, unknown>> = {}) {
  const startMicroseconds = clock.next();
  const id = ids.next(startMicroseconds);
  return {
    id,
    trace_id: id,
    dotted_order: dottedOrder({ startMicroseconds, id }),
    name: "a run",
    run_type: "chain",
    start_time: new Date(startMicroseconds / 1000).toISOString(),
    session_name: "tests",
    ...more,
  } as const;
}

/** So many runs, numbered from 0 in their inputs. */
export function manyRuns(count: number) {
  return Array.from({ length: count }, (_, index) => aRun({ inputs: { index } }));
}

/** A folder of its own, which is gone after the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "runs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
