import type { Redactor } from "./redactor.ts";

/** Who we are: service.md §5; any one of the three suffices. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly bearerToken?: string | undefined;
  readonly tenantId?: string | undefined;
}

/** The headers of the credentials; the redactor learns the secret ones. */
export function credentialHeaders(credentials: Credentials, redactor: Redactor): Readonly<Record<string, string>> {
  const { apiKey, bearerToken, tenantId } = credentials;
  for (const secret of [apiKey, bearerToken]) if (secret !== undefined) redactor.add(secret);
  return {
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    ...(tenantId === undefined ? {} : { "x-tenant-id": tenantId }),
    ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
  };
}
