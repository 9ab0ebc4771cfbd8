import { isLoopback } from "./base-url.ts";

/**
 * Where the pages of a service are, as far as the address of its API tells it: the host without its label `api`, the
 * host itself where the API has the path `/api` or `/api-host`, or where it is on this machine; undefined for any other.
 */
export function pageRoot(apiUrl: string): URL | undefined {
  const url = URL.parse(apiUrl);
  if (url === null) return undefined;
  const labels = url.hostname.split(".");
  const prefix = /^(.*)\/api(?:-host)?(?:\/v1)?\/*$/.exec(url.pathname)?.[1];
  // A control plane at `api.host.` has its pages elsewhere.
  const isApiHost = labels.includes("api") && labels.length > 2 && labels[labels.indexOf("api") + 1] !== "host";
  if (isApiHost) url.hostname = labels.filter((label) => label !== "api").join(".");
  else if (prefix === undefined && !isLoopback(url)) return undefined;
  return new URL(`${prefix ?? ""}/`, url.origin);
}
