import { Redactor } from "../../src/http/redactor.ts";

/** Why an input that takes a secret is empty: GitHub passes an empty text for a secret that is not set. */
export const LIKELY_UNSET = "which usually means the secret is not set";

/** These values, each once, without blank ones. */
export function distinctSecrets(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== undefined).filter((value) => value.trim() !== "");
}

/** Takes these out of texts: a key that was pasted into the wrong input would stand in the report of that input. */
export function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return (text) => redactor.text(text);
}
