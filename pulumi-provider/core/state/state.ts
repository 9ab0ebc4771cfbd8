import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";

/** Raised when the meaning of a key changes; state of an earlier version is read as long as it can be. */
export const STATE_VERSION = 1;

/** What the engine hands over: plain JSON, in preview with a mark where a value is not known yet. */
export type Properties = Readonly<Record<string, unknown>>;

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

/**
 * What state keeps beside the inputs. A value that there is not is null: the host cannot take undefined, and a key that is
 * absent counts as unknown in a preview.
 */
export interface Reported {
  readonly stateVersion: number;
  readonly latestRevisionId: string | null;
  /** The revision that our last update made. */
  readonly managedRevisionId: string | null;
  /** Of the managed revision. */
  readonly status: string | null;
  readonly url: string | null;
  readonly createdAt: string | null;
  /** True for a deployment that was there before the resource: it is retained unless the program says otherwise. */
  readonly adopted: boolean;
  /** The digest of what was uploaded; of a directory alone, as the two that follow. */
  readonly sourceHash: string | null;
  /** For a person: `42 files, 1.2 MB`. */
  readonly sourceSummary: string | null;
  /** What a refresh found to be different from what was sent, as sentences without values. */
  readonly drift: readonly string[];
  readonly pending?: Pending | undefined;
  readonly secretsFingerprint?: SecretsFingerprint | undefined;
  /** What the program no longer sets, and the service may still have. */
  readonly removals?: KeptRemovals | undefined;
}

/** The names of types in a schema, by the types that a value can have. */
interface TypeNames {
  readonly boolean: boolean;
  readonly number: number;
  readonly string: string;
}

/** The one name that the type of such a value has. */
type TypeName<Value> = { [Name in keyof TypeNames]: Value extends TypeNames[Name] ? Name : never }[keyof TypeNames];

/** What there is to know of an output. */
interface OutputOf<Name extends keyof Reported> {
  readonly name: Name;
  /** What it describes: another revision changes it, the deployment keeps it, or the checks know it from the source. */
  readonly of: "deployment" | "revision" | "source";
  readonly type: TypeName<NonNullable<Reported[Name]>>;
}

/** What a program reads of a deployment beside its inputs. */
export const OUTPUTS = [
  { name: "latestRevisionId", of: "revision", type: "string" },
  { name: "managedRevisionId", of: "revision", type: "string" },
  { name: "status", of: "revision", type: "string" },
  { name: "url", of: "deployment", type: "string" },
  { name: "sourceHash", of: "source", type: "string" },
  { name: "sourceSummary", of: "source", type: "string" },
  { name: "createdAt", of: "deployment", type: "string" },
] as const satisfies readonly { [Name in keyof Reported]-?: OutputOf<Name> }[keyof Reported][];

type KnownOutput = (typeof OUTPUTS)[number];

/** The name of an output; those of one part with its name. */
export type OutputName<Of extends KnownOutput["of"] = KnownOutput["of"]> = Extract<
  KnownOutput,
  { readonly of: Of }
>["name"];

/** State was written by a later version, whose keys may mean something else. */
class StateVersionError extends GraphDeployError {
  readonly code = "STATE_VERSION";

  constructor(name: string, version: number) {
    super(`The state of ${name} was written by a later version of graph-deploy (its format is ${String(version)}).`, {
      advice: "Upgrade the package graph-deploy of this program, then run again.",
    });
  }
}

/** The keys that mean something: null counts as absent, and what begins with two underscores is the engine's. */
export function meaningful(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => value != null && !key.startsWith("__")),
  );
}

/** What a message calls the deployment of these properties, whose name may be missing or invalid. */
export function subjectOf({ name }: Properties): string {
  return typeof name === "string" ? name : "this deployment";
}

/** Refuses state of a later version; keys that an earlier one did not write are absent, which every reader tolerates. */
export function checkStateVersion(state: Properties): void {
  const { stateVersion: version } = state;
  if (typeof version !== "number" || version <= STATE_VERSION) return;
  throw new StateVersionError(subjectOf(state), version);
}
