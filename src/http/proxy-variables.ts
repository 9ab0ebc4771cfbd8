import type { ProxySettings } from "./proxy.ts";

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; as with curl, the name in lower case wins and a scheme may be missing.
 * What is no address is told, and left out.
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
    onFault(name, "is no address of an HTTP proxy; write http://host:port");
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
