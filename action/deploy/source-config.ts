import { LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { checkSourceOfCreate, type SourceConfigInput } from "../../src/contract/source.ts";
import type { DeploySource } from "../../src/deployment/request.ts";
import { revisionConfigOf } from "../../src/deployment/revision-config.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { DeployInputName } from "./declared-inputs.ts";

type Reader = InputReader<DeployInputName>;

const JsonObject = z.record(z.string(), z.json());

/** The inputs that stand for one key of the source config. */
const COMMANDS = [
  ["install-command", "install_command"],
  ["build-command", "build_command"],
] as const satisfies readonly (readonly [DeployInputName, string])[];

/** Which input sets what a source rule speaks of. */
const INPUT_OF_FIELD = new Map<string, DeployInputName>([
  ["repo_ref", "repo-ref"],
  ["graph_config_path", "graph-config"],
  ["image_uri", "image-uri"],
]);

/** The settings of the source, from `source-config` and the inputs that stand for one of its keys. */
export function readSourceConfig(reader: Reader): SourceConfigInput {
  const config = parseMapping(reader);
  const commands = COMMANDS.flatMap(([input, key]) => {
    const command = reader.text(input);
    if (command === "") return [];
    if (Object.hasOwn(config, key)) reader.fault(input, `is also set by ${key} of source-config; set one of them`);
    return [[key, command] as const];
  });
  return { ...config, ...Object.fromEntries(commands) };
}

/** Reports every rule of service.md §2.3 that the source breaks, under the input that sets the field. */
export function checkSourceRules(reader: Reader, source: DeploySource, sourceConfig: SourceConfigInput): void {
  const violations = checkSourceOfCreate({
    source: source.source,
    source_config: sourceConfig,
    source_revision_config: revisionConfigOf(source),
  });
  for (const { loc, msg } of violations) {
    const field = String(loc.at(-1));
    const input = INPUT_OF_FIELD.get(field);
    if (input === undefined) reader.fault("source-config", `${field} ${msg}`);
    else reader.fault(input, msg);
  }
}

// The parser's own messages quote the text, which may hold what nobody should read: only the place is said.
function parseMapping(reader: Reader): SourceConfigInput {
  const text = reader.text("source-config");
  if (text === "") return {};
  const lines = new LineCounter();
  // `silent` would drop further documents without a word.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    reader.fault("source-config", `is no YAML: line ${String(line)}, column ${String(col)} (${error.code})`);
    return {};
  }
  try {
    const value: unknown = document.toJS();
    if (JsonObject.safeParse(value).success) return JsonObject.parse(value);
  } catch {
    // Too many aliases, or one of an anchor that is not there.
  }
  reader.fault("source-config", "is no YAML mapping of plain values; write lines such as build_on_push: false");
  return {};
}
