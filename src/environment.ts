// eslint-disable-next-line no-restricted-imports -- The library's own door: the environment has the defaults of its options.
import { cwd, env } from "node:process";
import { tmpdir } from "node:os";
import { uncheckedTlsWarning } from "./http/unchecked-tls.ts";

/** What a function of the library takes from the process if its caller gives nothing. */
export interface Surroundings {
  /** A variable that is set and not blank. */
  readonly variable: (name: string) => string | undefined;
  /** All variables, of which a program that is started gets some. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute: relative paths lead from there. */
  readonly workingDirectory: string;
  /** Absolute; holds spooled data while it is sent. */
  readonly spoolDirectory: string;
}

/** The surroundings of this process, as they are now. */
export function surroundings(): Surroundings {
  const variable = (name: string) => {
    const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    return value === "" ? undefined : value;
  };
  return { variable, env, workingDirectory: cwd(), spoolDirectory: tmpdir() };
}

/** Warns of an environment in which no certificate is checked. */
export function warnIfUnchecked(
  { variable }: Surroundings,
  emit: (event: { readonly type: "warning"; readonly message: string }) => void,
): void {
  const message = uncheckedTlsWarning(variable);
  if (message !== "") emit({ type: "warning", message });
}
