import { setFields } from "../contract/set-fields.ts";
import { joinUrl, parseAddress, printableUrl } from "./base-url.ts";
import { CredentialsError } from "./errors.ts";
import type { Redactor } from "./redactor.ts";

/** Who asks; any one of the three suffices. */
export interface Credentials {
  /** Sent as `X-Api-Key`: section 5 of the contract. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`. */
  readonly bearerToken?: string | undefined;
  /** The workspace that the key is used for, sent as `X-Tenant-Id`. */
  readonly tenantId?: string | undefined;
}

/** How an address is checked. */
export interface EndpointOptions {
  /** Plain http to hosts other than loopback; false when not given. */
  readonly allowHttp?: boolean | undefined;
  /** The service that named this address; undefined when the user did. The transport sends nothing from it to this machine. */
  readonly namedBy?: URL | undefined;
}

/**
 * True for a value that may be a key or an id of a tenant. Whatever else a header may hold is never part of one:
 * RFC 9110 §5.5. undici would send bytes in the range of Latin-1, and they would arrive as something else.
 */
export function isCredential(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value);
}

/** Throws CredentialsError, which does not repeat the value. */
export function checkCredentials({ apiKey, bearerToken, tenantId }: Credentials): void {
  const values = { "The API key": apiKey, "The bearer token": bearerToken, "The tenant id": tenantId };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || isCredential(value)) continue;
    throw new CredentialsError(
      `${name} is not a valid header value: it is empty, or contains whitespace or non-ASCII characters.`,
      { advice: "Copy it again from the service, and save it without a line break or a space." },
    );
  }
}

/**
 * The address of a service and the credentials that belong to it, checked once. Requests below this address carry the
 * credentials, and nothing else reads them: every text of an endpoint shows `***` in their place.
 */
export class Endpoint {
  readonly namedBy: URL | undefined;
  readonly #url: URL;
  readonly #credentials: Credentials;
  readonly #options: EndpointOptions;

  /** Throws AddressError for an unusable address, and CredentialsError for a value that is not a credential. */
  constructor(url: string, { apiKey, bearerToken, tenantId }: Credentials = {}, options: EndpointOptions = {}) {
    const { allowHttp = false, namedBy } = options;
    this.#url = parseAddress(url, { allowHttp });
    checkCredentials({ apiKey, bearerToken, tenantId });
    this.#credentials = { apiKey, bearerToken, tenantId };
    this.#options = { allowHttp, namedBy };
    this.namedBy = namedBy;
  }

  get url(): URL {
    return new URL(this.#url);
  }

  /** The same service below another path. */
  below(pathname: string): Endpoint {
    const { url } = this;
    url.pathname = pathname;
    return new Endpoint(url.href, this.#credentials, this.#options);
  }

  /** The agent server that this service has at another address: it gets the same key, and it knows no tenants. */
  agentServer(url: string): Endpoint {
    const { apiKey, bearerToken } = this.#credentials;
    return new Endpoint(url, { apiKey, bearerToken }, { ...this.#options, namedBy: this.#url });
  }

  /** Where an operation below this address is sent to, and the headers that prove who asks. */
  request(path: string, query?: Readonly<Record<string, string | number>>) {
    const { apiKey, bearerToken, tenantId } = this.#credentials;
    const headers: Readonly<Record<string, string>> = {
      ...setFields({ "x-api-key": apiKey, "x-tenant-id": tenantId }),
      ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
    };
    return { url: joinUrl(this.#url, path, query), headers };
  }

  /** From now on the redactor knows the secrets of this endpoint. */
  teach(redactor: Redactor): void {
    const { apiKey, bearerToken } = this.#credentials;
    for (const secret of [apiKey, bearerToken]) if (secret !== undefined) redactor.add(secret);
  }

  toJSON(): Readonly<Record<string, string>> {
    const { apiKey, bearerToken, tenantId } = this.#credentials;
    const secrets = Object.keys(setFields({ apiKey, bearerToken })).map((name) => [name, "***"] as const);
    return { url: printableUrl(this.#url), ...Object.fromEntries(secrets), ...setFields({ tenantId }) };
  }

  toString(): string {
    const { url = "", ...credentials } = this.toJSON();
    const shown = Object.entries(credentials).map(([name, value]) => `${name}: ${value}`);
    return shown.length === 0 ? url : `${url} (${shown.join(", ")})`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Endpoint ${this.toString()}`;
  }
}
