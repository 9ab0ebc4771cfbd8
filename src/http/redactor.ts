import { SecretMask } from "../text/secret-mask.ts";

/** Takes secrets out of a text. */
export type TextRedactor = Pick<Redactor, "text">;

/** Knows the secret values of a run and takes them out of texts; whoever listens may mask them elsewhere too. */
export class Redactor {
  readonly #mask = new SecretMask();
  readonly #told = new Set<string>();
  readonly #onSecret: (value: string) => void;

  constructor(onSecret: (value: string) => void = () => undefined) {
    this.#onSecret = onSecret;
  }

  /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
  add(secret: string): void {
    for (const form of this.#mask.add(secret)) {
      if (this.#told.has(form)) continue;
      this.#told.add(form);
      this.#onSecret(form);
    }
  }

  /** The text with `***` for each secret that it holds. */
  text(text: string): string {
    return this.#mask.text(text);
  }
}
