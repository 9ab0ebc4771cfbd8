import { formatInstant } from "../../contract/instant.ts";
import type { RunFacts } from "../../experiments/reading/run-facts.ts";
import type { Mapping } from "../../experiments/rows/mapping.ts";
import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { readingVersion } from "../../experiments/reading-versions.ts";
import { readTime } from "../../files/source-time.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { Direction, Evaluator, RunOfCases } from "./case-set.ts";
import { digestOf } from "./case-table.ts";
import type { Declared, Range, StatedDirection } from "./metric-facts.ts";
import { scoreKey, scoreName } from "./metric-key.ts";

/** What a caller knows of a run; it counts above what the files say. */
export type GivenRun = {
  readonly [Fact in Exclude<keyof RunOfCases, FoundFact>]?: RunOfCases[Fact] | undefined;
};
/** What only reading and judging find out. */
type FoundFact = "allowed" | "isComplete" | "isCreatedUnsure" | "isReset" | "notBaseline" | "readings";

/** What judged a run, for people. */
export function evaluatorText(evaluator: Evaluator): string {
  if (typeof evaluator === "string") return evaluator;
  return Object.entries(evaluator)
    .map(([name, text]) => `${name}: ${text}`)
    .join(", ");
}

/**
 * Metadata of an experiment that say how it was judged. `evaluator_digest` counts alone; else a digest of the others that
 * are there.
 */
const EVALUATOR_DIGEST = "evaluator_digest";
const EVALUATOR_KEYS = [
  ...["evaluator", "evaluators", "evaluator_version", "evaluator_versions", "scorer", "scorers", "score_versions"],
  ...["judge", "judge_model", "judge_prompt", "judge_prompt_digest", "judge_version"],
];
const CONCURRENCY_KEYS = ["in_flight", "concurrency", "max_concurrency"];
const REVISION_KEYS = ["agent_revision", "revision_id"];

/** What the reading of a run found. */
interface FoundFacts {
  readonly lastEnd: string | undefined;
  /** When the files were read. */
  readonly read: string;
  /** What rows were read from. */
  readonly formats: readonly string[];
}

/** What is known of a run: what is given, and else what its files say. */
export function runOfCases(given: GivenRun, run: RunFacts, { lastEnd, read, formats }: FoundFacts): RunOfCases {
  const { metadata } = run;
  const created = given.created ?? statedEnd(run) ?? lastEnd;
  const text = (key: string) => textOf(metadata[key]);
  const dataset = given.dataset ?? { id: run.first("datasetId"), name: run.first("datasetName") };
  return {
    dataset,
    evaluator: given.evaluator ?? evaluatorOf(metadata),
    commit: given.commit ?? text("commit"),
    ref: given.ref ?? text("ref"),
    run: given.run ?? text("run_id"),
    agentRevision: given.agentRevision ?? first(REVISION_KEYS, text),
    created: created ?? read,
    ...(created === undefined ? { isCreatedUnsure: true } : {}),
    concurrency: given.concurrency ?? first(CONCURRENCY_KEYS, (key) => numberOf(metadata[key])),
    isComplete: run.isComplete,
    readings: Object.fromEntries([...new Set(formats)].sort().map((format) => [format, readingVersion(format)])),
  };
}

function evaluatorOf(metadata: JsonObject): string | undefined {
  const stated = textOf(metadata[EVALUATOR_DIGEST]);
  if (stated !== undefined) return stated;
  const parts = EVALUATOR_KEYS.flatMap((key) => {
    const value = metadata[key];
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  return parts.length === 0 ? undefined : digestOf(canonicalJson(Object.fromEntries(parts)));
}

/** The last end that the files state, else the last start. */
function statedEnd(run: RunFacts): string | undefined {
  const all = run.allTimes.flatMap(({ end, start }) => {
    const time = [end, start].map((value) => (value == null ? undefined : readTime(value))).find(Boolean);
    return time === undefined ? [] : [time.microseconds];
  });
  const [one, ...others] = all;
  return one === undefined ? undefined : formatInstant(others.reduce((last, time) => (time > last ? time : last), one));
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function first<Value>(keys: readonly string[], of: (key: string) => Value | undefined): Value | undefined {
  return keys.map(of).find((value) => value !== undefined);
}

/** What is declared of scores: by the caller, by the mapping, and by the metadata of the files, in this order. */
export function declaredOf(
  given: ReadonlyMap<string, Direction>,
  mapping: Mapping | undefined,
  { metadata }: RunFacts,
): Declared {
  const { score_directions: directions, score_ranges: ranges } = metadata;
  const stated = new Map<string, StatedDirection>();
  const state = (from: StatedDirection["from"], entries: Iterable<readonly [string, unknown]>) => {
    for (const [name, direction] of entries)
      if (isDirection(direction)) stated.set(scoreKey(name), { direction, from });
  };
  state("file", entriesOf(directions));
  state(
    "mapping",
    Object.entries(mapping?.scores ?? {}).map(([name, { direction }]) => [name, direction] as const),
  );
  state(
    "given",
    [...given].map(([name, direction]) => [scoreName(name), direction] as const),
  );
  return {
    directions: stated,
    ranges: new Map(
      entriesOf(ranges).flatMap(([name, value]) => {
        const range = rangeOf(value);
        return range === undefined ? [] : [[scoreKey(name), range] as const];
      }),
    ),
  };
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function isDirection(value: unknown): value is Direction {
  return value === "higher" || value === "lower";
}

/** `[0, 5]`, or an object with `min` and `max`, as a feedback configuration has them, or with `low` and `high`. */
export function rangeOf(value: JsonValue | undefined): Range | undefined {
  const [low, high] = isJsonList(value) ? value : isJsonObject(value) ? boundsOf(value) : [];
  const isRange = typeof low === "number" && typeof high === "number" && low < high;
  return isRange ? { low, high } : undefined;
}

function boundsOf({ min, max, low = min, high = max }: JsonObject): readonly (JsonValue | undefined)[] {
  return [low, high];
}
