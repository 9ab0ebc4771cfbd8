import { FieldNames, FieldNamesError } from "../../src/contract/field-names.ts";
import { connectionAt, headerValue, needsCredentials, readAddress, type Connection } from "./endpoint.ts";
import { readCaCertificate } from "./certificate.ts";
import type { Given, InputReader } from "./input-reader.ts";
import { serviceSecrets, VARIABLE } from "./service-connection.ts";
import type { Host } from "../host.ts";
import { LIKELY_UNSET } from "../../src/contract/secret.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";

export interface ControlPlaneConnection extends Connection {
  readonly fieldNames: FieldNames;
}

type Reader = InputReader<
  "allow-http" | "api-key" | "bearer-token" | "ca-certificate" | "control-plane-url" | "field-names" | "tenant-id"
>;

const ADDRESS = { input: "control-plane-url", variable: "GRAPH_DEPLOY_URL" } as const;

/** The connection that the inputs describe; undefined after an error, which the reader has reported. */
export async function readControlPlaneConnection(
  reader: Reader,
  host: Host,
): Promise<ControlPlaneConnection | undefined> {
  const allowHttp = reader.boolean("allow-http");
  const address = readAddress(reader, ADDRESS, allowHttp);
  const token = reader.text("bearer-token");
  // The variable stands in only for a step whose inputs have no credential.
  const key = token === "" ? reader.textOrVariable("api-key", VARIABLE.key) : reader.text("api-key");
  const apiKey = headerValue(reader, "api-key", key);
  const bearerToken = headerValue(reader, "bearer-token", token);
  const tenantId = headerValue(reader, "tenant-id", reader.textOrVariable("tenant-id", VARIABLE.tenant));
  if (needsCredentials(address)) {
    const explanation = await host.explainEmptySecret?.(ADDRESS.input);
    const why = explanation === undefined ? "" : `. ${explanation}`;
    const hasNone = apiKey === undefined && bearerToken === undefined;
    if (apiKey !== undefined && bearerToken !== undefined) {
      reader.warn("`api-key` and `bearer-token` are both set: both are sent, and the service chooses.");
    }
    // The service lets a tenant id stand alone, yet far more often a secret is missing.
    if (hasNone && tenantId !== undefined) {
      reader.warn(`\`api-key\` is empty, ${LIKELY_UNSET}: only \`tenant-id\` is sent${why}.`);
    } else if (hasNone) {
      reader.fault("api-key", `is empty, ${LIKELY_UNSET}; the service needs this key or a \`bearer-token\`${why}`);
    }
  }
  const fieldNames = readFieldNames(reader);
  const caCertificate = await readCaCertificate(reader, host.place);
  const parts = { credentials: { apiKey, bearerToken, tenantId }, allowHttp, caCertificate };
  const connection = connectionAt(reader, host.env, address, parts);
  return connection && fieldNames && { ...connection, fieldNames };
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
  return serviceSecrets(given, ADDRESS);
}
