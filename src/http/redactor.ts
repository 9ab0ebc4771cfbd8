import { anyText, functionOf } from "../contract/argument-shapes.ts";
import { checkCall } from "../contract/call-arguments.ts";
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
    checkCall("Redactor", { onSecret: [functionOf(), onSecret] });
    this.#onSecret = onSecret;
  }

  /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
  add(secret: string): void {
    if (typeof secret !== "string") checkCall("add", { secret: [anyText, secret] });
    for (const form of this.#mask.add(secret)) {
      if (this.#reported.has(form)) continue;
      this.#reported.add(form);
      this.#onSecret(form);
    }
  }

  /** The text with `***` in place of each secret. */
  text(text: string): string {
    // Each line of a log comes here.
    if (typeof text !== "string") checkCall("text", { text: [anyText, text] });
    return this.#mask.text(text);
  }
}
