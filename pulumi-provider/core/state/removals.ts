import type { Deployment } from "../../../src/contract/deployment.ts";
import type { SourceConfigInput } from "../../../src/contract/source.ts";
import { isObject } from "./unknown-values.ts";
import { internalsOf, type KeptRemovals, type Removals } from "./internals.ts";
import { meaningful, type Properties } from "./state.ts";

/** What stands in a state for the value of a secret that was set outside of the program. */
export const SET_OUTSIDE = "(set outside this program)";

/** The same for a secret of the program that has another value in the service. */
export const OTHER_VALUE = "(another value)";

export const NO_REMOVALS: Removals = { settings: [], secrets: [] };

/** What the state has and the program does not: the next revision removes it. What is not known yet is not removed. */
export function removalsBetween(before: Properties, after: Properties): Removals {
  const { unsent = NO_REMOVALS } = internalsOf(before).removals ?? {};
  const settings = leaving([...settingsOf(before), ...unsent.settings], after["sourceConfig"], settingsOf(after));
  const given = [after["secrets"], after["secretsFromEnv"]];
  const secrets = leaving([...secretsOf(before), ...unsent.secrets], given, secretsOf(after));
  return { settings, secrets };
}

/** The names as a program knows them: `sourceConfig.build_command`, `the secret A`. */
export function removalTexts({ settings, secrets }: Removals): readonly string[] {
  return [...settings.map((name) => `sourceConfig.${name}`), ...secrets.map((name) => `the secret ${name}`)];
}

/** The settings of a request, with null for each that is to be removed. */
export function settingsWithout(sourceConfig: SourceConfigInput, { settings }: Removals): SourceConfigInput {
  return { ...sourceConfig, ...Object.fromEntries(settings.map((name) => [name, null])) };
}

/** Those that the service still shows; of what it does not show nothing can be said. */
export function stillShown({ settings, secrets }: Removals, deployment: Deployment): Removals {
  const shown = deployment.source_config ?? {};
  const names = new Set((deployment.secrets ?? []).map(({ name }) => name));
  return {
    settings: settings.filter((name) => Object.hasOwn(shown, name) && shown[name] != null),
    secrets: secrets.filter((name) => names.has(name)),
  };
}

/**
 * What state keeps after an update that removed `removals`, or did not come so far. `isSent`: the request that removes was
 * carried out. `shown`: the deployment after it, where it was looked at.
 */
export function removalsAfter(
  olds: Properties,
  news: Properties,
  removals: Removals,
  isSent: boolean,
  shown?: Deployment,
): KeptRemovals | undefined {
  const { kept: before = NO_REMOVALS } = internalsOf(olds).removals ?? {};
  const asked = (kind: keyof Removals) =>
    isSent ? [...new Set([...before[kind], ...removals[kind]])].sort() : before[kind];
  // What the program sets again is no longer to be removed.
  const [settings, secrets] = [new Set(settingsOf(news)), new Set(secretsOf(news))];
  const open: Removals = {
    settings: asked("settings").filter((name) => !settings.has(name)),
    secrets: asked("secrets").filter((name) => !secrets.has(name)),
  };
  const kept = shown ? stillShown(open, shown) : open;
  const unsent = isSent ? undefined : orNothing(removals);
  const left = orNothing(kept);
  return !unsent && !left ? undefined : { unsent, kept: left };
}

/** What a refresh leaves of a state's removals. */
export function removalsSeen(state: Properties, shown: Deployment): KeptRemovals | undefined {
  const { unsent = NO_REMOVALS } = internalsOf(state).removals ?? {};
  return removalsAfter(state, state, unsent, !orNothing(unsent), shown);
}

/** What stays in the service of what the program does not set, as a sentence; empty when nothing does. */
export function stayingNote(olds: Properties, news: Properties): string {
  const { kept = NO_REMOVALS } = removalsAfter(olds, news, NO_REMOVALS, true) ?? {};
  return stayingSentence(kept);
}

/** Says what stays in the service although the program no longer sets it; empty when nothing does. */
export function stayingSentence(removals: Removals): string {
  const texts = removalTexts(removals);
  if (texts.length === 0) return "";
  const [verb, it] = texts.length === 1 ? ["stays", "it"] : ["stay", "them"];
  return (
    `${texts.join(", ")} ${verb} in the service, which did not remove ${it} ` +
    `when the program no longer set ${it}. Remove ${it} there, or set ${it} in the program.`
  );
}

function leaving(had: readonly string[], given: unknown, has: readonly string[]): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
  // A mark in the place of an object: what it will hold is not known yet.
  if (parts.some((part) => part != null && !isObject(part))) return [];
  return [...new Set(had)].filter((name) => !has.includes(name)).sort();
}

function settingsOf({ sourceConfig }: Properties): readonly string[] {
  return isObject(sourceConfig) ? Object.keys(meaningful(sourceConfig)) : [];
}

function secretsOf({ secrets, secretsFromEnv }: Properties): readonly string[] {
  // A revision replaces all secrets: what was set outside goes with it, and was never the program's to remove.
  const own = isObject(secrets) ? Object.keys(secrets).filter((name) => secrets[name] !== SET_OUTSIDE) : [];
  return [...own, ...(isObject(secretsFromEnv) ? Object.keys(secretsFromEnv) : [])];
}

function orNothing(removals: Removals): Removals | undefined {
  return removals.settings.length + removals.secrets.length === 0 ? undefined : removals;
}
