import { formatInstant } from "../../contract/instant.ts";
import { uuidOf } from "../../contract/uuid.ts";
import type { FilesAre } from "../../experiments/reading/row-ids.ts";
import type { RunFacts } from "../../experiments/reading/run-facts.ts";
import type { Mapping } from "../../experiments/rows/mapping.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { readingVersion } from "../../experiments/reading-versions.ts";
import { readTime } from "../../files/source-time.ts";
import type { Range } from "../../statistics/mean.ts";
import type { Direction, RunOfCases } from "./case-set.ts";
import { givenEvaluator, statedEvaluator, type RowEvaluator } from "./evaluator.ts";
import type { Declared, StatedDirection } from "./metric-facts.ts";
import { scoreKey, scoreName } from "./metric-key.ts";
import { shardsOf } from "./shards.ts";

/** What a caller knows of a run; it counts above what the files say. */
export type GivenRun = {
  readonly [Fact in Exclude<keyof RunOfCases, FoundFact>]?: RunOfCases[Fact] | undefined;
};
/** What only reading and judging find out. */
type FoundFact =
  | "allowed"
  | "areRepetitionsStated"
  | "evaluatorDigest"
  | "evaluatorOfRows"
  | "isComplete"
  | "isCreatedUnsure"
  | "isReset"
  | "notBaseline"
  | "readings"
  | "serverVersions"
  | "shards"
  | "where";

const CONCURRENCY_KEYS = ["in_flight", "concurrency", "max_concurrency"];
const SERVER_KEYS = ["server_version", "server_version_last"];
const REVISION_KEYS = ["agent_revision", "revision_id"];

interface FoundFacts {
  readonly lastEnd: string | undefined;
  readonly read: string;
  readonly formats: readonly string[];
  readonly evaluator: RowEvaluator;
  readonly filesAre: FilesAre;
}

/** What is known of a run: what is given, and else what its files say. */
export function runOfCases(
  given: GivenRun,
  run: RunFacts,
  { lastEnd, read, formats, evaluator, filesAre }: FoundFacts,
): RunOfCases {
  const { metadata } = run;
  const ends = run.allTimes.flatMap(({ end, start }) => {
    const time = [end, start].map((value) => (value == null ? undefined : readTime(value))).find(Boolean);
    return time ? [time.microseconds] : [];
  });
  // The last end that the files state, else the last start.
  const statedEnd = ends.length === 0 ? undefined : formatInstant(ends.reduce((a, b) => (a > b ? a : b)));
  const created = given.created ?? statedEnd ?? lastEnd;
  const text = (key: string) => textOf(metadata[key]);
  // A text such as `120s`; a number alone may be in any unit.
  const [, digits = "", unit = ""] = TIME.exec(text("timeout") ?? "") ?? [];
  const timeout = Number(digits) * (MILLISECONDS[unit] ?? 0);
  const ofFiles = [...run.byFile.values()].flatMap(({ metadata: stated }) => (stated ? [stated] : []));
  const servers = ofFiles.flatMap((stated) => SERVER_KEYS.flatMap((key) => textOf(stated[key]) ?? []));
  const shards = shardsOf(ofFiles, filesAre);
  const dataset = given.dataset ?? { id: run.first("datasetId"), name: run.first("datasetName") };
  return {
    dataset,
    ...(givenEvaluator(given.evaluator) ?? evaluator.with(statedEvaluator(metadata))),
    commit: given.commit ?? text("commit"),
    ref: given.ref ?? text("ref"),
    run: given.run ?? runIdOf(metadata),
    agentRevision: given.agentRevision ?? REVISION_KEYS.map(text).find((revision) => revision !== undefined),
    created: created ?? read,
    ...(created === undefined ? { isCreatedUnsure: true } : {}),
    timeout: given.timeout ?? (timeout === 0 ? undefined : timeout),
    concurrency:
      given.concurrency ?? CONCURRENCY_KEYS.map((key) => metadata[key]).find((value) => typeof value === "number"),
    serverVersions: servers.length === 0 ? undefined : [...new Set(servers)],
    shards: shards.length === 0 ? undefined : shards,
    isComplete: run.isComplete,
    readings: Object.fromEntries([...new Set(formats)].sort().map((format) => [format, readingVersion(format)])),
  };
}

/** The ids of rows follow from that of their dataset, which has one form for that. */
export function canonicalDataset(dataset: RunOfCases["dataset"] | undefined): RunOfCases["dataset"] | undefined {
  if (dataset?.id === undefined) return dataset?.name === undefined ? undefined : dataset;
  return { ...dataset, id: uuidOf(dataset.id) ?? dataset.id };
}

export function runIdOf({ run_id: run }: JsonObject): string | undefined {
  return textOf(run);
}

const TIME = /^(\d+(?:\.\d+)?) ?(ms|s|m|min|h)$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What is declared of scores: by the caller, by the mapping, and by the metadata of the files, in this order. */
export function declaredOf(
  given: ReadonlyMap<string, Direction>,
  mapping: Mapping | undefined,
  { score_directions: directions, score_ranges: ranges }: JsonObject,
): Declared {
  const stated = new Map<string, StatedDirection>();
  const state = (from: StatedDirection["from"], entries: Iterable<readonly [string, unknown]>) => {
    for (const [name, direction] of entries)
      if (direction === "higher" || direction === "lower") stated.set(scoreKey(name), { direction, from });
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
        return range ? [[scoreKey(name), range] as const] : [];
      }),
    ),
  };
}

/** The scores of which the metadata of an experiment declare something else than a range; "all" where no score is named. */
export function unreadRanges({ score_ranges: ranges }: JsonObject): readonly string[] | "all" {
  if (ranges !== undefined && ranges !== null && !isJsonObject(ranges)) return "all";
  return entriesOf(ranges).flatMap(([name, value]) => (rangeOf(value) ? [] : [name]));
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** `[0, 5]`, or an object with `min` and `max`, as a feedback configuration has them, or with `low` and `high`. */
export function rangeOf(value: JsonValue | undefined): Range | undefined {
  const members: JsonObject = isJsonObject(value) ? value : {};
  const { min, max, low: least = min, high: most = max } = members;
  const [low, high] = isJsonList(value) ? value : [least, most];
  const isRange = typeof low === "number" && typeof high === "number" && low < high;
  return isRange ? { low, high } : undefined;
}
