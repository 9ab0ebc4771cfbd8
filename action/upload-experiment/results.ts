import { findFiles } from "../../src/files/find-files.ts";
import { FORMAT_NAMES } from "../../src/experiments/format-names.ts";
import type { ResultsRequest } from "../../src/experiments/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import { reportPatterns } from "../inputs/upload-inputs.ts";
import { readWorkspace } from "../inputs/workspace.ts";
import type { UploadInputName } from "./declared-inputs.ts";
import { readMapping } from "./mapping.ts";

type Reader = InputReader<UploadInputName>;

/** The files that the inputs name; undefined after an error, which the reader has reported. */
export async function readResults(reader: Reader, runner: RunnerFacts): Promise<ResultsRequest | undefined> {
  const format = reader.choice("format", ["auto", ...FORMAT_NAMES]);
  const patterns = reader.lines("results").map((line) => line.trim());
  if (patterns.length === 0) reader.fault("results", "is missing; write paths or globs of result files, one per line");
  const workspace = await readWorkspace(reader, "results", runner);
  const mapping = await readMapping(reader, workspace);
  if (workspace === undefined) return undefined;
  const { files, ...wrong } = await findFiles(patterns, workspace);
  reportPatterns(reader, "results", wrong);
  return { files, format: format === "auto" ? undefined : format, mapping, workspace };
}
