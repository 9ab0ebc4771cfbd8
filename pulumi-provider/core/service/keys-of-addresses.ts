import { isSameAddress } from "./address.ts";
import { differ } from "../state/changes.ts";
import { findConnection, type Surroundings } from "./connection.ts";
import { serviceInputsOf } from "./service.ts";
import type { Fingerprints } from "../state/fingerprints.ts";
import { internalsOf, type Internals } from "../state/internals.ts";
import type { Properties } from "../state/state.ts";

/**
 * Which API key belongs to which address. A state has neither key nor address of a service that the program has left,
 * and the key that is there now may be that of the new one: it is never sent to the old.
 */
export class KeysOfAddresses {
  readonly #surroundings: Surroundings;
  readonly #fingerprints: Fingerprints;

  constructor(surroundings: Surroundings, fingerprints: Fingerprints) {
    this.#surroundings = surroundings;
    this.#fingerprints = fingerprints;
  }

  /** What state keeps of the key that the inputs of an update lead to. */
  async markOf(news: Properties): Promise<Pick<Internals, "keyFingerprint" | "ownAddress">> {
    const { key, controlPlaneUrl } = this.#find(news);
    const common = findConnection({}, this.#surroundings).controlPlaneUrl;
    return {
      keyFingerprint: key === undefined ? null : await this.#print(key),
      ownAddress: common === undefined || controlPlaneUrl === undefined || !isSameAddress(common, controlPlaneUrl),
    };
  }

  /**
   * The same for a refresh without the program, which may have moved the deployment and changed the key: another key than
   * that of the last update is sent only to the address that stands beside it.
   */
  async mayBeSentUnseen(state: Properties): Promise<boolean> {
    const { key, controlPlaneUrl = "" } = this.#find(state);
    const { keyFingerprint } = internalsOf(state);
    const isOther = key !== undefined && keyFingerprint != null && !(await this.#isPrinted(key, state));
    if (!isOther) return await this.mayBeSent(state, undefined);
    const common = findConnection({}, this.#surroundings).controlPlaneUrl;
    return common !== undefined && isSameAddress(common, controlPlaneUrl);
  }

  /**
   * True when the key that a state leads to may be sent to the address of that state. `movedTo` are the inputs with which
   * the program has left the address in this run.
   */
  async mayBeSent(state: Properties, movedTo: Properties | undefined): Promise<boolean> {
    const { credential } = serviceInputsOf(state);
    const { key, controlPlaneUrl = "", faults } = this.#find(state);
    if (faults.length > 0 && movedTo) return false;
    // Where there is no key, the user must see the service's response or the missing setting.
    if (key === undefined || (await this.#isPrinted(key, state))) return true;
    const isMoved = movedTo !== undefined;
    if (credential) return !isMoved || differ(credential, movedTo["credential"]);
    const common = findConnection({}, this.#surroundings).controlPlaneUrl;
    if (common !== undefined && isSameAddress(common, controlPlaneUrl)) return true;
    return !isMoved && (common === undefined || internalsOf(state).ownAddress === true);
  }

  /** Where a state leads to, and what proves there who asks: the key, or the token in its place. */
  #find(properties: Properties) {
    const { apiKey, bearerToken, ...found } = findConnection(serviceInputsOf(properties), this.#surroundings);
    return { ...found, key: apiKey ?? bearerToken };
  }

  async #isPrinted(secret: string, state: Properties): Promise<boolean> {
    const { keyFingerprint: print } = internalsOf(state);
    return print != null && (await this.#print(secret, print.salt)).hash === print.hash;
  }

  async #print(secret: string, salt?: string) {
    const values = { sourceConfig: {}, secrets: [{ name: "apiKey", value: secret }] };
    const fingerprints = this.#fingerprints;
    const { salt: used, hash } = await (salt === undefined
      ? fingerprints.of(values, "key")
      : fingerprints.withSalt(values, salt));
    return { salt: used, hash };
  }
}
