import { CredentialsError } from "./errors.ts";
import type { Redactor } from "./redactor.ts";

/** Who asks; any one of the three suffices. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly bearerToken?: string | undefined;
  readonly tenantId?: string | undefined;
}

/**
 * The headers of the credentials; the redactor learns the secret ones. Throws CredentialsError for a value that no
 * header can hold, such as a key with a line break.
 */
export function credentialHeaders(credentials: Credentials, redactor: Redactor): Readonly<Record<string, string>> {
  const { apiKey, bearerToken, tenantId } = credentials;
  for (const secret of [apiKey, bearerToken]) if (secret !== undefined) redactor.add(secret);
  const values = { "The API key": apiKey, "The bearer token": bearerToken, "The tenant id": tenantId };
  for (const [name, value] of Object.entries(values)) {
    // Bytes in the range of Latin-1 would pass undici, and arrive as something else.
    if (value === undefined || /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(value)) continue;
    throw new CredentialsError(
      `${name} cannot be sent: it is empty, or holds a line break or another character that no key has.`,
    );
  }
  return {
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    ...(tenantId === undefined ? {} : { "x-tenant-id": tenantId }),
    ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
  };
}
