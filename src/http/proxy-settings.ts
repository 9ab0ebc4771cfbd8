// Apart from proxy.ts, which loads undici: a step that ends at its inputs does not wait for that.

/** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  readonly except?: string;
}

export const INVALID_PROXY = "is not a valid proxy URL (example: http://host:port)";

export function isProxyUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
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
    if (isProxyUrl(url)) return url;
    // The value may hold a password: it is not repeated.
    onFault(name, INVALID_PROXY);
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
