import { FieldNames, FieldNamesError } from "../../src/contract/field-names.ts";
import { isLoopback, parseAddress } from "../../src/http/base-url.ts";
import type { Credentials } from "../../src/http/credentials.ts";
import { AddressError } from "../../src/http/errors.ts";
import type { ProxySettings } from "../../src/http/proxy.ts";
import { readCertificates } from "../inputs/certificate.ts";
import { givenInput, givenVariable, type Environment, type InputReader } from "../inputs/input-reader.ts";
import { readProxy } from "../inputs/proxy.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import { whySecretsAreWithheld } from "../inputs/withheld-secrets.ts";
import type { DeployInputName } from "./declared-inputs.ts";

/** How the control plane is reached. */
export interface ConnectionInputs extends Credentials {
  /** `local` stands for the embedded service. */
  readonly controlPlaneUrl: URL | "local";
  readonly fieldNames: FieldNames;
  /** PEM text. */
  readonly caCertificate?: string;
  readonly allowHttp: boolean;
  /** Empty for the embedded service, which is on this machine. */
  readonly proxy: ProxySettings;
}

type Reader = InputReader<DeployInputName>;

/** The connection that the inputs describe; undefined when there is a fault, which the reader knows then. */
export async function readConnection(
  reader: Reader,
  env: Environment,
  runner: RunnerFacts,
): Promise<ConnectionInputs | undefined> {
  const allowHttp = reader.boolean("allow-http");
  const controlPlaneUrl = readAddress(reader, allowHttp);
  const credentials = readCredentials(reader);
  const needsCredentials =
    controlPlaneUrl !== "local" && (controlPlaneUrl === undefined || !isLoopback(controlPlaneUrl));
  if (needsCredentials) checkCredentials(reader, credentials, await whySecretsAreWithheld(env));
  const fieldNames = readFieldNames(reader);
  const caCertificate = await readCaCertificate(reader, runner);
  const proxy = controlPlaneUrl === "local" ? { settings: {}, faults: [] } : readProxy(env);
  for (const { input, message } of proxy.faults) reader.fault(input, message);
  if (controlPlaneUrl === undefined || fieldNames === undefined) return undefined;
  return {
    controlPlaneUrl,
    ...credentials,
    fieldNames,
    ...(caCertificate === undefined ? {} : { caCertificate }),
    allowHttp,
    proxy: proxy.settings,
  };
}

function readAddress(reader: Reader, allowHttp: boolean): URL | "local" | undefined {
  const text = reader.textOrVariable("control-plane-url", "GRAPH_DEPLOY_URL");
  if (text === "local") return "local";
  if (text === "") {
    reader.fault("control-plane-url", "is missing; write the address of the service, or local for a rehearsal");
    return undefined;
  }
  try {
    return parseAddress(text, { allowHttp });
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    const hint = isAddress(text, { allowHttp: true }) ? ", or set allow-http where nobody can listen" : "";
    reader.fault("control-plane-url", withoutFullStop(error.message) + hint);
    return undefined;
  }
}

function isAddress(text: string, options: { readonly allowHttp: boolean }): boolean {
  try {
    return parseAddress(text, options).href !== "";
  } catch {
    return false;
  }
}

/** GRAPH_DEPLOY_API_KEY stands in only for a step that names no credential of its own. */
function readCredentials(reader: Reader): Credentials {
  const bearerToken = reader.text("bearer-token");
  const apiKey = bearerToken === "" ? reader.textOrVariable("api-key", "GRAPH_DEPLOY_API_KEY") : reader.text("api-key");
  const tenantId = reader.textOrVariable("tenant-id", "GRAPH_DEPLOY_TENANT_ID");
  const given = { "api-key": apiKey, "bearer-token": bearerToken, "tenant-id": tenantId };
  for (const [input, value] of Object.entries(given)) {
    // Each is sent as a header. What else could stand in one is never part of a key: RFC 9110, section 5.5.
    if (!/^[\x21-\x7e]*$/.test(value)) {
      reader.fault(input, "holds a blank, a line break or what is not ASCII; store the value again without it");
    }
  }
  return {
    ...(apiKey === "" ? {} : { apiKey }),
    ...(bearerToken === "" ? {} : { bearerToken }),
    ...(tenantId === "" ? {} : { tenantId }),
  };
}

function checkCredentials(reader: Reader, given: Credentials, explanation: string | undefined): void {
  const { apiKey, bearerToken, tenantId } = given;
  if (apiKey !== undefined && bearerToken !== undefined) {
    reader.warn("api-key and bearer-token are both set: both are sent, and the service chooses.");
  }
  if (apiKey !== undefined || bearerToken !== undefined) return;
  const why = explanation === undefined ? "" : `. ${explanation}`;
  // service.md §5 lets a tenant id stand alone, yet far more often a secret is missing.
  if (tenantId !== undefined) reader.warn(`api-key is empty, so that only tenant-id is sent${why}.`);
  else reader.fault("api-key", `is empty, and so is bearer-token; the service needs one of them${why}`);
}

function readFieldNames(reader: Reader): FieldNames | undefined {
  try {
    return FieldNames.parse(reader.text("field-names"));
  } catch (error) {
    if (!(error instanceof FieldNamesError)) throw error;
    reader.fault("field-names", withoutFullStop(error.message));
    return undefined;
  }
}

async function readCaCertificate(reader: Reader, runner: RunnerFacts): Promise<string | undefined> {
  const text = reader.text("ca-certificate");
  if (text === "") return undefined;
  const result = await readCertificates(text, runner.workspace ?? "");
  if (result.ok) return result.pem;
  reader.fault("ca-certificate", result.fault);
  return undefined;
}

/** What of the connection must not be printed. */
export function secretsOfConnection(env: Environment): readonly string[] {
  return [
    givenInput(env, "api-key"),
    givenInput(env, "bearer-token"),
    givenVariable(env, "GRAPH_DEPLOY_API_KEY") ?? "",
  ];
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
