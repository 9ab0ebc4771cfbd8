import { checkSourceOfCreate, type SourceConfigInput } from "../../src/contract/source.ts";
import { type DeploySource, revisionConfigOf } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readMapping } from "./yaml-mapping.ts";

type Reader = InputReader<DeployInputName>;

/** The inputs that stand for one key of the source config. */
const COMMANDS = [
  ["install-command", "install_command"],
  ["build-command", "build_command"],
] as const satisfies readonly (readonly [DeployInputName, string])[];

/** Which input sets the field of a source rule. */
const INPUT_OF_FIELD = new Map<string, DeployInputName>([
  ["repo_ref", "repo-ref"],
  ["graph_config_path", "graph-config"],
  ["image_uri", "image-uri"],
]);

/** The settings of the source, from `source-config` and the inputs that stand for one of its keys. */
export function readSourceConfig(reader: Reader): SourceConfigInput {
  const config = readMapping(reader, "source-config", "build_on_push: false") ?? {};
  const commands = COMMANDS.flatMap(([input, key]) => {
    const command = reader.text(input);
    if (command === "") return [];
    if (Object.hasOwn(config, key))
      reader.fault(input, `is also set by \`${key}\` in \`source-config\`; set only one of them`);
    return [[key, command] as const];
  });
  return { ...config, ...Object.fromEntries(commands) };
}

/** Reports every rule of the service that the source breaks, under the input that sets the field. */
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
