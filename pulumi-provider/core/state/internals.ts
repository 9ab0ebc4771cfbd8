import { isRecord } from "../../../src/contract/call-arguments.ts";
import * as z from "zod";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { subjectOf, type Properties } from "./state.ts";

/** Raised when the meaning of a key changes; state of an earlier version is read as long as it can be. */
export const STATE_VERSION = 2;

/** Pulumi shows no property whose name begins with two underscores. */
export const HIDDEN = "__internals";

// What cannot be read counts as absent.
const kept = <Shape extends z.ZodType>(shape: Shape) => shape.optional().catch(undefined);
const texts = z
  .array(z.unknown())
  .transform((list): readonly string[] => list.filter((one) => typeof one === "string"));

const Removals = z.object({ settings: texts.catch([]), secrets: texts.catch([]) });

const Internals = z.object({
  stateVersion: kept(z.number()),
  /** What distinguishes the resources that hold one deployment. */
  holder: kept(z.string()),
  /** True for a deployment that was there before the resource: it is retained unless the program says otherwise. */
  adopted: kept(z.boolean()),
  /** True for a deployment that is only read. */
  lookedUp: kept(z.boolean()),
  /** What a refresh found to be different from what was sent, as sentences without values. */
  drift: kept(texts),
  /** The properties that a refresh has set to what the service shows; none once an update has set them again. */
  shown: kept(texts),
  /** What an update that did not end left undone: to make a revision, or only to see ours through. */
  pending: kept(z.enum(["revision", "wait"])),
  /**
   * Tells whether the values of the secrets that come from the environment are still those that were sent: one slow hash
   * of all values, base64, with its salt, and of which secrets, in order.
   */
  secretsFingerprint: kept(z.object({ salt: z.string(), names: texts, hash: z.string() })),
  /** What the program no longer sets: what was not sent yet, and that after which the service has not been seen without. */
  removals: kept(z.object({ unsent: kept(Removals), kept: kept(Removals) })),
  /** Of the API key that was used last; null where there was none. One that cannot be read is of no key that there is. */
  keyFingerprint: z.object({ salt: z.string(), hash: z.string() }).nullish().catch({ salt: "", hash: "" }),
  /** The program names the address itself. */
  ownAddress: kept(z.boolean()),
});

/** What state keeps for the provider alone, and no program reads. */
export type Internals = Readonly<z.infer<typeof Internals>>;
/** Settings and secrets that the program no longer sets, by the names of the service. */
export type Removals = Readonly<z.infer<typeof Removals>>;
export type KeptRemovals = NonNullable<Internals["removals"]>;
export type Pending = NonNullable<Internals["pending"]>;

/** The internals of a state. An earlier version wrote them among the properties. */
export function internalsOf(state: Properties): Internals {
  const hidden = state[HIDDEN];
  return Internals.parse(isRecord(hidden) ? hidden : state);
}

/** State with these internals beside those that they have; what is undefined is removed. */
export function withInternals(properties: Properties, internals: Internals): Properties {
  const isInternal = (key: string) => key === HIDDEN || Object.hasOwn(Internals.shape, key);
  const shown = Object.entries(properties).filter(([key]) => !isInternal(key));
  const hidden = Object.entries({ ...internalsOf(properties), ...internals }).filter(([, value]) => value != null);
  return { ...Object.fromEntries(shown), [HIDDEN]: Object.fromEntries(hidden) };
}

/** State was written by a later version, whose keys may mean something else. */
class StateVersionError extends GraphDeployError {
  readonly code = "STATE_VERSION";

  constructor(name: string, version: number) {
    super(`The state of ${name} was written by a later version of graph-deploy (its format is ${String(version)}).`, {
      advice: "Upgrade the package graph-deploy of this program, then run again.",
    });
  }
}

/** Refuses state of a later version; keys that an earlier one did not write are absent, which every reader tolerates. */
export function checkStateVersion(state: Properties): void {
  const { stateVersion: version } = internalsOf(state);
  if (version === undefined || version <= STATE_VERSION) return;
  throw new StateVersionError(subjectOf(state), version);
}
