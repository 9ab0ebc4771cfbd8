import { type Fingerprint, fingerprintOf } from "../../../src/deployment/fingerprint.ts";
import { canonicalJson } from "../../../src/text/canonical-json.ts";

type Values = Parameters<typeof fingerprintOf>[0];

/**
 * What this process has hashed: each set of values once for a salt, because a hash is slow.
 *
 * Values that are equal share the salt of this process, and so show that they are equal; a state shows it already, in the
 * names of their variables. Other values never share one: who guesses pays a slow hash for each guess and each set, as
 * RFC 7914 (section 1) wants it of a salt.
 */
export class Fingerprints {
  readonly #known = new Map<string, Promise<Fingerprint>>();

  /** The fingerprint of these values with the salt; without one, with that which they have in this process. */
  async of(values: Values, salt?: string): Promise<Fingerprint> {
    const key = keyOf(values, salt);
    const known = this.#known.get(key) ?? fingerprintOf(values, salt);
    this.#known.set(key, known);
    try {
      const fingerprint = await known;
      if (salt === undefined) this.#known.set(keyOf(values, fingerprint.salt), known);
      return fingerprint;
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }
}

function keyOf({ sourceConfig, secrets }: Values, salt: string | undefined): string {
  return canonicalJson([sourceConfig, secrets ?? null, salt ?? null]);
}
