import { checkSourceConfig } from "../../../src/contract/deployment.ts";
import { DEFAULT_GRAPH_CONFIG, readGraphConfigPath } from "../../../src/contract/graph-config.ts";
import { floatingImage } from "../../../src/contract/image.ts";
import {
  checkSourceOfCreate,
  SOURCE_RULES,
  type RevisionConfigInput,
  type SourceConfigInput,
} from "../../../src/contract/source.ts";
import { misspeltSettings } from "../../../src/deployment/request.ts";
import type { InputFault } from "../inputs/failures.ts";
import { WIRE_FIELDS, type ShapedInputs } from "../inputs/fields.ts";
import type { SourceName } from "../inputs/inputs.ts";
import type { Properties } from "../state/state.ts";
import { isObject, type IsUnknown } from "../state/unknown-values.ts";

/** The inputs whose shape is right, and all that a program gave, where a value may not be known yet. */
export interface GivenInputs {
  readonly inputs: ShapedInputs;
  readonly given: Properties;
}

const INPUTS = new Map<string, string>(Object.entries(WIRE_FIELDS).map(([input, field]) => [field, input]));

/** Every rule of the source table that the inputs break, in the names of the program. */
export function checkSourceRules({ inputs, given }: GivenInputs, isUnknown: IsUnknown): readonly InputFault[] {
  const { source, graphConfigPath } = inputs;
  if (source === undefined || isUnknown(source)) return [];
  const sourceConfig = sourceConfigOf(given, isUnknown);
  const known = Object.fromEntries(Object.entries(sourceConfig).filter(([, value]) => !isUnknown(value)));
  const violations = [
    ...checkSourceConfig(known),
    ...checkSourceOfCreate({
      source,
      source_config: sourceConfig,
      source_revision_config: revisionConfigOf(inputs, source, isUnknown),
    }),
  ].map(({ loc: [part = "", field = ""], msg }) =>
    part === "source_config"
      ? { path: ["sourceConfig", field], message: msg }
      : { path: [INPUTS.get(String(field)) ?? field], message: msg.replace("must be null", "must not be set") },
  );
  const isPath = graphConfigPath !== undefined && !isUnknown(graphConfigPath);
  const fault = isPath ? readGraphConfigPath(graphConfigPath).fault : undefined;
  const ofPath = fault === undefined ? [] : [{ path: ["graphConfigPath"], message: fault }];
  return [...violations, ...checkPresence(source, given), ...ofPath];
}

/** What stops nothing, and is most likely not meant. */
export function sourceWarnings({ inputs, given }: GivenInputs, isUnknown: IsUnknown): readonly string[] {
  const { source, imageUri } = inputs;
  const isImage = source === "external_docker" && imageUri !== undefined && !isUnknown(imageUri);
  const floating = isImage ? floatingImage(imageUri) : undefined;
  return [
    ...misspeltSettings(sourceConfigOf(given, isUnknown)).map((sentence) => `sourceConfig: ${sentence}`),
    ...(floating === undefined ? [] : [floating]),
  ];
}

// A value that is not known yet is there, and that is all that a rule may ask of it.
function revisionConfigOf(inputs: ShapedInputs, source: SourceName, isUnknown: IsUnknown): RevisionConfigInput {
  const hasDefault = SOURCE_RULES[source].requiredOnCreate.includes("graph_config_path");
  const graphConfigPath = inputs.graphConfigPath ?? (hasDefault ? DEFAULT_GRAPH_CONFIG : undefined);
  const values: ShapedInputs = { ...inputs, graphConfigPath };
  return Object.fromEntries(
    INPUT_FIELDS.map((input) => [WIRE_FIELDS[input], isUnknown(values[input]) ? "not-known-yet" : values[input]]),
  );
}

const INPUT_FIELDS = [
  "repoRef",
  "graphConfigPath",
  "imageUri",
] as const satisfies readonly (keyof typeof WIRE_FIELDS)[];

/** What is not known yet may turn out to be right. */
function sourceConfigOf({ sourceConfig }: Properties, isUnknown: IsUnknown): SourceConfigInput {
  if (isUnknown(sourceConfig)) return { build_on_push: false };
  if (!isObject(sourceConfig)) return {};
  return isUnknown(sourceConfig["build_on_push"]) ? { ...sourceConfig, build_on_push: false } : sourceConfig;
}

/** Which input gives a source its code: without it there is nothing to deploy. */
const CODE_OF = {
  internal_source: "directory",
  github: "repoRef",
  external_docker: "imageUri",
} as const satisfies Readonly<Record<SourceName, keyof ShapedInputs>>;

function checkPresence(source: SourceName, given: Properties): readonly InputFault[] {
  const needed = CODE_OF[source];
  const missing =
    given[needed] === undefined ? [{ path: [needed], message: `is required when the source is ${source}` }] : [];
  // A directory becomes the tarball of the source, and belongs where a tarball does.
  const isForeign = given["directory"] !== undefined && !SOURCE_RULES[source].fields.includes("source_tarball_path");
  const message = `must not be set when the source is ${source}`;
  return [...missing, ...(isForeign ? [{ path: ["directory"], message }] : [])];
}
