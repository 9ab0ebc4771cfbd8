import type { ProxySettings } from "../../src/http/proxy.ts";
import type { Address } from "./address.ts";
import { givenVariable, type Environment, type InputReader } from "./input-reader.ts";

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; as with curl, the name in lower case wins and a scheme may be missing.
 * There is none for the embedded service, which is on this machine.
 */
export function readProxy<Name extends string>(
  reader: InputReader<Name>,
  env: Environment,
  service: Address | undefined,
): ProxySettings {
  if (service === "local") return {};
  const address = (name: string) => {
    const value = variable(env, name);
    if (value === undefined) return undefined;
    const url = value.includes("://") ? value : `http://${value}`;
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
    // The value may hold a password: it is not repeated.
    reader.fault(name, "is no address of an HTTP proxy; write http://host:port");
    return undefined;
  };
  const http = address("HTTP_PROXY");
  const https = address("HTTPS_PROXY");
  const except = variable(env, "NO_PROXY");
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(except === undefined ? {} : { except }),
  };
}

/** The passwords in the proxies' addresses, of both spellings of the names. */
export function proxyPasswords(env: Environment): readonly string[] {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].flatMap((name) => passwordsIn(env[name] ?? ""));
}

/** The password in an address as it is written and as it is meant; a lone user name counts, since it may be a token. */
export function passwordsIn(address: string): readonly string[] {
  const rest = address.replace(/^[a-z][a-z\d+.-]*:\/\//i, "");
  // What is no URL must be masked too: there all before the last "@" counts as credentials.
  const authority = URL.canParse(`http://${rest}`) ? rest.replace(/[/?#].*$/s, "") : rest;
  const credentials = authority.slice(0, Math.max(0, authority.lastIndexOf("@")));
  const written = credentials.slice(credentials.indexOf(":") + 1);
  return written === "" ? [] : [...new Set([written, decoded(written)])];
}

function variable(env: Environment, name: string): string | undefined {
  return givenVariable(env, name.toLowerCase()) ?? givenVariable(env, name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
