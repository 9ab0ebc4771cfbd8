import { CONNECTION_OPTIONS } from "../../src/control-plane/options.ts";
import {
  connectionAt,
  headerValue,
  needsCredentials,
  readAddress,
  type AddressInput,
  type Connection,
} from "./endpoint.ts";
import { readCaCertificate } from "./certificate.ts";
import { givenVariable } from "../environment.ts";
import { givenText, type Given, type InputReader } from "./input-reader.ts";
import type { InputNames } from "./never-empty.ts";
import type { Host } from "../host.ts";
import { LIKELY_UNSET } from "../../src/contract/secret.ts";
import { passwordsIn, proxyPasswords } from "./secrets.ts";

// A shorter key, as of a service on this machine, is soon a part of a word.
const LEAST_KEY_LENGTH = 8;

const { apiKey, tenantId, caCertificate, allowHttp } = CONNECTION_OPTIONS;

export const SERVICE_OPTIONS = {
  url: {
    ...CONNECTION_OPTIONS.url,
    about:
      "Address of the service, with or without `/api/v1`; `local` rehearses on a local service. Default: the variable GRAPH_DEPLOY_BASE_URL. Not needed with `dryRun`.",
  },
  apiKey: { ...apiKey, about: "API key of the service. Default: the variable GRAPH_DEPLOY_API_KEY." },
  tenantId,
  caCertificate,
  allowHttp,
};

export type ServiceInputName = InputNames<typeof SERVICE_OPTIONS, { readonly url: "base-url" }>;

/** The variables that stand in for empty inputs. */
export const VARIABLE = {
  key: "GRAPH_DEPLOY_API_KEY",
  tenant: "GRAPH_DEPLOY_TENANT_ID",
} as const;
/** Where most steps have the address. */
export const BASE_URL = { input: "base-url", variable: "GRAPH_DEPLOY_BASE_URL" } as const;

/** The connection that the inputs describe; undefined where none is needed, or after an error, which the reader has reported. */
export async function readConnection<const Name extends string>(
  reader: InputReader<Exclude<ServiceInputName, "base-url"> | Name>,
  host: Host,
  where: AddressInput<Name>,
): Promise<Connection | undefined> {
  const allowHttp = reader.boolean("allow-http");
  const address = readAddress(reader, where, allowHttp);
  const apiKey = headerValue(reader, "api-key", reader.textOrVariable("api-key", VARIABLE.key));
  const tenantId = headerValue(reader, "tenant-id", reader.textOrVariable("tenant-id", VARIABLE.tenant));
  if (apiKey === undefined && where.isNeeded !== false && needsCredentials(address)) {
    const explanation = await host.explainEmptySecret?.(where.input);
    const why = explanation === undefined ? "" : `. ${explanation}`;
    reader.fault("api-key", `is empty, ${LIKELY_UNSET}; the service needs one${why}`);
  }
  const caCertificate = await readCaCertificate(reader, host.place);
  return connectionAt(reader, host.env, address, { credentials: { apiKey, tenantId }, allowHttp, caCertificate });
}

/** What of the connection must not be printed, besides the texts of secret options. */
export function serviceSecrets(given: Given, { input, variable }: AddressInput<string> = BASE_URL): readonly string[] {
  const { env } = given;
  const addresses = [givenText(given, input), env[variable] ?? ""];
  return [givenVariable(env, VARIABLE.key) ?? "", ...addresses.flatMap(passwordsIn), ...proxyPasswords(env)];
}

/** Reports each input whose text is sent and contains a key of the step. */
export function refuseKeysIn<const Name extends string>(
  reader: InputReader<Name>,
  given: Given,
  inputs: readonly Name[],
): void {
  // Also one that the step does not use.
  const keys = [givenText(given, "api-key"), givenVariable(given.env, VARIABLE.key) ?? ""].filter(
    (key) => key.length >= LEAST_KEY_LENGTH,
  );
  for (const input of inputs) {
    const text = reader.text(input);
    if (!keys.some((key) => text.includes(key))) continue;
    reader.fault(input, "contains this step's API key, which would be stored where others can read it; remove it");
  }
}
