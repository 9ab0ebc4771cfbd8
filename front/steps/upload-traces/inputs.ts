import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findFiles, type FoundFile } from "../../../src/files/find-files.ts";
import { TRACE_OPTIONS } from "../../../src/trace-files/options.ts";
import type { TraceRequest } from "../../../src/trace-files/request.ts";
import { UNSENT_PREFIX } from "../../../src/trace-files/sending/runs-file.ts";
import type { Host } from "../../host.ts";
import { reportPatterns, readWorkspace } from "../../options/workspace.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { inputsOf, type InputNames } from "../../options/never-empty.ts";
import { BASE_URL, readConnection, refuseKeysIn } from "../../options/service-connection.ts";
import { UPLOAD_OPTIONS, type UploadOptions } from "../../options/upload-options.ts";

const { ifNoFilesFound, dryRun, jobSummary, caCertificate, allowHttp, ...service } = UPLOAD_OPTIONS;
const { sessionName, ...reading } = TRACE_OPTIONS;
const OPTIONS = {
  ...reading,
  files: { ...reading.files, required: true },
  ifNoFilesFound,
  sessionName,
  ...service,
  dryRun: {
    ...dryRun,
    about: "Read and check everything, write the runs to a file, and send nothing. Needs no address and no key.",
  },
  jobSummary: { ...jobSummary, about: "Write what was stored to the job summary." },
  ...{ caCertificate, allowHttp },
};
const SPELLING = { files: "traces", url: "base-url" } as const;

export type TraceInputName = InputNames<typeof OPTIONS, typeof SPELLING>;

export const TRACE_INPUTS = inputsOf(OPTIONS, SPELLING);

export type TraceOptions = UploadOptions<TraceRequest>;

export async function readOptions(reader: InputReader<TraceInputName>, host: Host): Promise<TraceOptions | undefined> {
  const isDryRun = reader.read(OPTIONS, "dryRun");
  const given = reader.readAll(TRACE_OPTIONS);
  const files = await readTraceFiles(reader, host, given.files ?? []);
  const connection = await readConnection(reader, host, { ...BASE_URL, isNeeded: !isDryRun });
  refuseKeysIn(reader, host, ["session-name"]);
  const run = await host.run();
  if (!files || (!connection && !isDryRun)) return undefined;
  const request = { files, format: given.format, sessionName: given.sessionName };
  return { task: isDryRun ? "dry-run" : "upload", request, connection, runUrl: run.url };
}

/** The files that the inputs name; undefined after an error, which the reader has. */
async function readTraceFiles(
  reader: InputReader<TraceInputName>,
  { place }: Host,
  patterns: readonly string[],
): Promise<readonly FoundFile[] | undefined> {
  if (patterns.length === 0) reader.fault("traces", "is missing: list paths or globs of trace files, one a line");
  const workspace = await readWorkspace(reader, "traces", place);
  if (workspace === undefined) return undefined;
  const unsent = await Promise.all(patterns.map((pattern) => unsentFile(pattern, place.temp)));
  const others = patterns.filter((_, index) => !unsent[index]);
  const { files, ...wrong } = await findFiles(others, workspace);
  reportPatterns(reader, "traces", wrong, reader.read(OPTIONS, "ifNoFilesFound"));
  return [...unsent.filter((file) => file !== undefined), ...files];
}

/** The `unsent-path` of an earlier step, the one file that may be outside of the workspace. */
async function unsentFile(path: string, temp: string): Promise<FoundFile | undefined> {
  if (!isAbsolute(path)) return undefined;
  const [real, root] = await Promise.all([path, temp].map((each) => realpath(each).catch(() => undefined)));
  if (real === undefined || root === undefined) return undefined;
  const [directory = "", ...rest] = relative(root, real).split(sep);
  return directory.startsWith(UNSENT_PREFIX) && rest.length === 1 ? { path: real, name: path } : undefined;
}
