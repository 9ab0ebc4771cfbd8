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
