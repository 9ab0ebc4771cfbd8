import { anyText, checkCall, functionOf } from "../contract/call-arguments.ts";
import { SecretMask } from "../text/secret-mask.ts";

/** Takes secrets out of a text. */
export type TextRedactor = Pick<Redactor, "text">;

/** Knows the secrets of a run and removes them from texts; `onSecret` may mask them elsewhere too. */
export class Redactor {
  readonly #mask = new SecretMask();
  readonly #reported = new Set<string>();
  readonly #secrets = new Set<string>();
  readonly #onSecret: (value: string) => void;

  /** `onSecret` is called with each form of each secret, once. */
  constructor(onSecret: (value: string) => void = () => undefined) {
    checkCall("Redactor", { onSecret: [functionOf(), onSecret] });
    this.#onSecret = onSecret;
  }

  /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
  add(secret: string): void {
    if (typeof secret !== "string") checkCall("add", { secret: [anyText, secret] });
    if (secret.trim() !== "") this.#secrets.add(secret.trim());
    for (const form of this.#mask.add(secret)) {
      if (this.#reported.has(form)) continue;
      this.#reported.add(form);
      this.#onSecret(form);
    }
  }

  /** True for a text with a secret in it, and for one that is a secret too short to be masked. */
  holds(text: string): boolean {
    if (typeof text !== "string") checkCall("holds", { text: [anyText, text] });
    // Of an address, any credentials are masked, which need be no secret of the run.
    const plain = text.replaceAll("://", ": //");
    return this.#secrets.has(text.trim()) || this.#mask.text(plain) !== plain;
  }

  /** The text with `***` in place of each secret. */
  text(text: string): string {
    // Each line of a log comes here.
    if (typeof text !== "string") checkCall("text", { text: [anyText, text] });
    return this.#mask.text(text);
  }
}
