import { READING_OPTIONS } from "../../src/experiments/options.ts";
import type { ResultsRequest } from "../../src/experiments/request.ts";
import type { Mapping } from "../../src/experiments/rows/mapping.ts";
import { findFiles } from "../../src/files/find-files.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { Place } from "../host.ts";
import { reportPatterns, type NoFilesPolicy, readWorkspace, readWorkspaceFile } from "./workspace.ts";
import type { InputReader } from "./input-reader.ts";

type Reader = InputReader<"format" | "mapping" | "results">;

/** The files that the inputs name; undefined after an error, which the reader has reported. */
export async function readResults(
  reader: Reader,
  place: Place,
  policy: NoFilesPolicy,
): Promise<ResultsRequest | undefined> {
  const format = reader.read(READING_OPTIONS, "format");
  const named = reader.read(READING_OPTIONS, "files") ?? [];
  if (named.length === 0) reader.fault("results", "is missing; write paths or globs of result files, one per line");
  const workspace = await readWorkspace(reader, "results", place);
  const mapping = await readMapping(reader, workspace);
  if (workspace === undefined) return undefined;
  const { files, ...wrong } = await findFiles(named, workspace);
  reportPatterns(reader, "results", wrong, policy);
  return { files, format, mapping, workspace };
}
/** The mapping that the input holds or names; undefined when there is none, or after an error. */
async function readMapping(reader: Reader, workspace: string | undefined): Promise<Mapping | undefined> {
  const text = reader.text("mapping");
  if (text === "") return undefined;
  // A block of one line loses its line break with the blanks at its end, and is not a path either.
  const isPath = !/\n|:\s|^\{/.test(text);
  // Without a workspace there is an error already.
  if (isPath && workspace === undefined) return undefined;
  const yaml = isPath ? ((await readWorkspaceFile(text, workspace ?? "")) ?? NO_FILE) : { text };
  if (yaml.text === undefined) {
    reader.fault("mapping", `${quoted(text)} ${yaml.fault}`);
    return undefined;
  }
  // Most steps have no mapping, and start without the schema that checks it.
  const { parseMapping } = await import("../../src/experiments/rows/mapping.ts");
  const reading = await parseMapping(yaml.text);
  if (reading.ok) return reading.mapping;
  for (const fault of reading.faults) reader.fault("mapping", isPath ? `${quoted(text)}: ${fault}` : fault);
  return undefined;
}

const NO_FILE = {
  text: undefined,
  fault: "is neither a file in the workspace nor inline YAML (example: `inputs: question`)",
} as const;
