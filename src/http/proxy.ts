import type { LookupFunction } from "node:net";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { AddressError } from "./errors.ts";

/** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  readonly except?: string;
}

/** How a connection is made. */
export interface ConnectSettings {
  readonly timeout: number;
  /** Trusted certificates; the usual ones when not given. */
  readonly ca?: string[];
  /** Resolves the names of hosts that no proxy is asked for; that of the system when not given. */
  readonly lookup?: LookupFunction;
}

/** The proxy could not be reached, so that the server behind it got nothing. */
export class ProxyFailure extends Error {
  constructor(cause: Error) {
    super("The proxy could not be reached.", { cause });
  }
}

/**
 * A dispatcher through the proxies of the settings; undefined if none is set. undici's errors do not distinguish a proxy
 * that is down from a server that is, so that connections to a proxy are made here.
 */
export function proxyDispatcher(
  { http, https, except }: ProxySettings,
  limits: { readonly connections: number },
  { timeout, lookup, ...tls }: ConnectSettings,
): Dispatcher | undefined {
  const [httpProxy, httpsProxy] = [proxyAddress("HTTP_PROXY", http), proxyAddress("HTTPS_PROXY", https)];
  const addresses = [httpProxy, httpsProxy].filter((address) => address !== "");
  if (addresses.length === 0) return undefined;
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  const toProxy = (origin: string | URL) =>
    new Pool(origin, { ...limits, connect: tagged(buildConnector({ ...tls, timeout, allowH2: false })) });
  return new EnvHttpProxyAgent({
    ...limits,
    allowH2: false,
    connect: { ...tls, timeout, ...(lookup === undefined ? {} : { lookup }) },
    requestTls: tls,
    proxyTls: tls,
    clientFactory: toProxy,
    // Plain http goes to the proxy without a tunnel.
    factory: (origin, options) => (origins.has(new URL(origin).origin) ? toProxy(origin) : new Pool(origin, options)),
    httpProxy,
    httpsProxy,
    noProxy: except ?? "",
  });
}

function tagged(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new ProxyFailure(error), null);
    });
  };
}

function proxyAddress(variable: string, value: string | undefined): string {
  if (value === undefined || value === "") return "";
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  // The value may hold a password: it is not repeated.
  throw new AddressError(`${variable} is not a valid proxy URL (example: http://host:port).`);
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
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
    // The value may hold a password: it is not repeated.
    onFault(name, "is not a valid proxy URL (example: http://host:port)");
    return undefined;
  };
  const http = address("HTTP_PROXY");
  const https = address("HTTPS_PROXY");
  const except = either("NO_PROXY");
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(except === undefined ? {} : { except }),
  };
}
