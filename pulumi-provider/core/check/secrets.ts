import type { SecretInput } from "../../../src/contract/deployment.ts";
import { secretFault } from "../../../src/contract/secret.ts";
import type { InputFault } from "../inputs/failures.ts";
import type { ShapedInputs } from "../inputs/fields.ts";
import { type Surroundings, variableFault } from "../service/connection.ts";
import { Fingerprints } from "../state/fingerprints.ts";
import type { Internals } from "../state/internals.ts";
import type { Properties } from "../state/state.ts";
import { isObject, type IsUnknown } from "../state/unknown-values.ts";

type SecretsInputs = Pick<ShapedInputs, "ignoreSecretChanges" | "secrets" | "secretsFromEnv">;

export interface SecretsContext extends Pick<Surroundings, "env"> {
  /** What the process has hashed; without it, each value is hashed anew. */
  readonly fingerprints?: Fingerprints | undefined;
}

/** Every rule that the secrets break; no value is ever part of it. */
export function checkSecrets(
  inputs: SecretsInputs,
  { env }: Pick<Surroundings, "env">,
  isUnknown: IsUnknown,
): readonly InputFault[] {
  const [secrets = {}, secretsFromEnv = {}] = [inputs.secrets, inputs.secretsFromEnv].map((part) =>
    isUnknown(part) ? undefined : part,
  );
  const written = Object.entries(secrets).flatMap(([name, value]) => faultsOf(["secrets", name], value));
  const named = Object.entries(secretsFromEnv).flatMap(([name, variable]) => {
    const path = ["secretsFromEnv", name] as const;
    const value = isUnknown(variable) ? "not-known-yet" : (env(variable) ?? "");
    return [
      ...faultsOf(path, value, variableFault(variable)),
      ...(Object.hasOwn(secrets, name) ? [{ path, message: "is also in secrets" }] : []),
    ];
  });
  return [...written, ...named];
}

function faultsOf(
  [input, name]: readonly [input: string, name: string],
  value: string,
  whenEmpty?: string,
): readonly InputFault[] {
  const fault = secretFault(name, value);
  if (!fault) return [];
  // A user who confuses name and value must not find the value in a log.
  if (fault.code === "NAME") {
    const message =
      "has a name that is not a valid variable name: use letters, digits and underscores, and no digit first";
    return [{ path: [input], message }];
  }
  return [{ path: [input, name], message: (fault.code === "EMPTY" ? whenEmpty : undefined) ?? fault.message }];
}

/** The secrets as they are sent; undefined leaves those of the deployment alone. */
export function secretsToSend(
  { secrets, secretsFromEnv }: SecretsInputs,
  { env }: Pick<Surroundings, "env">,
): readonly SecretInput[] | undefined {
  if (!secrets && !secretsFromEnv) return undefined;
  const all = new Map([...Object.entries(secrets ?? {}), ...valuesFromEnv(secretsFromEnv ?? {}, env)]);
  return [...all].map(([name, value]) => ({ name, value }));
}

/** Every value of a secret that properties hold or point to, checked or not: what must be in no text. */
export function secretValuesIn(
  { secrets, secretsFromEnv, sourceConfig, secretSettings }: Properties,
  { env }: Pick<Surroundings, "env">,
): readonly string[] {
  const variables = textsIn(secretsFromEnv).map((name) => env(name));
  const settings = isObject(sourceConfig) ? Object.entries(sourceConfig) : [];
  const names = textsIn(secretSettings);
  const isSecret = (name: string) => names.includes(name) || names.includes(ALL_SETTINGS);
  const values = settings.filter(([name]) => isSecret(name)).flatMap(([, value]) => textsBelow(value));
  return [...textsIn(secrets), ...variables, ...values].filter((value) => value !== undefined);
}

/** Stands for the name of every setting. */
export const ALL_SETTINGS = "*";

function textsBelow(value: unknown): readonly string[] {
  if (isObject(value)) return Object.values(value).flatMap(textsBelow);
  return typeof value === "string" ? [value] : [];
}

function textsIn(value: unknown): readonly string[] {
  return (isObject(value) ? Object.values(value) : [value]).filter((part) => typeof part === "string");
}

/** What state keeps of the secrets that come from the environment and whose changes count; undefined when none does. */
export async function fingerprintSecrets(
  inputs: SecretsInputs,
  { env, fingerprints = new Fingerprints() }: SecretsContext,
): Promise<Internals["secretsFingerprint"]> {
  const { secretsFromEnv = {} } = inputs;
  const names = countedNames(inputs);
  if (names.length === 0) return undefined;
  const values = valuesFromEnv(secretsFromEnv, env);
  const secrets = names.map((name) => ({ name, value: values.get(name) ?? "" }));
  const origin = names.map((name) => secretsFromEnv[name]);
  const { salt, hash } = await fingerprints.of({ sourceConfig: {}, secrets }, origin);
  return { salt, names, hash };
}

/**
 * True when a value of the environment is another one than was sent, or one counts of which nothing was kept, since its
 * changes were ignored. Where the environment does not hold one, as at a refresh on another machine, it is unknown.
 */
export async function isSecretOfEnvChanged(
  sent: Internals["secretsFingerprint"],
  inputs: SecretsInputs,
  { env, fingerprints = new Fingerprints() }: SecretsContext,
): Promise<boolean> {
  const { secretsFromEnv = {} } = inputs;
  if (countedNames(inputs).some((name) => sent?.names.includes(name) !== true)) return true;
  const values = valuesFromEnv(secretsFromEnv, env);
  if (sent?.names.every((name) => values.has(name)) !== true) return false;
  const secrets = sent.names.map((name) => ({ name, value: values.get(name) ?? "" }));
  const { hash } = await fingerprints.withSalt({ sourceConfig: {}, secrets }, sent.salt);
  return hash !== sent.hash;
}

function countedNames({ secretsFromEnv = {}, ignoreSecretChanges = [] }: SecretsInputs): readonly string[] {
  return Object.keys(secretsFromEnv)
    .filter((name) => !ignoreSecretChanges.includes(name))
    .sort();
}

function valuesFromEnv(variables: Readonly<Record<string, string>>, env: Surroundings["env"]) {
  const values = Object.entries(variables).map(([name, variable]) => [name, env(variable) ?? ""] as const);
  return new Map(values.filter(([, value]) => value !== ""));
}
