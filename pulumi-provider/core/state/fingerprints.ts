import { type Fingerprint, fingerprintOf } from "../../../src/deployment/fingerprint.ts";
import { canonicalJson } from "../../../src/text/canonical-json.ts";

type Values = Parameters<typeof fingerprintOf>[0];

/**
 * What this process has hashed: each set of values once for a salt, because a hash is slow.
 *
 * Equal values of one origin, such as the same variables, share a salt, and so show that they are equal: their origin shows
 * it already. All others never share one: no state shows that two variables have the same value, and who guesses pays a
 * slow hash for each guess and each set, as RFC 7914 (section 1) wants it of a salt.
 */
export class Fingerprints {
  readonly #known = new Map<string, Promise<Fingerprint>>();

  /** The fingerprint that values of this origin have in this process. */
  async of(values: Values, origin: unknown): Promise<Fingerprint> {
    const fingerprint = await this.#once(keyOf(values, { origin }), () => fingerprintOf(values));
    this.#known.set(keyOf(values, { salt: fingerprint.salt }), Promise.resolve(fingerprint));
    return fingerprint;
  }

  /** The fingerprint of these values with a salt that a state has. */
  async withSalt(values: Values, salt: string): Promise<Fingerprint> {
    return await this.#once(keyOf(values, { salt }), () => fingerprintOf(values, salt));
  }

  async #once(key: string, make: () => Promise<Fingerprint>): Promise<Fingerprint> {
    const known = this.#known.get(key) ?? make();
    this.#known.set(key, known);
    try {
      return await known;
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }
}

function keyOf({ sourceConfig, secrets }: Values, of: object): string {
  return canonicalJson([sourceConfig, secrets ?? null, of]);
}
