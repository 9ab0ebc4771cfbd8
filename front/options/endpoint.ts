import { isLoopback, parseAddress } from "../../src/http/base-url.ts";
import { Endpoint, isCredential, type Credentials } from "../../src/http/endpoint.ts";
import { AddressError, CredentialsError } from "../../src/http/errors.ts";
import { proxyFromEnvironment, type ProxySettings } from "../../src/http/proxy-settings.ts";
import { givenVariable, type Environment } from "../environment.ts";
import type { InputReader } from "./input-reader.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";

export interface Connection {
  /** `local` stands for the local service. */
  readonly service: Endpoint | "local";
  /** PEM text. */
  readonly caCertificate?: string | undefined;
  readonly allowHttp: boolean;
  /** Empty for the local service, which is on this machine. */
  readonly proxy: ProxySettings;
  /** For the trace, which has the same tenant. */
  readonly tenantId?: string | undefined;
}

/** Where a service is; `local` stands for the local service. */
export type Address = URL | "local";

/** Which input holds an address, and the environment variable for an empty one. */
export interface AddressInput<Name> {
  readonly input: Name;
  readonly variable: string;
  /** False for a step that needs no service. */
  readonly isNeeded?: boolean;
}

/** The address that an input or its variable holds; undefined when there is none, or after an error. */
export function readAddress<const Name extends string>(
  reader: InputReader<Name>,
  { input, variable, isNeeded = true }: AddressInput<Name>,
  allowHttp: boolean,
): Address | undefined {
  const text = reader.textOrVariable(input, variable);
  if (text === "local") return "local";
  if (text === "") {
    if (isNeeded) reader.fault(input, "is missing; set the address of the service, or `local` for a rehearsal");
    return undefined;
  }
  try {
    return parseAddress(text, { allowHttp });
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    const hint = isAddress(text, { allowHttp: true }) ? ", or set `allow-http` if the network is trusted" : "";
    reader.fault(input, withoutFullStop(error.message) + hint);
    return undefined;
  }
}

/** A value of this input that is sent as a header; undefined when it is empty. A value that no header can hold is an error. */
export function headerValue<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  value: string,
): string | undefined {
  if (value === "") return undefined;
  if (!isCredential(value)) {
    reader.fault(input, "contains whitespace or non-ASCII characters; save the secret again without them");
  }
  return value;
}

/** The connection to an address; undefined where there is none, or one of its parts is invalid, which the reader has reported. */
export function connectionAt<Name extends string>(
  reader: InputReader<Name>,
  env: Environment,
  address: Address | undefined,
  { credentials, ...parts }: Pick<Connection, "allowHttp" | "caCertificate"> & { readonly credentials: Credentials },
): Connection | undefined {
  const { tenantId } = credentials;
  if (address === "local") return { service: address, ...parts, proxy: {}, tenantId };
  const proxy = proxyFromEnvironment(
    (name) => givenVariable(env, name),
    (name, fault) => {
      reader.fault(name, fault);
    },
  );
  if (!address) return undefined;
  try {
    return { service: new Endpoint(address.href, credentials, parts), ...parts, proxy, tenantId };
  } catch (error) {
    if (error instanceof CredentialsError) return undefined;
    throw error;
  }
}

/** True when the service is on another machine, or its address is unknown: then it needs credentials. */
export function needsCredentials(address: Address | undefined): boolean {
  return address === undefined || (address !== "local" && !isLoopback(address));
}

function isAddress(text: string, options: { readonly allowHttp: boolean }): boolean {
  try {
    return parseAddress(text, options).href !== "";
  } catch {
    return false;
  }
}
