// Shorter values would blot out ordinary words; the runner refuses them as masks for the same reason.
const LEAST_LENGTH = 4;
// Settings that are kept among the secrets; as masks they would blank out outputs such as `created`.
const NO_SECRETS: ReadonlySet<string> = new Set(["true", "false", "null", "none"]);

/** Knows the secret values of a run and takes them out of texts; whoever listens may mask them elsewhere too. */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #onSecret: (value: string) => void;

  constructor(onSecret: (value: string) => void = () => undefined) {
    this.#onSecret = onSecret;
  }

  /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
  add(secret: string): void {
    for (const part of [secret, ...secret.split(/\r?\n/)]) {
      for (const form of [part, encodeURIComponent(part.toWellFormed()), JSON.stringify(part).slice(1, -1)]) {
        if (form.trim().length < LEAST_LENGTH || NO_SECRETS.has(form.toLowerCase()) || this.#values.has(form)) continue;
        this.#values.add(form);
        this.#onSecret(form);
      }
    }
  }

  /** The text with `***` for each secret that it holds. */
  text(text: string): string {
    let clean = text;
    // Longest first: a secret may be the start of another.
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(value, "***");
    return clean;
  }
}
