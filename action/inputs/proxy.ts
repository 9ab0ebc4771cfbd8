import type { ProxySettings } from "../../src/http/proxy.ts";
import { proxyFromEnvironment } from "../../src/http/proxy.ts";
import type { Address } from "./address.ts";
import { givenVariable, type Environment, type InputReader } from "./input-reader.ts";

/** Reads the proxies of the environment; there is none for the local service, which is on this machine. */
export function readProxy<Name extends string>(
  reader: InputReader<Name>,
  env: Environment,
  service: Address | undefined,
): ProxySettings {
  if (service === "local") return {};
  return proxyFromEnvironment(
    (name) => givenVariable(env, name),
    (name, fault) => {
      reader.fault(name, fault);
    },
  );
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
