import { tmpdir } from "node:os";
import * as z from "zod";
import {
  abortSignal,
  checkedBoth,
  choice,
  functionOf,
  objectWith,
  type ShapesOf,
  somePath,
  someText,
} from "../contract/call-arguments.ts";
import { foundFiles } from "../files/found-file-shape.ts";
import { clockShape } from "../http/call-shapes.ts";
import { systemClock, type Clock } from "../http/clock.ts";
import type { Tracing } from "../tracing/client/client.ts";
import type { Emit } from "./events.ts";
import type { ReadingDeps } from "./reading/read-traces.ts";
import { TRACE_FORMATS, type TraceRequest } from "./request.ts";

/** What the reading of trace files works with; each has a default. */
export interface GivenReadingDeps {
  /** The time; that of this machine when not given. */
  readonly clock?: Clock | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Receives what happens, in order. */
  readonly emit?: Emit | undefined;
}

/** What an upload works with: the client that `connectTracing` returns; all others have a default. */
export interface UploadTracesDeps extends GivenReadingDeps {
  /** The client of the service, as `connectTracing` returns it. */
  readonly tracing: Tracing;
  /** An existing directory for temporary files, which the caller removes; one that is removed at the end when not given. */
  readonly spoolDirectory?: string | undefined;
  /**
   * An existing directory: runs that are not stored are kept in a new directory in it. That for temporary files of the
   * system when not given.
   */
  readonly unsentDirectory?: string | undefined;
}

/** What a dry run works with. */
export interface DryRunTracesDeps extends GivenReadingDeps {
  /** An existing directory: the file of runs is written to a new directory in it. */
  readonly requestDirectory: string;
}

const RequestShape: z.ZodType<TraceRequest> = z.strictObject({
  files: foundFiles,
  format: choice(TRACE_FORMATS).optional(),
  sessionName: someText.optional(),
} satisfies ShapesOf<TraceRequest>);

const READING = {
  clock: clockShape.optional(),
  signal: abortSignal.optional(),
  emit: functionOf<Emit>().optional(),
};
const UploadShape = z.looseObject({
  ...READING,
  tracing: objectWith<Tracing>(["sendBatch", "limits"], "a Tracing, as connectTracing returns it"),
  spoolDirectory: somePath.optional(),
  unsentDirectory: somePath.optional(),
} satisfies ShapesOf<UploadTracesDeps>);
const DryRunShape = z.looseObject({ ...READING, requestDirectory: somePath } satisfies ShapesOf<DryRunTracesDeps>);

/** The arguments of an upload with their defaults. Throws ArgumentsError with all that is wrong with both. */
export function readUpload(given: unknown, givenDeps: unknown) {
  const [request, read] = checkedBoth("uploadTraces", [RequestShape, given], [UploadShape, givenDeps]);
  const { unsentDirectory = tmpdir(), ...deps } = read;
  return { request, deps: { ...deps, unsentDirectory, ...readingDeps(deps) } };
}

/** The same of a dry run. */
export function readDryRun(given: unknown, givenDeps: unknown) {
  const [request, deps] = checkedBoth("dryRunTraces", [RequestShape, given], [DryRunShape, givenDeps]);
  return { request, deps: { ...deps, ...readingDeps(deps) } };
}

function readingDeps({ clock, signal, emit }: GivenReadingDeps): ReadingDeps {
  return {
    clock: clock ?? systemClock,
    signal: signal ?? new AbortController().signal,
    emit: emit ?? (() => undefined),
  };
}
