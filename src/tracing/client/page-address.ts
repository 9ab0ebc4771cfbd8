import { isLoopback } from "../../http/base-url.ts";
import { pageRoot } from "../../http/page-root.ts";

/**
 * The page of a trace; undefined where it is not known. Only the local service finds a trace by nothing but its id, and
 * it has one tenant, however it is called.
 */
export function tracePage(apiUrl: string, traceId: string): string | undefined {
  const root = pageRoot(apiUrl);
  if (root === undefined || !isLoopback(root)) return undefined;
  return new URL(`o/-/traces/${encodeURIComponent(traceId)}`, root).href;
}
