import { setFields } from "../contract/set-fields.ts";
import tls from "node:tls";
import { getDefaultAutoSelectFamilyAttemptTimeout, type LookupFunction } from "node:net";
import { Agent, type Dispatcher, buildConnector, EnvHttpProxyAgent, Pool } from "undici";
import { type ProxySettings, ProxyFailure } from "./proxy-settings.ts";
import { filteredLookup, isLoopbackAddress, isNearAddress } from "./this-machine.ts";

const REQUESTS_AT_A_TIME = 8;
const CONNECT_MILLISECONDS = 10_000;
// Node gives up an address after 250 ms if the host has another one: on a machine without IPv6, a host with an address of
// each kind could not be reached from further away than that. Four addresses fit into the time for a connection.
const ADDRESS_MILLISECONDS = 2_500;

export interface ConnectionOptions {
  readonly proxy?: ProxySettings | undefined;
  readonly caCertificate?: string | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly notHere: (host: string) => Error;
  readonly tooNear: (host: string) => Error;
}

interface Way {
  readonly direct: Dispatcher;
  readonly proxied: Dispatcher;
}

/** Connections of requests, and those of responses that arrive for minutes: no request waits for the end of a stream. */
export interface Ways {
  readonly requests: Way;
  readonly streams: Way;
}

/** The connections of a transport, by where they may lead. */
export class Connections implements AsyncDisposable {
  readonly anywhere: Ways;
  /** To this machine alone. */
  readonly here: Ways;
  /** Anywhere but to this machine and its link. */
  readonly beyond: Ways;

  constructor({ proxy = {}, caCertificate, lookup, notHere, tooNear }: ConnectionOptions) {
    const connect = {
      timeout: CONNECT_MILLISECONDS,
      // NODE_OPTIONS may ask for longer.
      autoSelectFamilyAttemptTimeout: Math.max(ADDRESS_MILLISECONDS, getDefaultAutoSelectFamilyAttemptTimeout()),
      ...(caCertificate === undefined ? {} : { ca: [...tls.getCACertificates("default"), caCertificate] }),
    };
    const ways = (chosen: LookupFunction | undefined): Ways => {
      const settings = { ...connect, ...setFields({ lookup: chosen }) };
      const way = (limits: Limits): Way => {
        const direct = new Agent({ ...limits, allowH2: false, connect: settings });
        return { direct, proxied: proxyDispatcher(proxy, limits, settings) ?? direct };
      };
      // Who opens streams decides how many.
      return { requests: way({ connections: REQUESTS_AT_A_TIME }), streams: way({ connections: null }) };
    };
    this.anywhere = ways(lookup);
    this.here = ways(filteredLookup(isLoopbackAddress, notHere, lookup));
    this.beyond = ways(filteredLookup((address) => !isNearAddress(address), tooNear, lookup));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ways = [this.anywhere, this.here, this.beyond].flatMap(({ requests, streams }) => [requests, streams]);
    const all = new Set(ways.flatMap(({ direct, proxied }) => [direct, proxied]));
    await Promise.all([...all].map((dispatcher) => dispatcher.destroy()));
  }
}

/** How many connections there are to a host; null for as many as are asked for. */
interface Limits {
  readonly connections: number | null;
}

interface ConnectSettings {
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
function proxyDispatcher(
  { http, https, except }: ProxySettings,
  limits: Limits,
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
    connect: { ...settings, ...(lookup ? { lookup } : {}) },
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
