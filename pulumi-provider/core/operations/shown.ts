import { isRecord } from "../../../src/contract/call-arguments.ts";
import type { Deployment } from "../../../src/contract/deployment.ts";
import { SOURCE_RULES } from "../../../src/contract/source.ts";
import { ALL_SETTINGS } from "../check/secrets.ts";
import { WIRE_FIELDS } from "../inputs/fields.ts";
import { differ } from "../state/changes.ts";
import { OTHER_VALUE, SET_OUTSIDE } from "../state/removals.ts";
import type { Properties } from "../state/state.ts";
import type { ReadInputs } from "./request.ts";

/** What a service shows otherwise than a state has it. */
export interface Shown {
  /** The properties as the service has them; null for one that it does not have. */
  readonly properties: Properties;
  /** Which settings and secrets these are, as sentences without values. */
  readonly sentences: readonly string[];
}

interface ShownContext {
  /** The latest revision is the one that our last update made: what it was made from is known. */
  readonly isOurs: boolean;
  /** Where the service has the archive of our revision. */
  readonly tarballPath: string | null | undefined;
  /** Secrets that the service did not remove, which has its own warning. */
  readonly staying: readonly string[];
}

/**
 * Compares what a state says was set with what the service shows. A service does not show everything: what its answer leaves
 * out, a source or secrets that are null, and a mask are not known, and so are no difference. A setting that is null is not
 * set.
 */
export function shownOtherwise(
  state: Properties,
  inputs: ReadInputs,
  deployment: Deployment,
  { isOurs, staying, tarballPath }: ShownContext,
): Shown {
  const source = isOurs ? {} : sourceShown(state, inputs, deployment, tarballPath);
  // Of the settings that the program sets; a service has others of its own.
  const { sourceConfig = {}, secretSettings = [] } = inputs;
  const { source_config: shown } = deployment;
  const had = Object.entries(sourceConfig);
  const isSecret = (key: string) => secretSettings.includes(key) || secretSettings.includes(ALL_SETTINGS);
  const now = had.map(([key, value]) => [key, settingShown(value, shown ?? {}, key, isSecret(key))] as const);
  const changed = now.filter(([key, value]) => differ(value, sourceConfig[key])).map(([key]) => key);
  const settings = {
    properties:
      changed.length === 0 ? {} : { sourceConfig: Object.fromEntries(now.filter(([, value]) => value != null)) },
    sentences: changed.map((key) => `source_config.${key} differs from what was set`),
  };
  const secrets = secretsShown(inputs, deployment, staying);
  return {
    properties: { ...source, ...settings.properties, ...secrets.properties },
    sentences: [...settings.sentences, ...secrets.sentences],
  };
}

/** What the latest revision was made from. */
function sourceShown(
  state: Properties,
  { source }: ReadInputs,
  { source_revision_config: config }: Deployment,
  ours: string | null | undefined,
): Properties {
  const fields = SOURCE_RULES[source].fields;
  const named = Object.entries(WIRE_FIELDS).filter(([, field]) => fields.includes(field));
  const values = named.map(([key, field]) => [key, config?.[field]] as const);
  const shown = Object.fromEntries(values.filter(([key, value]) => isTold(value) && value !== state[key]));
  const path = fields.includes("source_tarball_path") ? config?.source_tarball_path : undefined;
  if (!isTold(path) || !isTold(ours) || path === ours) return shown;
  // What is in another archive, nothing here knows.
  return { ...shown, sourceTarballPath: path, sourceHash: null, sourceSummary: null, sourceFiles: null };
}

function isTold(value: string | null | undefined): value is string {
  return value != null && value !== "";
}

/** A service fills in the parts of a setting that were left open: only those that were set are compared. */
function settingShown(wanted: unknown, shown: Properties, key: string, isSecret: boolean): unknown {
  if (!Object.hasOwn(shown, key)) return wanted;
  const value = shown[key];
  if (isSecret && (typeof value !== "string" || isMask(value))) return wanted;
  if (!isRecord(wanted) || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(wanted).map((part) => [part, settingShown(wanted[part], value, part, isSecret)]),
  );
}

/** A service may show names only, or no secrets at all. */
function secretsShown(inputs: ReadInputs, { secrets: shown }: Deployment, staying: readonly string[]) {
  const { secrets, secretsFromEnv, ignoreSecretChanges = [] } = inputs;
  if (shown == null || (!secrets && !secretsFromEnv)) return { properties: {}, sentences: [] };
  const values = new Map(shown.map(({ name, value }) => [name, value]));
  const written = new Map(Object.entries(secrets ?? {}));
  const fromEnv = new Map(Object.entries(secretsFromEnv ?? {}));
  const missing = [...written.keys(), ...fromEnv.keys()].filter((name) => !values.has(name));
  // What the service did not remove would not be removed by another revision either.
  const foreign = [...values.keys()].filter(
    (name) => !written.has(name) && !fromEnv.has(name) && !staying.includes(name),
  );
  const changed = [...written].flatMap(([name, wanted]) => {
    const value = values.get(name);
    const isMark = wanted === SET_OUTSIDE || wanted === OTHER_VALUE;
    const isOther = isTold(value) && !isMask(value) && !isMark && value !== wanted;
    return isOther && !ignoreSecretChanges.includes(name) ? [name] : [];
  });
  for (const name of missing) {
    written.delete(name);
    fromEnv.delete(name);
  }
  // A value that is not the program's is not for its state.
  for (const name of foreign) written.set(name, SET_OUTSIDE);
  for (const name of changed) written.set(name, OTHER_VALUE);
  const now = { secrets: Object.fromEntries(written), secretsFromEnv: Object.fromEntries(fromEnv) };
  return {
    properties: {
      ...(differ(now.secrets, secrets ?? {}) ? { secrets: now.secrets } : {}),
      ...(differ(now.secretsFromEnv, secretsFromEnv ?? {}) ? { secretsFromEnv: now.secretsFromEnv } : {}),
    },
    sentences: [
      ...missing.map((name) => `the secret ${name} is missing`),
      ...foreign.map((name) => `the secret ${name} was set outside this program`),
      ...changed.map((name) => `the secret ${name} has another value`),
    ],
  };
}

function isMask(value: string): boolean {
  return /[*•]{3}/.test(value);
}
