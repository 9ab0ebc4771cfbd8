import { log, runtime } from "@pulumi/pulumi";
import type { Credential } from "./core/inputs/inputs.ts";
import { isObject } from "./core/state/unknown-values.ts";

const NAMESPACE = "graph-deploy";
// A program with a hundred deployments is warned once.
const told = new Set<string>();

/**
 * Warns of an API key that the stack's configuration holds in plain text, which a provider cannot see: to it, all
 * configuration is plain.
 */
export function warnOfPlainKey(credential: unknown): void {
  const { config = "apiKey", env } = credentialIn(credential);
  const key = config.includes(":") ? config : `${NAMESPACE}:${config}`;
  if (env !== undefined || told.has(key) || runtime.getConfig(key) === undefined || isSecret(key)) return;
  told.add(key);
  void log.warn(
    `The API key in ${key} is not a secret of the configuration: it is stored in plain text, also in the state. ` +
      `Run \`pulumi config set --secret ${key}\`.`,
  );
}

/** A pointer that is an output is not known yet. */
function credentialIn(credential: unknown): Partial<Credential> {
  if (!isObject(credential)) return {};
  const { config, env } = credential;
  if (typeof config === "string") return { config };
  return env === undefined ? {} : { env: "" };
}

function isSecret(key: string): boolean {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- The SDK's types leave it out.
  const { isConfigSecret } = runtime as { readonly isConfigSecret?: (key: string) => boolean };
  // Where it is not there, nothing can be said.
  return isConfigSecret?.(key) ?? true;
}
