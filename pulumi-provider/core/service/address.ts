import { isSameId } from "../../../src/contract/uuid.ts";
import { findDeploymentTwice, type FoundContext } from "./found.ts";
import type { Properties } from "../state/state.ts";

// Three names of one machine.
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** One form for all spellings of an address: they differ in case, port, slashes, and in the name of this machine. */
export function normalAddress(url: URL): string {
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** True for two addresses in their normal form that lead to one service. */
export function isSameAddress(one: string, other: string): boolean {
  return machineOf(one) === machineOf(other);
}

function machineOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return address;
  if (LOOPBACK.test(url.hostname)) url.hostname = "localhost";
  url.hostname = url.hostname.replace(/\.$/, "");
  return normalAddress(url);
}

/**
 * True when a deployment is at the address that the program names now: in another spelling of the address that state has,
 * or because the service there answers with the same deployment. `look` is what asks there.
 */
export async function isStillThere(
  id: string,
  { controlPlaneUrl: before, name, createdAt }: Properties,
  { controlPlaneUrl: after }: Properties,
  look: () => FoundContext,
): Promise<boolean> {
  if (before === after || typeof before !== "string" || typeof after !== "string") return before === after;
  if (isSameAddress(before, after)) return true;
  const found = await findDeploymentTwice(id, look());
  if (!found || !isSameId(found.id, id)) return false;
  const isNamed = found.name === undefined || found.name === name;
  return isNamed && (found.created_at == null || createdAt == null || found.created_at === createdAt);
}
