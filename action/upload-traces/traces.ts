import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findFiles, type FoundFile } from "../../src/files/find-files.ts";
import { TRACE_FORMATS } from "../../src/trace-files/request.ts";
import type { TraceRequest } from "../../src/trace-files/request.ts";
import { UNSENT_PREFIX } from "../../src/trace-files/sending/runs-file.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import { reportPatterns } from "../inputs/missing-files.ts";
import { readWorkspace } from "../inputs/workspace.ts";
import type { TraceInputName } from "./declared-inputs.ts";

type Reader = InputReader<TraceInputName>;

/** The files that the inputs name; undefined when there is a fault, which the reader knows then. */
export async function readTraceFiles(
  reader: Reader,
  runner: RunnerFacts,
): Promise<Pick<TraceRequest, "files" | "format"> | undefined> {
  const format = reader.choice("format", ["auto", ...TRACE_FORMATS]);
  const patterns = reader.lines("traces").map((line) => line.trim());
  if (patterns.length === 0) reader.fault("traces", "is missing; write paths or globs of trace files, one a line");
  const workspace = await readWorkspace(reader, "traces", runner);
  if (workspace === undefined) return undefined;
  const unsent = await Promise.all(patterns.map((pattern) => unsentFile(pattern, runner.temp)));
  const others = patterns.filter((_, index) => unsent[index] === undefined);
  const { files, ...wrong } = await findFiles(others, workspace);
  reportPatterns(reader, "traces", wrong);
  const all = [...unsent.filter((file) => file !== undefined), ...files];
  return { files: all, format: format === "auto" ? undefined : format };
}

/** What an earlier upload of this job could not send is not in the workspace; no other file outside of it is read. */
async function unsentFile(path: string, temp: string): Promise<FoundFile | undefined> {
  if (!isAbsolute(path)) return undefined;
  const [real, root] = await Promise.all([path, temp].map((each) => realpath(each).catch(() => undefined)));
  if (real === undefined || root === undefined) return undefined;
  const [folder = "", ...rest] = relative(root, real).split(sep);
  return folder.startsWith(UNSENT_PREFIX) && rest.length === 1 ? { path: real, name: path } : undefined;
}
