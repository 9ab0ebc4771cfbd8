// eslint-disable-next-line no-restricted-imports -- The library's own door: what a caller does not give is in the environment.
import { cwd, env } from "node:process";
import { tmpdir } from "node:os";
import { proxyFromEnvironment } from "./http/proxy.ts";
import type { ProxySettings } from "./http/proxy.ts";

/** What a function of the library takes from the process where its caller gives nothing. */
export interface Surroundings {
  /** A variable that is set and not blank. */
  readonly variable: (name: string) => string | undefined;
  /** Absolute: relative paths lead from there. */
  readonly workingDirectory: string;
  /** Absolute: takes what is sent while it is sent. */
  readonly spoolDirectory: string;
}

/** The surroundings of this process, as they are now. */
export function surroundings(): Surroundings {
  const variable = (name: string) => {
    const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    return value === "" ? undefined : value;
  };
  return { variable, workingDirectory: cwd(), spoolDirectory: tmpdir() };
}

/** The proxies that the variables name; one that is no address is told by the name of its variable. */
export function proxyOf({ variable }: Surroundings, faults: string[]): ProxySettings {
  return proxyFromEnvironment(variable, (name, fault) => faults.push(`${name} ${fault}`));
}
