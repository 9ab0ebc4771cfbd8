import { cut } from "../../text/foreign-text.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, saysNothing } from "../../files/json/value.ts";
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

/** The types of runs that send something and get something back. */
const TALKING: ReadonlySet<RunType> = new Set(["llm", "embedding", "tool"]);
const MOST_TEXTS = 8;
const MOST_NAME_CHARACTERS = 60;
// Words, or the JSON of an object or a list that is not empty.
const TEXT = /\S\s+\S|^\s*[[{]\s*[^\s\]}]/;

/** True for a call of a model or a tool without inputs and outputs. */
export function isSilent(run: { readonly runType: RunType; readonly hasContent: boolean }): boolean {
  return !run.hasContent && TALKING.has(run.runType);
}

/** True for inputs or outputs that are not empty. */
export function hasContent(inputs: JsonValue | undefined, outputs: JsonValue | undefined): boolean {
  return [inputs, outputs].some((value) => !saysNothing(value));
}

/** The first names of fields that hold text, which may be the inputs and outputs by another name. */
export function textNames(fields: JsonObject): readonly string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (names.length === MOST_TEXTS) break;
    if (holdsText(value)) names.push(cut(name, MOST_NAME_CHARACTERS));
  }
  return names;
}

function holdsText(value: JsonValue): boolean {
  if (typeof value === "string") return TEXT.test(value);
  if (isJsonList(value)) return value.some(holdsText);
  return isJsonObject(value) && Object.values(value).some(holdsText);
}
