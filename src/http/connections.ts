import { getDefaultAutoSelectFamilyAttemptTimeout, type LookupFunction } from "node:net";
import tls from "node:tls";
import { Agent, request, type Dispatcher } from "undici";
import { proxyDispatcher } from "./proxy.ts";
import type { ProxySettings } from "./proxy-settings.ts";
import { filteredLookup, isLoopbackAddress, isNearAddress } from "./this-machine.ts";

const CONNECT_MILLISECONDS = 10_000;
// Node gives up an address after 250 ms if the host has another one: on a machine without IPv6, a host with an address of
// each kind could not be reached from further away than that. Four addresses fit into the time for a connection.
const ADDRESS_MILLISECONDS = 2_500;

/** How connections are made, and what is said of a host that is not where it must be. */
export interface ConnectionOptions {
  readonly proxy?: ProxySettings | undefined;
  readonly caCertificate?: string | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly notHere: (host: string) => Error;
  readonly tooNear: (host: string) => Error;
}

/** A direct connection, and one that may use a proxy. */
export interface Ways {
  readonly direct: Dispatcher;
  readonly proxied: Dispatcher;
}

/** The connections of a transport, by where they may lead. */
export class Connections implements AsyncDisposable {
  readonly request = request;
  readonly anywhere: Ways;
  /** To this machine alone. */
  readonly here: Ways;
  /** Anywhere but to this machine and its link. */
  readonly beyond: Ways;

  constructor({ proxy = {}, caCertificate, lookup, notHere, tooNear }: ConnectionOptions) {
    const limits = { connections: 8 };
    const connect = {
      timeout: CONNECT_MILLISECONDS,
      // NODE_OPTIONS may ask for longer.
      autoSelectFamilyAttemptTimeout: Math.max(ADDRESS_MILLISECONDS, getDefaultAutoSelectFamilyAttemptTimeout()),
      ...(caCertificate === undefined ? {} : { ca: [...tls.getCACertificates("default"), caCertificate] }),
    };
    const ways = (chosen: LookupFunction | undefined): Ways => {
      const settings = { ...connect, ...(chosen === undefined ? {} : { lookup: chosen }) };
      const direct = new Agent({ ...limits, allowH2: false, connect: settings });
      return { direct, proxied: proxyDispatcher(proxy, limits, settings) ?? direct };
    };
    this.anywhere = ways(lookup);
    this.here = ways(filteredLookup(isLoopbackAddress, notHere, lookup));
    this.beyond = ways(filteredLookup((address) => !isNearAddress(address), tooNear, lookup));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [this.anywhere, this.here, this.beyond].flatMap(({ direct, proxied }) => [direct, proxied]);
    await Promise.all([...new Set(all)].map((dispatcher) => dispatcher.destroy()));
  }
}
