/** Names that a platform sets itself; a secret of that name would break the agent. The action's input changes the list. */
export const RESERVED_SECRET_NAMES = [
  "DATABASE_URI",
  "LOG_DICT_TRACEBACKS",
  "LOG_JSON",
  "MOUNT_PREFIX",
  "PATH",
  "PORT",
  "POSTGRES_PASSWORD",
  "POSTGRES_URI",
  "POSTGRES_URI_CUSTOM",
  "REDIS_URI",
  "REDIS_URI_CUSTOM",
] as const;

/** A name that can stand in an environment. */
export function isSecretName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** What is wrong with a secret of an agent. */
export interface SecretFault {
  readonly code: "EMPTY" | "NAME" | "RESERVED";
  /** To be read after its name; it repeats nothing of it. */
  readonly message: string;
}

/** What is wrong with a secret; undefined when nothing is. */
export function secretFault(
  name: string,
  value: string,
  reserved: ReadonlySet<string> = new Set(RESERVED_SECRET_NAMES),
): SecretFault | undefined {
  if (!isSecretName(name)) return { code: "NAME", message: "is not a valid name of a variable" };
  if (reserved.has(name)) return { code: "RESERVED", message: "is set by the platform itself" };
  // A secret that is not set reads as empty, and would take the place of the one that the deployment has.
  return value === "" ? { code: "EMPTY", message: `is empty, ${LIKELY_UNSET}` } : undefined;
}

/** Why a secret is empty: GitHub passes an empty text for a secret that is not set, and so do programs. */
export const LIKELY_UNSET = "which usually means the secret is not set";
