import { setFields } from "../contract/set-fields.ts";
import { AddressError } from "./errors.ts";

// Apart from proxy.ts, which loads undici: a step that ends at its inputs does not wait for that.

/** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export interface ProxySettings {
  /** The URL of the proxy for http; none when not given. */
  readonly http?: string;
  /** The URL of the proxy for https; none when not given. */
  readonly https?: string;
  /** Hosts without a proxy, separated by commas. */
  readonly except?: string;
}

/**
 * What is wrong with the URL of a proxy, to be read after its name; empty for one that can be used. The URL may hold
 * a password: it is not repeated.
 */
export function proxyFault(url: string): string {
  if (/^socks(4|4a|5|5h)?:/i.test(url)) {
    return "is a SOCKS proxy, and only HTTP proxies are supported; set it to one (example: http://host:port)";
  }
  const isUsable = /^https?:\/\//i.test(url) && URL.canParse(url);
  return isUsable ? "" : "is not a valid proxy URL (example: http://host:port)";
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; as with curl, the name in lower case wins and a scheme may be missing.
 * A value that is not a valid URL is reported to `onFault` and ignored.
 */
export function proxyFromEnvironment(
  variable: (name: string) => string | undefined,
  onFault: (name: string, fault: string) => void,
): ProxySettings {
  const either = (name: string) => variable(name.toLowerCase()) ?? variable(name);
  const address = (name: string) => {
    const value = either(name);
    if (value === undefined) return undefined;
    const url = value.includes("://") ? value : `http://${value}`;
    const fault = proxyFault(url);
    if (fault === "") return url;
    onFault(name, fault);
    return undefined;
  };
  return setFields({ http: address("HTTP_PROXY"), https: address("HTTPS_PROXY"), except: either("NO_PROXY") });
}

/** Throws AddressError for a proxy that cannot be used. */
export function checkProxies({ http = "", https = "" }: ProxySettings): void {
  for (const [variable, value] of Object.entries({ HTTP_PROXY: http, HTTPS_PROXY: https })) {
    const fault = value === "" ? "" : proxyFault(value);
    if (fault !== "") throw new AddressError(`${variable} ${fault}.`);
  }
}

/** The proxy could not be reached, so that the server behind it got nothing. */
export class ProxyFailure extends Error {
  constructor(cause: Error) {
    super("The proxy could not be reached.", { cause });
  }
}
