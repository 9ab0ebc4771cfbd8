import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { isLoopback, parseAddress } from "../../../src/http/base-url.ts";
import { certificatesIn } from "../../../src/http/certificates.ts";
import { checkCredentials } from "../../../src/http/endpoint.ts";
import { AddressError, CredentialsError } from "../../../src/http/errors.ts";
import { normalAddress } from "./address.ts";
import type { InputFault } from "../inputs/failures.ts";
import type { Credential } from "../inputs/inputs.ts";
import { withoutFullStop } from "../../../src/text/reasons.ts";

/** Where the settings are that a program does not set itself. */
export interface Surroundings {
  /** A value of the stack's configuration by its whole key: `graph-deploy:apiKey`. */
  readonly config: (key: string) => string | undefined;
  readonly env: (name: string) => string | undefined;
}

/** What a program says of the connection. */
export interface ConnectionInputs {
  /** The address of the control plane. */
  readonly controlPlaneUrl?: string | undefined;
  /** The workspace that the key is used for. */
  readonly tenantId?: string | undefined;
  /** Where the API key is. */
  readonly credential?: Credential | undefined;
}

const NAMESPACE = "graph-deploy";

/** Where each setting is if the resource does not set it. */
const PLACES = {
  controlPlaneUrl: { config: `${NAMESPACE}:controlPlaneUrl`, env: "GRAPH_DEPLOY_URL" },
  tenantId: { config: `${NAMESPACE}:tenantId`, env: "GRAPH_DEPLOY_TENANT_ID" },
  apiKey: { config: `${NAMESPACE}:apiKey`, env: "GRAPH_DEPLOY_API_KEY" },
  bearerToken: { config: `${NAMESPACE}:bearerToken`, env: undefined },
  allowHttp: { config: `${NAMESPACE}:allowHttp`, env: undefined },
  caCertificate: { config: `${NAMESPACE}:caCertificate`, env: undefined },
} as const;

/** The connection cannot be made from what the program, the configuration and the environment say. */
class ConnectionSettingsError extends GraphDeployError {
  readonly code = "CONNECTION_SETTINGS";
}

/**
 * Finds the connection, and all that is missing or wrong: the resource first, then the stack's configuration, then the
 * environment. It never throws. The address is in its normal form, so that two spellings of one are equal; key and token
 * are never in a state, a log or an error; the certificate is the PEM text of authorities that are trusted besides the
 * usual ones.
 */
export function findConnection(given: ConnectionInputs, surroundings: Surroundings) {
  const faults: InputFault[] = [];
  const fault: Fault = (path, message) => {
    faults.push({ path, message });
  };
  const plain = settingOf("allowHttp", surroundings) ?? "false";
  const allowHttp = plain === "true";
  const url = readUrl(given, surroundings, allowHttp, fault);
  if (!/^(true|false)$/.test(plain)) fault(["allowHttp"], `must be true or false in ${PLACES.allowHttp.config}`);
  const pem = settingOf("caCertificate", surroundings);
  const certificate = pem === undefined ? undefined : certificatesIn(pem, "the text");
  if (certificate?.ok === false) fault(["caCertificate"], certificate.fault);
  const { credential } = given;
  const tenantId = fill(given.tenantId) ?? settingOf("tenantId", surroundings);
  const bearerToken = settingOf("bearerToken", surroundings);
  // A token stands for the key of the environment, which another tool may have put there.
  const env = bearerToken === undefined ? surroundings.env : () => undefined;
  const apiKey = credential
    ? readKey(credential, surroundings, fault)
    : settingOf("apiKey", { config: surroundings.config, env });
  const isKnown = [apiKey, bearerToken, tenantId].some((known) => known !== undefined);
  if (!isKnown && !credential && (!url || !isLoopback(url))) {
    const message = `no API key: run \`pulumi config set --secret ${PLACES.apiKey.config}\`, or set ${PLACES.apiKey.env}`;
    fault(["credential"], `is not set, and there is ${message}`);
  }
  try {
    checkCredentials({ apiKey, bearerToken, tenantId });
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    fault(["credential"], `cannot be used: ${withoutFullStop(error.message)}`);
  }
  const caCertificate = certificate?.ok === true ? certificate.pem : undefined;
  const controlPlaneUrl = url && normalAddress(url);
  return { controlPlaneUrl, tenantId, apiKey, bearerToken, allowHttp, caCertificate, faults };
}

type Fault = (path: InputFault["path"], message: string) => void;

/** The connection of a deployment that has state. Throws ConnectionSettingsError with every fault. */
export function connectionOf(state: ConnectionInputs, surroundings: Surroundings) {
  const { faults, controlPlaneUrl, ...found } = findConnection(state, surroundings);
  if (faults.length === 0 && controlPlaneUrl !== undefined) return { ...found, controlPlaneUrl };
  const what = faults.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
  throw new ConnectionSettingsError(`The settings of the connection are incomplete or invalid: ${what}.`, {
    advice:
      "A refresh or a destroy uses the configuration of the last `pulumi up`: " +
      "set the environment variables for it, or run it with --run-program.",
  });
}

function readUrl({ controlPlaneUrl }: ConnectionInputs, surroundings: Surroundings, allowHttp: boolean, fault: Fault) {
  const path = ["controlPlaneUrl"];
  const text = fill(controlPlaneUrl) ?? settingOf("controlPlaneUrl", surroundings);
  const { config, env } = PLACES.controlPlaneUrl;
  try {
    if (text !== undefined) return parseAddress(text, { allowHttp });
    fault(path, `is missing: set it, or run \`pulumi config set ${config} https://…\`, or set ${env}`);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    fault(path, `cannot be used: ${withoutFullStop(error.message)}`);
  }
  return undefined;
}

function readKey(credential: Credential, { config, env }: Surroundings, fault: Fault): string | undefined {
  if (credential.env !== undefined) {
    const apiKey = fill(env(credential.env));
    if (apiKey === undefined) fault(["credential", "env"], variableFault(credential.env));
    return apiKey;
  }
  const key = credential.config.includes(":") ? credential.config : `${NAMESPACE}:${credential.config}`;
  const apiKey = fill(config(key));
  // The same of a key of the stack's configuration, with its namespace: what holds digits may be an API key.
  const message = /^[A-Za-z-]+:[A-Za-z]+$/.test(key)
    ? `names the key ${key}, which the stack's configuration does not have`
    : "does not name a key of the stack's configuration; give the name of a key, not a value";
  if (apiKey === undefined) fault(["credential", "config"], message);
  return apiKey;
}

function settingOf(setting: keyof typeof PLACES, { config, env }: Surroundings): string | undefined {
  const { config: key, env: variable } = PLACES[setting];
  return fill(config(key)) ?? (variable === undefined ? undefined : fill(env(variable)));
}

/** The text without the spaces around it; undefined when nothing is left. */
export function fill(text: string | undefined): string | undefined {
  const value = text?.trim();
  return value === "" ? undefined : value;
}

/**
 * What a message says of a variable that is not set. A user who writes the value in the place of the name must not find it
 * in a log: only what is written as variables are is shown.
 */
export function variableFault(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
    ? `names the variable ${name}, which is not set`
    : "does not name a variable that is set; give the name of a variable, not a value";
}

/** What is said of a secret setting that the stack's configuration holds in plain text. */
export function plainConfigText(key: string): string {
  return `${key} is stored in plain text: set it with \`pulumi config set --secret ${key}\`, which encrypts it.`;
}
