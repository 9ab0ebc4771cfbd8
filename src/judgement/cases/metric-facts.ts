import type { Direction, MetricFacts } from "./case-set.ts";

/** The range that the values of a score may have. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What was declared of scores, by name. */
export interface Declared {
  readonly directions: ReadonlyMap<string, Direction>;
  readonly ranges: ReadonlyMap<string, Range>;
}

/** What the values of a metric showed. */
export interface SeenValues {
  readonly least: number;
  readonly most: number;
  /** True when each is 0 or 1. */
  readonly isBinary: boolean;
}

/** The facts of a metric: what was declared of it, and else what its values and its name show. */
export function metricFacts(name: string, seen: SeenValues, { directions, ranges }: Declared): MetricFacts {
  const stated = directions.get(name);
  const guessed = isAmount(name) || isFailure(name) ? "lower" : "higher";
  const isUnsure = stated === undefined && guessed === "higher" && isHarmful(name);
  const facts = { direction: stated ?? guessed, ...(isUnsure ? { isDirectionUnsure: true as const } : {}) };
  const { least, most, isBinary } = seen;
  const range = ranges.get(name);
  if (range !== undefined && least >= range.low && most <= range.high) {
    const isVerdict = isBinary && range.low === 0 && range.high === 1;
    return { kind: isVerdict ? "binary" : "bounded", ...range, ...facts };
  }
  if (isAmount(name)) return { kind: least > 0 ? "positive" : "unbounded", ...facts };
  if (isBinary) return { kind: "binary", low: 0, high: 1, ...facts };
  return least >= 0 && most <= 1 ? { kind: "bounded", low: 0, high: 1, ...facts } : { kind: "unbounded", ...facts };
}

/** The facts of a metric in two sets of cases, for their values together; the direction is that of the first. */
export function mergedFacts(one: MetricFacts, other: MetricFacts): MetricFacts {
  const { kind: _kind, low: _low, high: _high, ...facts } = one;
  if (one.kind === other.kind && (one.kind === "positive" || one.kind === "unbounded")) return one;
  const [range, otherRange] = [rangeOf(one), rangeOf(other)];
  if (range === undefined || otherRange === undefined) return { kind: "unbounded", ...facts };
  if (one.kind === "binary" && other.kind === "binary") return one;
  const low = Math.min(range.low, otherRange.low);
  return { kind: "bounded", low, high: Math.max(range.high, otherRange.high), ...facts };
}

function rangeOf({ kind, low = 0, high = 1 }: MetricFacts): Range | undefined {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
}

const UNITS = new Set(["ms", "s", "sec", "secs", "seconds", "milliseconds", "usd", "eur", "count", "total", "avg"]);
const PERCENTILE = /^p\d+$/;
const AMOUNTS = new Set(["latency", "duration", "cost", "costs", "tokens", "token", "elapsed", "ttft"]);
const FAILURES = new RegExp(
  `(?:^| )(?:${[
    ...["errors?", "failures?", "timeouts?", "(?:error|failure|timeout) (?:rate|count)"],
    ...["wer", "cer", "perplexity", "ppl", "loss", "nll", "mae", "mse", "rmse", "brier(?: score)?"],
    ...["edit distance", "bits per byte", "(?:hallucination|toxicity|violation) (?:rate|count)"],
  ].join("|")})$`,
);
/** Names of harms. In some tools 1 is the worst score, in others it means that there is no harm. */
const HARMS =
  /(?:^| )(?:hallucinations?|toxicity|toxic|bias|biased|harm|harmful|harmfulness|stereotyping|refusals?|violations?|violence|unsafe|risk|leakage|noise sensitivity)(?: (?:score|rate))?$/;

/** A time, a cost or a count of tokens, by its name. */
function isAmount(name: string): boolean {
  const words = wordsOf(name);
  const last = words.findLast((word) => !UNITS.has(word) && !PERCENTILE.test(word));
  return last !== undefined && (AMOUNTS.has(last) || words.join(" ").startsWith("response time"));
}

function isFailure(name: string): boolean {
  return FAILURES.test(wordsOf(name).join(" "));
}

function isHarmful(name: string): boolean {
  return HARMS.test(wordsOf(name).join(" "));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
