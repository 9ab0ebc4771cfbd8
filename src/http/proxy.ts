import type { LookupFunction } from "node:net";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { ProxyFailure, type ProxySettings } from "./proxy-settings.ts";

/** How a connection is made. */
export interface ConnectSettings {
  readonly timeout: number;
  /** How long each address of a host may take, milliseconds, if the host has several. */
  readonly autoSelectFamilyAttemptTimeout: number;
  /** Trusted certificates; the usual ones when not given. */
  readonly ca?: string[];
  /** Resolves the names of hosts that no proxy is asked for; that of the system when not given. */
  readonly lookup?: LookupFunction;
}

/**
 * A dispatcher through the proxies of the settings; undefined if none is set. undici's errors do not distinguish a proxy
 * that is down from a server that is, so that connections to a proxy are made here.
 */
export function proxyDispatcher(
  { http, https, except }: ProxySettings,
  limits: { readonly connections: number },
  { lookup, ...settings }: ConnectSettings,
): Dispatcher | undefined {
  const [httpProxy, httpsProxy] = [http ?? "", https ?? ""];
  const addresses = [httpProxy, httpsProxy].filter((address) => address !== "");
  if (addresses.length === 0) return undefined;
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  const toProxy = (origin: string | URL) => {
    const connect = buildConnector({ ...settings, allowH2: false });
    return new Pool(origin, {
      ...limits,
      connect: (options, callback) => {
        connect(options, (...[error, socket]) => {
          if (error === null) callback(null, socket);
          else callback(new ProxyFailure(error), null);
        });
      },
    });
  };
  return new EnvHttpProxyAgent({
    ...limits,
    allowH2: false,
    connect: { ...settings, ...(lookup === undefined ? {} : { lookup }) },
    requestTls: settings,
    proxyTls: settings,
    clientFactory: toProxy,
    // Plain http goes to the proxy without a tunnel.
    factory: (origin, options) => (origins.has(new URL(origin).origin) ? toProxy(origin) : new Pool(origin, options)),
    httpProxy,
    httpsProxy,
    noProxy: except ?? "",
  });
}
