import type { RunType } from "../../contract/run.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** Where a run goes: the name of a session, or its id. */
export interface SessionKey {
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** A run as a file tells it, checked by itself; its place in the trace follows from all runs together. */
export interface SourceRun {
  /** A `patch` adds to a run. */
  readonly event: "patch" | "post";
  readonly place: FilePlace;
  /** A UUID by which the runs of the files know each other; of a run that has an id it is that. */
  readonly key: string;
  /** The key is no id: that is made of the key and the start. */
  readonly isSpan: boolean;
  /** The key of the parent; undefined for a root. */
  readonly parentKey: string | undefined;
  /** As the file gives them. */
  readonly traceId: string | undefined;
  readonly dottedOrder: string | undefined;
  /** Since 1970. 0 for what adds to a run and does not tell. */
  readonly startMicroseconds: number;
  readonly endMicroseconds: number | undefined;
  readonly runType: RunType;
  readonly hasError: boolean;
  /** Of a call of a model; undefined where the file does not tell. */
  readonly tokens: number | undefined;
  readonly session: SessionKey | undefined;
  /** 48 bits of a hash of what stands in the file: two runs of one key must have the same. */
  readonly fingerprint: number;
  /** What is sent besides the ids and the place in the trace. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What whoever reads a file hands its findings to. */
export interface ReadingContext {
  /** Something is wrong with a run: a clause without a full stop. */
  readonly fault: (place: FilePlace, message: string) => void;
  /** A line holds nothing that is a run, such as metrics. */
  readonly passed: () => void;
}
