import { urlDecoded } from "../../src/text/url-decoded.ts";
import type { Environment } from "../environment.ts";

/** These values, each once, without blank ones. */
export function distinctSecrets(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== undefined).filter((value) => value.trim() !== "");
}

/** The passwords in the proxies' addresses, of both spellings of the names. */
export function proxyPasswords(env: Environment): readonly string[] {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].flatMap((name) => passwordsIn(env[name] ?? ""));
}

/** The password in an address as it is written and as it is meant; a lone user name counts, since it may be a token. */
export function passwordsIn(address: string): readonly string[] {
  const rest = address.replace(/^[a-z][a-z\d+.-]*:\/\//i, "");
  // Text that is not a URL must be masked too: there all before the last "@" counts as credentials.
  const authority = URL.canParse(`http://${rest}`) ? rest.replace(/[/?#].*$/s, "") : rest;
  const credentials = authority.slice(0, Math.max(0, authority.lastIndexOf("@")));
  const written = credentials.slice(credentials.indexOf(":") + 1);
  return written === "" ? [] : [...new Set([written, urlDecoded(written)])];
}
