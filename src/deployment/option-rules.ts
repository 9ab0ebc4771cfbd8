import { checkSourceConfig } from "../contract/deployment.ts";
import type { OptionFault } from "../contract/options.ts";
import { checkSourceOfCreate, type RevisionConfigField } from "../contract/source.ts";
import { quoted } from "../text/quoted.ts";
import type { DEPLOY_OPTIONS } from "./options.ts";
import { digestFault } from "./plan.ts";
import { revisionConfigOf, type DeployRequest, type Patience } from "./request.ts";
import { parseExpectation } from "./smoke-plan.ts";

/** The options that set fields of a revision in the service. */
export const FIELD_OF_OPTION = {
  repoRef: "repo_ref",
  graphConfig: "graph_config_path",
  imageUri: "image_uri",
} as const satisfies Partial<Record<keyof typeof DEPLOY_OPTIONS, RevisionConfigField>>;

const OPTION_OF_FIELD = new Map<string, string>(
  Object.entries(FIELD_OF_OPTION).map(([option, field]) => [field, option]),
);

/** What the settings of a source break of the rules of the service, and a source that is known, also with its digest. */
export function checkSource(
  source: DeployRequest["source"] | undefined,
  { sourceConfig, expectedDigest }: Pick<DeployRequest, "expectedDigest" | "sourceConfig">,
): readonly OptionFault[] {
  if (source?.source === "revision") return [];
  const ofService = source
    ? checkSourceOfCreate({
        source: source.source,
        source_config: sourceConfig,
        source_revision_config: revisionConfigOf(source),
      })
    : [];
  const faults = [...checkSourceConfig(sourceConfig), ...ofService].map(({ loc, msg }): OptionFault => {
    const key = loc.slice(1).join(".");
    const field = OPTION_OF_FIELD.get(key);
    if (field !== undefined) return { field, code: "VALUE", message: msg };
    return { field: "sourceConfig", key, code: "VALUE", message: msg };
  });
  const digest = !source || expectedDigest === undefined ? "" : digestFault(source, expectedDigest);
  return digest === "" ? faults : [...faults, { field: "expectedDigest", code: "VALUE", message: digest }];
}

/** What is wrong with a run that tries the agent; `patience` is undefined where none is asked for, `what` has to wait. */
export function checkSmokeRun(
  expect: readonly string[],
  patience: (Pick<Patience, "smokeTest"> & { readonly wait: boolean }) | undefined,
  what: "a deploy" | "a step",
): readonly OptionFault[] {
  const faults = expect.flatMap((line): readonly OptionFault[] => {
    const reading = parseExpectation(line);
    return reading.ok ? [] : [{ field: "smokeExpect", code: "VALUE", message: `${quoted(line)} ${reading.fault}` }];
  });
  const needs = (isThere: boolean | undefined, message: string): readonly OptionFault[] =>
    isThere === false ? [{ field: "smokeInput", code: "NEEDS", message }] : [];
  return [
    ...faults,
    ...needs(patience?.smokeTest, "needs the smoke test; remove `smokeTest: false`"),
    ...needs(patience?.wait, `needs ${what} that waits; remove \`wait: false\``),
  ];
}
