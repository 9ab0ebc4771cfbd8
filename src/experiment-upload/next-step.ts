/**
 * How an attempt ended that may have stored the experiment.
 *
 * - `stored`: accepted, after another attempt that may have stored it.
 * - `accepted`: a success without the experiment in it: 201, 202, 204, nothing, other JSON, text.
 * - `answered`: a success whose body is not known: it did not end, or is of no known kind. Never sent again.
 * - `denied`: a success that says that it is none: a web page, or an error as JSON. Never sent again.
 * - `unclear`: sent as a whole, and not answered: a lost connection, a timeout, a 5xx.
 * - `conflict`: the name is taken, and no other attempt may have taken it.
 * - `conflict-later`: the name is taken, after another attempt that may have taken it.
 * - `rejected-later`: rejected, after another attempt that may have been stored.
 */
export type AttemptEnd =
  | "accepted"
  | "answered"
  | "conflict-later"
  | "conflict"
  | "denied"
  | "rejected-later"
  | "stored"
  | "unclear";

/**
 * What the list of the service shows of the name afterwards.
 *
 * - `ours`: one experiment with the mark of this upload; `twice`: more than one.
 * - `other`: only experiments with other metadata.
 * - `absent`: none of the name, in a list that has experiments.
 * - `unknown`: no list, or one that does not decide.
 */
export type Sight = "absent" | "other" | "ours" | "twice" | "unknown";

/**
 * - `uploaded`, `twice`, `taken`, `denied`, `uncertain`: the end of the upload.
 * - `again`: sent once more, since the list shows that it is not stored.
 * - `ask`: sent again if the caller says that this service takes a name once, else `uncertain`.
 */
export type NextStep = "again" | "ask" | "denied" | "taken" | "twice" | "uncertain" | "uploaded";

/** What follows an attempt: this table decides, and docs/results.md has it for readers. */
export const NEXT_STEPS: Readonly<Record<AttemptEnd, Readonly<Record<Sight, NextStep>>>> = {
  stored: { ours: "uploaded", twice: "twice", other: "uploaded", absent: "uploaded", unknown: "uploaded" },
  accepted: { ours: "uploaded", twice: "twice", other: "uploaded", absent: "uploaded", unknown: "uploaded" },
  answered: { ours: "uploaded", twice: "twice", other: "uncertain", absent: "uncertain", unknown: "uncertain" },
  denied: { ours: "uploaded", twice: "twice", other: "denied", absent: "denied", unknown: "denied" },
  unclear: { ours: "uploaded", twice: "twice", other: "again", absent: "again", unknown: "ask" },
  conflict: { ours: "uploaded", twice: "twice", other: "taken", absent: "taken", unknown: "taken" },
  "conflict-later": { ours: "uploaded", twice: "twice", other: "taken", absent: "uncertain", unknown: "uncertain" },
  "rejected-later": { ours: "uploaded", twice: "twice", other: "uncertain", absent: "uncertain", unknown: "uncertain" },
};

/** What happens after an unanswered request that the service does not list either: it is an error, or is sent again. */
export const UNCLEAR_POLICIES = ["fail", "retry"] as const;
/** One of them. */
export type UnclearPolicy = (typeof UNCLEAR_POLICIES)[number];
