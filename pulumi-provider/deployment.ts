import {
  CustomResource,
  secret,
  type CustomResourceOptions,
  type Input,
  Output,
  log,
  runtime,
  isSecret,
  output,
} from "@pulumi/pulumi";
import type { SourceName } from "./core/inputs/inputs.ts";
import { plainConfigText } from "./core/service/connection.ts";
import type { DeploymentArgs, LookupArgs } from "./deployment-args.ts";
import { PROVIDER_TEXTS } from "./provider-text.ts";
import { OUTPUTS, type OutputName } from "./core/state/state.ts";
import { isObject } from "./core/state/unknown-values.ts";
import { ALL_SETTINGS } from "./core/check/secrets.ts";

/** State finds a resource by its type: it never changes. */
export const DEPLOYMENT_TYPE = "pulumi-nodejs:dynamic/graph-deploy:Deployment";

// A property that is not named among the inputs does not become an output.
const NAMED = Object.fromEntries(
  ["name", "source", ...OUTPUTS.map(({ name }) => name)].map((output) => [output, undefined]),
);

/** What only a directory has. */
export type OfFolder<Source extends SourceName> = Output<Source extends "internal_source" ? string : undefined>;

/** A deployment of an agent, from a directory, a repository or an image. */
export class Deployment<Source extends SourceName = SourceName> extends CustomResource {
  /** What the deployment is called. */
  declare readonly name: Output<string>;
  /** Where its code comes from. */
  declare readonly source: Output<Source>;
  /** The newest revision of the deployment, made by this program or not. */
  declare readonly latestRevisionId: Output<string | undefined>;
  /** The revision that this program made. */
  declare readonly managedRevisionId: Output<string | undefined>;
  /** Status of the managed revision: `DEPLOYED` when it is live. */
  declare readonly status: Output<string | undefined>;
  /** Address of the agent; undefined before it is live, or if the service does not return it. */
  declare readonly url: Output<string | undefined>;
  /** The digest of the files, `sha256:…`: it changes when one of them does. */
  declare readonly sourceHash: OfFolder<Source>;
  /** The content of the directory: `42 files, 1.2 MB`. */
  declare readonly sourceSummary: OfFolder<Source>;
  /** Where the service has the uploaded directory; another one after a revision that was made elsewhere. */
  declare readonly sourceTarballPath: Output<string | undefined>;
  /** When the deployment was made, as the service reports it, ISO 8601. */
  declare readonly createdAt: Output<string | undefined>;

  /** `name` is that of the resource, and of the deployment if `args` give it none. */
  constructor(name: string, args: DeploymentArgs<Source>, options: CustomResourceOptions = {}) {
    super(
      DEPLOYMENT_TYPE,
      name,
      { ...NAMED, ...inputsOf(name, args, options), __provider: PROVIDER_TEXTS.deployment },
      options,
    );
    undefineMissing(this);
  }

  /**
   * An existing deployment, by its id or its exact name; it is read, never changed. Without `lookup` it is
   * looked up in the service of the stack's configuration. Fails if it does not exist.
   */
  static get(
    name: string,
    idOrName: Input<string>,
    lookup: LookupArgs = {},
    options: CustomResourceOptions = {},
  ): Deployment {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- With an id, Pulumi reads and takes no inputs.
    return new Deployment(name, lookup as unknown as DeploymentArgs, { ...options, id: idOrName });
  }
}

/** The inputs, and the options of the resource, which a provider does not get in another way. */
function inputsOf(
  name: string,
  args: DeploymentArgs,
  { id, customTimeouts, replaceOnChanges, retainOnDelete }: CustomResourceOptions,
): Readonly<Record<string, unknown>> {
  if (id !== undefined) return { ...args };
  const { secrets, sourceConfig, credential } = args;
  warnOfPlainKey(credential);
  return {
    ...args,
    name: args.name ?? name,
    ...(secrets ? { secrets: secret(secrets) } : {}),
    ...(sourceConfig ? { secretSettings: secretSettings(sourceConfig) } : {}),
    ...(retainOnDelete === true ? { retainOnDelete } : {}),
    ...(customTimeouts ? { customTimeouts } : {}),
    ...(replaceOnChanges ? { replaceOnChanges } : {}),
  };
}

/** State holds null for what there is not, because a key that is absent counts as unknown in a preview. */
function undefineMissing(deployment: Deployment): void {
  const outputs: Record<OutputName, Output<string | undefined>> = deployment;
  for (const { name } of OUTPUTS) outputs[name] = outputs[name].apply((value) => value ?? undefined);
}

const NAMESPACE = "graph-deploy";
// A program with a hundred deployments is warned once.
const warned = new Set<string>();

/**
 * Warns of an API key or a token that the stack's configuration holds in plain text, which a provider cannot see: to it,
 * all configuration is plain.
 */
function warnOfPlainKey(credential: unknown): void {
  // A pointer that is an output is not known yet.
  const { config, env } = isObject(credential) ? credential : {};
  const names = ["bearerToken"];
  if (typeof config === "string") names.unshift(config);
  else if (env === undefined) names.unshift("apiKey");
  for (const name of names) {
    const key = name.includes(":") ? name : `${NAMESPACE}:${name}`;
    if (warned.has(key) || runtime.getConfig(key) === undefined || isSecretSetting(key)) continue;
    warned.add(key);
    void log.warn(`${plainConfigText(key)} Until then it is in plain text in the state, too.`);
  }
}

function isSecretSetting(key: string): boolean {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- The SDK's types leave it out.
  const { isConfigSecret } = runtime as { readonly isConfigSecret?: (key: string) => boolean };
  // Where it is not there, nothing can be said.
  return isConfigSecret?.(key) ?? true;
}

/**
 * The settings of a source whose values are secret, by name. A provider gets all values in plain, and must not print
 * these when a service repeats them. Undefined when there are none.
 */
async function secretSettings(sourceConfig: unknown): Promise<readonly string[] | undefined> {
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
