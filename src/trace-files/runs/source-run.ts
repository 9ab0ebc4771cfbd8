import type { RunType } from "../../contract/run.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** The project of a run, by name or by id. */
export interface SessionKey {
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** A run of a file, checked on its own; its place in the trace depends on all runs together. */
export interface SourceRun {
  /** `patch` adds to a run. */
  readonly event: "patch" | "post";
  /** From the list `child_runs` of another run: a line of its own has precedence. */
  readonly isNested: boolean;
  readonly place: FilePlace;
  /** The UUID by which other runs of the files refer to it: its id if it has one. */
  readonly key: string;
  /** The key is not the id: the id is made of the key and the start. */
  readonly isSpan: boolean;
  /** The key of the parent; undefined for a root. */
  readonly parentKey: string | undefined;
  /** As in the file. */
  readonly traceId: string | undefined;
  readonly dottedOrder: string | undefined;
  /** Since 1970. 0 for an addition without a start. */
  readonly startMicroseconds: number;
  readonly endMicroseconds: number | undefined;
  readonly runType: RunType;
  readonly hasError: boolean;
  /** Of its own, which may repeat those of the runs below it; undefined where the file has no number. */
  readonly tokens: number | undefined;
  readonly session: SessionKey | undefined;
  /** Its `session_id` does not count, because the user names the project. */
  readonly isMoved: boolean;
  readonly hasContent: boolean;
  /** Of a silent run: the names of what holds text in it. */
  readonly texts: readonly string[];
  /** What some services reject in it, see `runDoubts`. */
  readonly doubts: readonly string[];
  /** A 48-bit hash of the run in the file: two runs with one key must have the same. */
  readonly fingerprint: number;
  /** The fields that are sent besides the ids and the place in the trace. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Gets what the reading of a file finds. */
export interface ReadingContext {
  /** A run is invalid; the message is a clause without a full stop. */
  readonly fault: (place: FilePlace, message: string) => void;
  /** A line has another signal than traces, such as metrics. */
  readonly passed: () => void;
}
