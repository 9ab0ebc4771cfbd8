import { isRecord } from "./unknown-values.ts";

type State = Readonly<Record<string, unknown>>;

/** Pulumi shows no property whose name begins with two underscores. */
export const HIDDEN = "__internals";

/** What state keeps for the provider alone, and no program reads. */
export interface Internals {
  readonly stateVersion: number;
  /** What distinguishes the resources that hold one deployment. */
  readonly holder: string;
  /** True for a deployment that was there before the resource: it is retained unless the program says otherwise. */
  readonly adopted: boolean;
  /** True for a deployment that is only read. */
  readonly lookedUp: boolean;
  /** What a refresh found to be different from what was sent, as sentences without values. */
  readonly drift: readonly string[];
  /** The properties that a refresh has set to what the service shows; none once an update has set them again. */
  readonly shown: readonly string[] | undefined;
  readonly pending: Pending | undefined;
  readonly secretsFingerprint: SecretsFingerprint | undefined;
  /** What the program no longer sets, and the service may still have. */
  readonly removals: KeptRemovals | undefined;
  /** Of the API key that was used last; null where there was none. */
  readonly keyFingerprint: { readonly salt: string; readonly hash: string } | null;
  /** The program names the address itself. */
  readonly ownAddress: boolean;
}

/** What an update that did not end left undone: to make a revision, or only to see ours through. */
export type Pending = "revision" | "wait";

/** Tells whether the values of the secrets that come from the environment are still those that were sent. */
export interface SecretsFingerprint {
  /** Base64. */
  readonly salt: string;
  /** Of which secrets, in order. */
  readonly names: readonly string[];
  /** One slow hash of all values, base64. */
  readonly hash: string;
}

/** Settings and secrets that the program no longer sets, by the names of the service. */
export interface Removals {
  readonly settings: readonly string[];
  readonly secrets: readonly string[];
}

/** What state keeps of removals: those that were not sent yet, and those after which the service has not been seen without. */
export interface KeptRemovals {
  readonly unsent?: Removals | undefined;
  readonly kept?: Removals | undefined;
}

const NAMES: Readonly<Record<keyof Internals, true>> = {
  stateVersion: true,
  holder: true,
  adopted: true,
  lookedUp: true,
  drift: true,
  shown: true,
  pending: true,
  secretsFingerprint: true,
  removals: true,
  keyFingerprint: true,
  ownAddress: true,
};

/** The internals of a state, as JSON of any shape. An earlier version wrote them among the properties. */
export function internalsOf(state: State): Readonly<Partial<Record<keyof Internals, unknown>>> {
  const hidden = state[HIDDEN];
  return isRecord(hidden) ? hidden : state;
}

/** State with these internals beside those that they have; what is undefined is removed. */
export function withInternals(properties: State, internals: Partial<Internals>): State {
  const isInternal = (key: string) => key === HIDDEN || Object.hasOwn(NAMES, key);
  const shown = Object.entries(properties).filter(([key]) => !isInternal(key));
  const all = { ...internalsOf(properties), ...internals };
  const hidden = Object.entries(all).filter(([key, value]) => Object.hasOwn(NAMES, key) && value != null);
  return { ...Object.fromEntries(shown), [HIDDEN]: Object.fromEntries(hidden) };
}
