/**
 * What a message says of a variable that is not set. Whoever writes the value in the place of the name must not read it
 * in a log: only what is written as variables are is shown.
 */
export function variableFault(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
    ? `names the variable ${name}, which is not set`
    : "names no variable that is set; it takes the name of a variable, not a value";
}

/** The same of a key of the stack's configuration, with its namespace: what holds digits may be an API key. */
export function configKeyFault(key: string): string {
  return /^[A-Za-z-]+:[A-Za-z]+$/.test(key)
    ? `names the key ${key}, which the stack's configuration does not have`
    : "names no key of the stack's configuration; it takes the name of a key, not a value";
}
