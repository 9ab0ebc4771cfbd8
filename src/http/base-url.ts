import { AddressError } from "./errors.ts";

/** Parses an address of a service; https is required except on loopback or with `allowHttp`. */
export function parseAddress(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `host:443` is a URL of the scheme `host:`.
  const unschemed = hostWithoutScheme(text);
  if (unschemed) {
    const scheme = isLoopback(unschemed) ? "http://" : "https://";
    throw new AddressError(
      `The address of the service has no scheme: write ${scheme} before the host (example: ${scheme}host/path).`,
    );
  }
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    // The text may be a key in the wrong input: it is not repeated.
    throw new AddressError("The address of the service is not a valid URL (example: https://host/path).");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AddressError(
      `The address of ${url.host} contains a user name or a password; give the credentials separately.`,
    );
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url)) {
    throw new AddressError(
      `The address of ${url.host} uses http, which would send the credentials unencrypted; use https.`,
    );
  }
  return url;
}

/** The address that a text without a scheme means; undefined for what does not look like a host, such as a key. */
export function hostWithoutScheme(text: string): URL | undefined {
  if (!/^[\w.-]+(:\d+)?([/?#]|$)|^\[[\da-f:.]+\]/i.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const url = new URL(`http://${text}`);
  return url.port !== "" || isLoopback(url) || /[.:]/.test(url.hostname) ? url : undefined;
}

/** Appends an absolute path to a base, which may have a path and a trailing slash. */
export function joinUrl(base: URL, path: string, query: Readonly<Record<string, string | number>> = {}): URL {
  const url = new URL(base);
  url.hash = "";
  url.search = "";
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}

/**
 * This machine: 127.0.0.0/8, ::1, and localhost with the names below it. The transport checks where such a name leads: if
 * not to this machine, nothing is sent over http.
 */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** An address that is safe to log: a query may hold a signature. */
export function printableUrl(url: URL): string {
  return url.origin + url.pathname;
}
