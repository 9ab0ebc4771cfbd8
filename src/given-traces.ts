import * as z from "zod";
import { type ArgumentReading, type ShapesOf, somePath } from "./contract/call-arguments.ts";
import { shapesOf } from "./contract/options.ts";
import { readGivenFiles } from "./given-files.ts";
import type { GivenTraceOptions } from "./trace-files/given-options.ts";
import { TRACE_OPTIONS } from "./trace-files/options.ts";
import type { TraceRequest } from "./trace-files/request.ts";

/** Files of runs or of spans, given by a program. */
export interface Traces extends GivenTraceOptions {
  /** Trace files, as paths, directories and globs relative to the working directory; the runs of one trace may be in several. */
  readonly files: string | readonly string[];
  /**
   * An existing directory: runs that are not stored are kept in a new directory in it, and the error says where.
   * `spoolDirectory` when not given.
   */
  readonly unsentDirectory?: string | undefined;
}

export const TracesShape = z.strictObject({
  ...shapesOf(TRACE_OPTIONS),
  unsentDirectory: somePath.optional(),
} satisfies ShapesOf<Traces>);

/** The request of an upload. Files that are not there are added to `faults`. */
export async function readGivenTraces(
  { value: { files, ...how } = {}, wrong }: ArgumentReading<z.infer<typeof TracesShape>>,
  workingDirectory: string,
  faults: string[],
): Promise<TraceRequest & Pick<Traces, "unsentDirectory">> {
  if (files === undefined && !wrong.has("files")) faults.push("`files` is missing");
  return { ...how, files: await readGivenFiles(files ?? [], workingDirectory, faults) };
}
