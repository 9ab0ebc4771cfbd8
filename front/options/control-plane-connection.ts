import { FieldNames, FieldNamesError } from "../../src/contract/field-names.ts";
import type { Credentials } from "../../src/http/endpoint.ts";
import { connectionAt, headerValue, needsCredentials, readAddress, type Connection } from "./endpoint.ts";
import { readCaCertificate } from "./certificate.ts";
import { givenVariable } from "../environment.ts";
import { givenText, type Given, type InputReader } from "./input-reader.ts";
import type { Host } from "../host.ts";
import { LIKELY_UNSET } from "../../src/contract/secret.ts";
import { passwordsIn, proxyPasswords } from "./secrets.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";

/** How the control plane is reached. */
export interface ControlPlaneConnection extends Connection {
  readonly fieldNames: FieldNames;
}

/** The inputs of the connection. */
export type ControlPlaneInputName =
  "allow-http" | "api-key" | "bearer-token" | "ca-certificate" | "control-plane-url" | "field-names" | "tenant-id";

type Reader = InputReader<ControlPlaneInputName>;

// The variables that stand in for empty inputs.
const [ADDRESS, KEY] = ["GRAPH_DEPLOY_URL", "GRAPH_DEPLOY_API_KEY"];

/** The connection that the inputs describe; undefined after an error, which the reader has reported. */
export async function readControlPlaneConnection(
  reader: Reader,
  host: Host,
): Promise<ControlPlaneConnection | undefined> {
  const allowHttp = reader.boolean("allow-http");
  const controlPlaneUrl = readAddress(reader, { input: "control-plane-url", variable: ADDRESS, allowHttp });
  const credentials = readCredentials(reader);
  if (needsCredentials(controlPlaneUrl)) {
    checkCredentials(reader, credentials, await host.explainEmptySecret?.("control-plane-url"));
  }
  const fieldNames = readFieldNames(reader);
  const caCertificate = await readCaCertificate(reader, host.place);
  const parts = { credentials, allowHttp, caCertificate };
  const connection = connectionAt(reader, host.env, controlPlaneUrl, parts);
  return connection && fieldNames && { ...connection, fieldNames };
}

/** GRAPH_DEPLOY_API_KEY stands in only for a step whose inputs have no credential. */
function readCredentials(reader: Reader): Credentials {
  const token = reader.text("bearer-token");
  const key = token === "" ? reader.textOrVariable("api-key", KEY) : reader.text("api-key");
  return {
    apiKey: headerValue(reader, "api-key", key),
    bearerToken: headerValue(reader, "bearer-token", token),
    tenantId: headerValue(reader, "tenant-id", reader.textOrVariable("tenant-id", "GRAPH_DEPLOY_TENANT_ID")),
  };
}

function checkCredentials(reader: Reader, given: Credentials, explanation: string | undefined): void {
  const { apiKey, bearerToken, tenantId } = given;
  if (apiKey !== undefined && bearerToken !== undefined) {
    reader.warn("`api-key` and `bearer-token` are both set: both are sent, and the service chooses.");
  }
  if (apiKey !== undefined || bearerToken !== undefined) return;
  const why = explanation === undefined ? "" : `. ${explanation}`;
  // The service lets a tenant id stand alone, yet far more often a secret is missing.
  if (tenantId !== undefined) reader.warn(`\`api-key\` is empty, ${LIKELY_UNSET}: only \`tenant-id\` is sent${why}.`);
  else reader.fault("api-key", `is empty, ${LIKELY_UNSET}; the service needs this key or a \`bearer-token\`${why}`);
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

/** What of the connection must not be printed, besides the texts of secret options. */
export function secretsOfControlPlane(given: Given): readonly string[] {
  const { env } = given;
  const addresses = [givenText(given, "control-plane-url"), env[ADDRESS] ?? ""];
  return [givenVariable(env, KEY) ?? "", ...addresses.flatMap(passwordsIn), ...proxyPasswords(env)];
}
