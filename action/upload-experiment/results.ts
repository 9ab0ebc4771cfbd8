import { isUtf8 } from "node:buffer";
import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { findFiles } from "../../src/files/find-files.ts";
import { FORMAT_NAMES } from "../../src/experiments/format-names.ts";
import type { ResultsRequest } from "../../src/experiments/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import { reportPatterns } from "../inputs/upload-inputs.ts";
import { readWorkspace } from "../inputs/workspace.ts";
import type { UploadInputName } from "./declared-inputs.ts";
import { parseMapping, type Mapping } from "../../src/experiments/rows/mapping.ts";
import { isInside } from "../../src/files/inside.ts";
import { quoted } from "../../src/text/quoted.ts";

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

const LARGEST_FILE_BYTES = 1024 * 1024;

/** The mapping that the input holds or names; undefined when there is none, or after an error. */
async function readMapping(
  reader: InputReader<UploadInputName>,
  workspace: string | undefined,
): Promise<Mapping | undefined> {
  const text = reader.text("mapping");
  if (text === "") return undefined;
  const isPath = !isYaml(text);
  // Without a workspace there is an error already.
  if (isPath && workspace === undefined) return undefined;
  const yaml = isPath ? await readMappingFile(text, workspace ?? "") : { text };
  if (yaml.text === undefined) {
    reader.fault("mapping", `${quoted(text)} ${yaml.fault}`);
    return undefined;
  }
  const reading = parseMapping(yaml.text);
  if (reading.ok) return reading.mapping;
  for (const fault of reading.faults) reader.fault("mapping", isPath ? `${quoted(text)}: ${fault}` : fault);
  return undefined;
}

/** A block of one line loses its line break with the blanks at its end, and is not a path either. */
function isYaml(text: string): boolean {
  return /\n|:\s|^\{/.test(text);
}

type MappingFile = { readonly text: string } | { readonly text: undefined; readonly fault: string };

async function readMappingFile(name: string, workspace: string): Promise<MappingFile> {
  const path = await realpath(resolve(workspace, name)).catch(() => undefined);
  if (path === undefined)
    return {
      text: undefined,
      fault: "is neither a file in the workspace nor inline YAML (example: `inputs: question`)",
    };
  if (!isInside(workspace, path)) return { text: undefined, fault: "is outside the workspace" };
  try {
    const facts = await stat(path);
    if (!facts.isFile()) return { text: undefined, fault: "is not a file" };
    if (facts.size > LARGEST_FILE_BYTES) return { text: undefined, fault: "is larger than 1 MiB" };
    const bytes = await readFile(path);
    return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { text: undefined, fault: "is not UTF-8 text" };
  } catch {
    return { text: undefined, fault: "cannot be read" };
  }
}
