import * as z from "zod";
import { choice, type ShapesOf, somePath, someText } from "./contract/argument-shapes.ts";
import type { ArgumentReading } from "./contract/call-arguments.ts";
import { filesShape, readGivenFiles } from "./given-files.ts";
import { TRACE_FORMATS, type TraceFormat, type TraceRequest } from "./trace-files/request.ts";

/** Files of runs or of spans, given by a program. */
export interface Traces {
  /** Paths, directories and globs, relative to the working directory; the runs of one trace may be in several. */
  readonly files: string | readonly string[];
  /** The format of every file; found out from the content of each when not given. */
  readonly format?: TraceFormat | undefined;
  /** The project of the runs that name none; not given, each must name one. */
  readonly sessionName?: string | undefined;
  /**
   * An existing directory: runs that are not stored are kept in a new directory in it, and the error says where.
   * `spoolDirectory` when not given.
   */
  readonly unsentDirectory?: string | undefined;
}

/** The shape of what is uploaded. */
export const TracesShape = z.strictObject({
  files: filesShape.optional(),
  format: choice(TRACE_FORMATS).optional(),
  sessionName: someText.optional(),
  unsentDirectory: somePath.optional(),
} satisfies ShapesOf<Traces>);

/** The request of an upload. Files that are not there are added to `faults`. */
export async function readGivenTraces(
  { value: { files, format, sessionName } = {}, wrong }: ArgumentReading<z.infer<typeof TracesShape>>,
  workingDirectory: string,
  faults: string[],
): Promise<TraceRequest> {
  if (files === undefined && !wrong.has("files")) faults.push("`files` is missing");
  return { files: await readGivenFiles(files ?? [], workingDirectory, faults), format, sessionName };
}
