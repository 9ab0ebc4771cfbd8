import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findFiles, type FoundFile } from "../../../src/files/find-files.ts";
import { TRACE_FORMATS, type TraceRequest } from "../../../src/trace-files/request.ts";
import { UNSENT_PREFIX } from "../../../src/trace-files/sending/runs-file.ts";
import { readNoFilesPolicy, reportPatterns } from "../../options/found-files.ts";
import type { InputReader } from "../../options/input-reader.ts";
import type { NeverEmpty } from "../../options/never-empty.ts";
import type { Host } from "../../host.ts";
import { refuseKeysIn } from "../../options/service-connection.ts";
import { readUpload, type UploadOptions } from "../../options/upload-inputs.ts";
import { readWorkspace } from "../../options/workspace.ts";

export type TraceOptions = UploadOptions<TraceRequest>;

/** Reads the options of the step, and finds the trace files. Undefined after an error, which the reader has. */
export async function readOptions(reader: InputReader<TraceInputName>, host: Host): Promise<TraceOptions | undefined> {
  return await readUpload<TraceInputName, Pick<TraceRequest, "files" | "format">, Pick<TraceRequest, "sessionName">>(
    reader,
    host,
    {
      files: readTraceFiles,
      rest: (_, { keys }) => {
        refuseKeysIn(reader, ["session-name"], keys);
        return { sessionName: reader.line("session-name") };
      },
    },
  );
}

/** The files that the inputs name; undefined after an error, which the reader has. */
async function readTraceFiles(
  reader: InputReader<TraceInputName>,
  { place }: Host,
): Promise<Pick<TraceRequest, "files" | "format"> | undefined> {
  const format = reader.choice("format", ["auto", ...TRACE_FORMATS]);
  const patterns = reader.lines("traces").map((line) => line.trim());
  if (patterns.length === 0) reader.fault("traces", "is missing: list paths or globs of trace files, one a line");
  const workspace = await readWorkspace(reader, "traces", place);
  if (workspace === undefined) return undefined;
  const unsent = await Promise.all(patterns.map((pattern) => unsentFile(pattern, place.temp)));
  const others = patterns.filter((_, index) => unsent[index] === undefined);
  const { files, ...wrong } = await findFiles(others, workspace);
  reportPatterns(reader, "traces", wrong, readNoFilesPolicy(reader));
  const all = [...unsent.filter((file) => file !== undefined), ...files];
  return { files: all, format: format === "auto" ? undefined : format };
}

/** The `unsent-path` of an earlier step, the one file that may be outside of the workspace. */
async function unsentFile(path: string, temp: string): Promise<FoundFile | undefined> {
  if (!isAbsolute(path)) return undefined;
  const [real, root] = await Promise.all([path, temp].map((each) => realpath(each).catch(() => undefined)));
  if (real === undefined || root === undefined) return undefined;
  const [directory = "", ...rest] = relative(root, real).split(sep);
  return directory.startsWith(UNSENT_PREFIX) && rest.length === 1 ? { path: real, name: path } : undefined;
}

/** Every input of the step with its default, as its action.yml declares them. The reader accepts no other name. */
export const TRACE_INPUTS = {
  traces: "",
  format: "auto",
  "if-no-files-found": "error",
  "session-name": "",
  "base-url": "",
  "api-key": "",
  "tenant-id": "",
  "dry-run": "false",
  "job-summary": "true",
  "ca-certificate": "",
  "allow-http": "false",
} as const;

export type TraceInputName = keyof typeof TRACE_INPUTS;

/** The input without which the step sends. */
export const TRACE_NEVER_EMPTY = { "dry-run": "value" } as const satisfies NeverEmpty<TraceInputName>;
