import { SecretMask } from "../text/secret-mask.ts";

/** Takes secrets out of a text. */
export type TextRedactor = Pick<Redactor, "text">;

/** Knows the secrets of a run and removes them from texts; `onSecret` may mask them elsewhere too. */
export class Redactor {
  readonly #mask = new SecretMask();
  readonly #reported = new Set<string>();
  readonly #onSecret: (value: string) => void;

  /** `onSecret` is called with each form of each secret, once. */
  constructor(onSecret: (value: string) => void = () => undefined) {
    this.#onSecret = onSecret;
  }

  /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
  add(secret: string): void {
    for (const form of this.#mask.add(secret)) {
      if (this.#reported.has(form)) continue;
      this.#reported.add(form);
      this.#onSecret(form);
    }
  }

  /** The text with `***` in place of each secret. */
  text(text: string): string {
    return this.#mask.text(text);
  }
}
