import { isDeepStrictEqual } from "node:util";
import { meaningful, type Properties } from "./state.ts";
import { isObject, valueAt } from "./unknown-values.ts";

/** True when two values of a state differ; a key that is null or absent is the same. */
export function differ(before: unknown, after: unknown): boolean {
  return !isDeepStrictEqual(before ?? undefined, after ?? undefined);
}

/**
 * True when something at a path of Pulumi's own form differs: `name`, `secrets.KEY`, `secrets["a.b"]`, `triggers[0]`,
 * and `*` for every key.
 */
export function differAt(before: Properties, after: Properties, path: string): boolean {
  return differBelow(before, after, segmentsOf(path));
}

function differBelow(before: unknown, after: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return differ(before, after);
  const [old, now] = [keysOf(before), keysOf(after)];
  const keys = step === "*" ? [...new Set([...Object.keys(old), ...Object.keys(now)])] : [step];
  return keys.some((key) => differBelow(valueAt(old, [key]), valueAt(now, [key]), rest));
}

/** The keys of the top level that a path speaks of. */
export function topKeys(path: string, keys: readonly string[]): readonly string[] {
  const [step] = segmentsOf(path);
  return step === "*" ? keys : keys.filter((key) => key === step);
}

function segmentsOf(path: string): readonly string[] {
  const steps = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\*|\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, quoted, index, plain]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? plain ?? "");
}

function keysOf(value: unknown): Properties {
  return isObject(value) ? value : {};
}

/** The inputs as they are compared: a secret whose changes are ignored keeps the value that was sent. */
export function withIgnoredSecrets(olds: Properties, news: Properties): Properties {
  const { secrets, ignoreSecretChanges } = news;
  if (!isObject(secrets) || !isObject(olds["secrets"]) || !Array.isArray(ignoreSecretChanges)) return news;
  const sent = meaningful(olds["secrets"]);
  const kept = Object.entries(secrets).map(([name, value]) =>
    ignoreSecretChanges.includes(name) && Object.hasOwn(sent, name) ? [name, sent[name]] : [name, value],
  );
  return { ...news, secrets: Object.fromEntries(kept) };
}
