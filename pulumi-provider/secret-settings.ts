import { isSecret, output, Output } from "@pulumi/pulumi";
import { ALL_SETTINGS } from "./core/check/secrets.ts";
import { isObject } from "./core/state/unknown-values.ts";

/**
 * The settings of a source whose values are secret, by name. A provider gets all values in plain, and must not print
 * these when a service repeats them. Undefined when there are none.
 */
export async function secretSettings(sourceConfig: unknown): Promise<readonly string[] | undefined> {
  // An output is secret as a whole.
  if (Output.isInstance(sourceConfig) || sourceConfig instanceof Promise || !isObject(sourceConfig)) {
    return (await isSecret(output(sourceConfig))) ? [ALL_SETTINGS] : undefined;
  }
  const settings = Object.entries(sourceConfig).map(async ([name, value]) => ({
    name,
    hasSecret: await isSecret(output(value)),
  }));
  const names = (await Promise.all(settings)).filter(({ hasSecret }) => hasSecret).map(({ name }) => name);
  return names.length === 0 ? undefined : names;
}
