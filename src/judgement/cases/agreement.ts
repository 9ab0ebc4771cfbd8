import type { Reason } from "../../contract/error-reasons.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { listed, printable, quoted, quotedName } from "../../text/quoted.ts";
import type { Direction, RunOfCases } from "./case-set.ts";
import { compareEvaluators } from "./evaluator.ts";
import { isSameRange, rangeText } from "./metric-facts.ts";
import { areApart, isShare, type ScoreScale } from "./score-scale.ts";

/** One of the files that are given together, and what it says of its run. */
export interface RunPart extends Pick<RunOfCases, "evaluator" | "evaluatorDigest" | "evaluatorOfRows"> {
  readonly file: string;
  readonly dataset: RunOfCases["dataset"];
  /** The workflow run that made it. */
  readonly run: string | undefined;
  /** Whether more of a metric is better, where that is known. */
  readonly directions: ReadonlyMap<string, Direction>;
  readonly scales: ReadonlyMap<string, ScoreScale>;
}

export interface Disagreement {
  readonly place: FilePlace;
  /** A clause that follows the place. */
  readonly message: string;
  readonly reason: Reason;
}

/** What does not fit together: with `faults` the rows cannot be one run, with `otherRun` they may be of two evaluations. */
export type Agreement = ReturnType<typeof agreementOf>;

/** What counts above what the files say, or may differ. */
export interface Settled {
  /** Metrics whose direction is given. */
  readonly metrics: ReadonlySet<string>;
  /** Metrics whose range is given. */
  readonly ranges: ReadonlySet<string>;
  readonly allowsEvaluators: boolean;
}

/** Compares what the files say of their run. What a file does not say is not a difference. */
export function agreementOf(parts: readonly RunPart[], settled: Settled) {
  const faults: Disagreement[] = [];
  const fault = (pair: Pair | undefined, reason: Reason) => {
    if (pair) faults.push({ place: { file: pair.part.file }, message: pair.message, reason });
  };
  const dataset = firstPair(
    parts,
    (part) => part.dataset,
    (one, other, name) => {
      return datasetDifference(
        one,
        other,
        (ours, theirs) => `its dataset is ${theirs}, but that of ${name} is ${ours}`,
      );
    },
  );
  fault(dataset, "DATASET_UNCLEAR");
  const stating = parts.filter(states);
  const evaluator = firstPair(stating, evaluatorOf, (one, other, name) => {
    const { changes } = compareEvaluators(one, other);
    if (changes.length === 0) return "";
    return `its evaluator is not that of ${name}: ${listed(changes, { conjunction: "and" })}`;
  });
  if (!settled.allowsEvaluators) fault(evaluator, "EVALUATOR_UNCLEAR");
  for (const metric of new Set(parts.flatMap(({ directions }) => [...directions.keys()]))) {
    if (settled.metrics.has(metric)) continue;
    const direction = firstPair(
      parts,
      ({ directions }) => directions.get(metric),
      (one, other, name) =>
        one === other ? "" : `for ${quotedName(metric)}, ${BETTER[other]} is better, and in ${name} ${BETTER[one]}`,
    );
    fault(direction, "METRIC_UNCLEAR");
  }
  for (const metric of new Set(parts.flatMap(({ scales }) => [...scales.keys()]))) {
    fault(otherScale(parts, metric, settled), "METRIC_UNCLEAR");
  }
  const run = firstPair(
    parts,
    ({ run: of }) => of,
    (one, other, name) => {
      return one === other ? "" : `is of the workflow run ${quoted(other)}, but ${name} is of ${quoted(one)}`;
    },
  );
  const warnings: string[] = [];
  if (settled.allowsEvaluators && evaluator) {
    warnings.push(`${printable(evaluator.part.file)}: ${evaluator.message}. That alone may change the scores.`);
  }
  // Shards may each have another kind of cases, which another evaluator scores.
  const kind = firstPair(stating, evaluatorOf, (one, other, name) => {
    const { widened, ofKinds } = compareEvaluators(one, other);
    const all = [...widened, ...ofKinds];
    if (all.length === 0) return "";
    return `its rows state another evaluator than those of ${name}: ${listed(all, { conjunction: "and" })}`;
  });
  if (kind) warnings.push(`${printable(kind.part.file)}: ${kind.message}.`);
  const [silent, ...others] = parts.filter((part) => !states(part));
  if (silent && stating.length > 0) {
    const they = others.length === 0 ? "does" : `and ${String(others.length)} more do`;
    warnings.push(`${printable(silent.file)} ${they} not state its evaluator, and the other files do.`);
  }
  return { faults, otherRun: run && `${printable(run.part.file)} ${run.message}.`, warnings };
}

interface Pair {
  readonly part: RunPart;
  readonly message: string;
}

/** So many values are compared with each other; one is usual. */
const MOST_SEEN = 20;

/** The first part that differs from one before it: by a message, which calls that one by its name, and is not empty. */
function firstPair<Value>(
  parts: readonly RunPart[],
  of: (part: RunPart) => Value | undefined,
  differ: (one: Value, other: Value, name: string) => string,
): Pair | undefined {
  const seen = new Map<string, { readonly file: string; readonly value: Value }>();
  for (const part of parts) {
    const value = of(part);
    const text = canonicalJson(value ?? null);
    if (value === undefined || seen.has(text)) continue;
    for (const one of seen.values()) {
      const message = differ(one.value, value, printable(one.file));
      if (message !== "") return { part, message };
    }
    if (seen.size < MOST_SEEN) seen.set(text, { file: part.file, value });
  }
  return undefined;
}

/** What is said of both ids where they differ, or of both names where one side has no id; empty where one states neither. */
export function datasetDifference(
  one: RunOfCases["dataset"],
  other: RunOfCases["dataset"],
  says: (ours: string, theirs: string) => string,
): string {
  const field = one.id !== undefined && other.id !== undefined ? "id" : "name";
  const [ours, theirs] = [one[field], other[field]];
  if (ours === undefined || theirs === undefined || ours === theirs) return "";
  return says(quoted(ours), quoted(theirs));
}

function evaluatorOf({ evaluator, evaluatorDigest, evaluatorOfRows }: RunPart) {
  return { evaluator, evaluatorDigest, evaluatorOfRows };
}

function states({ evaluator, evaluatorDigest }: RunPart): boolean {
  return evaluator !== undefined || evaluatorDigest !== undefined;
}

const BETTER: Readonly<Record<Direction, string>> = { higher: "more", lower: "less" };

/** Two declared ranges, or a part with shares and one with scores on another scale. */
function otherScale(parts: readonly RunPart[], metric: string, { ranges }: Settled): Pair | undefined {
  if (ranges.has(metric)) return undefined;
  const declared = firstPair(
    parts,
    ({ scales }) => scales.get(metric)?.declared,
    (one, other, name) => {
      if (isSameRange(one, other)) return "";
      return `the range of ${quotedName(metric)} is ${rangeText(other)}, and in ${name} ${rangeText(one)}`;
    },
  );
  if (declared) return declared;
  const known = parts.flatMap((part, at) => {
    const scale = part.scales.get(metric);
    return !scale || scale.least > scale.most ? [] : [{ part, scale, at }];
  });
  const shares = known.filter(({ scale }) => isShare(scale));
  // One of each kind tells as much as all of them.
  for (const share of [shares.find(({ scale }) => scale.hasFraction), shares[0]]) {
    const other = share && known.find(({ scale }) => !isShare(scale) && areApart(share.scale, scale));
    if (!share || !other) continue;
    const [first, second] = share.at < other.at ? [share, other] : [other, share];
    const [one, two] = [first, second].map(({ scale: { least, most } }) => rangeText({ low: least, high: most }));
    const message = `${quotedName(metric)} is ${two ?? ""} here, and ${one ?? ""} in ${printable(first.part.file)}: that is another scale`;
    return { part: second.part, message };
  }
  return undefined;
}

export interface RunDifference {
  /**
   * `unstated`: what one side says of its evaluator is unknown of the other. `widened`: rows of the one side state all that
   * those of the other do, and more.
   */
  readonly kind: "dataset" | "evaluator" | "unstated" | "widened";
  /** A clause: `the dataset of the baseline is "a", but that of this run is "b"`. */
  readonly message: string;
}

/** Whether a run has another dataset or evaluator than its baseline. What a run does not state is not a difference. */
export function differencesOf(now: RunOfCases, baseline: RunOfCases, other = "baseline"): readonly RunDifference[] {
  const found: RunDifference[] = [];
  const dataset = datasetDifference(baseline.dataset, now.dataset, (theirs, ours) => {
    return `the dataset of the ${other} is ${theirs}, but that of this run is ${ours}`;
  });
  if (dataset !== "") found.push({ kind: "dataset", message: dataset });
  const { changes: stated, ofKinds, widened, ...unstated } = compareEvaluators(baseline, now);
  const changes = [...stated, ...ofKinds];
  if (widened.length > 0) {
    const message = `the rows do not state the same evaluators as those of the ${other}: ${listed(widened, { conjunction: "and" })}`;
    found.push({ kind: "widened", message });
  }
  if (changes.length > 0) {
    const message = `the evaluator is not that of the ${other}: ${listed(changes, { conjunction: "and" })}`;
    found.push({ kind: "evaluator", message });
  }
  for (const [names, side] of [
    [unstated.now, `the ${other}`],
    [unstated.before, "this run"],
  ] as const) {
    if (names.length === 0) continue;
    const list = listed(names.map(quotedName), { conjunction: "and" });
    found.push({
      kind: "unstated",
      message: `${side} does not state ${list} of its evaluator, which the other side states`,
    });
  }
  return found;
}
