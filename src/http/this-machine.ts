import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

// 0.0.0.0 and :: lead to this machine too. A cloud's metadata service is on the link.
const NEAR = new BlockList();
NEAR.addSubnet("127.0.0.0", 8, "ipv4");
NEAR.addAddress("::1", "ipv6");
NEAR.addSubnet("0.0.0.0", 8, "ipv4");
NEAR.addAddress("::", "ipv6");
NEAR.addSubnet("169.254.0.0", 16, "ipv4");
NEAR.addSubnet("fe80::", 10, "ipv6");

/** True for an IP address of this machine alone; IPv4 also as IPv6 writes it. */
export function isLoopbackAddress(address: string): boolean {
  return isIn(LOOPBACK, address);
}

/** True for an IP address of this machine or of its link. */
export function isNearAddress(address: string): boolean {
  return isIn(NEAR, address);
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Every address of a host, itself where it is one; none for a name that cannot be resolved. */
export async function addressesOf(url: URL, lookup: LookupFunction = systemLookup): Promise<readonly string[]> {
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0) return [literal];
  try {
    const found = await promisify<string, object, readonly LookupAddress[]>(allOf(lookup))(url.hostname, {});
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

/**
 * A lookup that returns good addresses only, or the error if a name has none. It runs while the connection is made, so
 * that no later lookup of the same name can lead elsewhere.
 */
export function filteredLookup(
  isGood: (address: string) => boolean,
  error: (hostname: string) => Error,
  lookup: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    allOf(lookup)(hostname, options, (failure, found) => {
      const good = found.filter(({ address }) => isGood(address));
      const [first] = good;
      if (failure !== null) callback(failure, "");
      else if (!first) callback(error(hostname), "");
      else if (options.all === true) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
}

type AllCallback = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void;

function allOf(lookup: LookupFunction) {
  return (hostname: string, options: object, callback: AllCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, found, family = 0) => {
      callback(error, typeof found === "string" ? [{ address: found, family }] : found);
    });
  };
}
