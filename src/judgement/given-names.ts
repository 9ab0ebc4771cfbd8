import { nameList, quoted } from "../text/quoted.ts";
import { MEASURES, type CaseSet, type Direction, type GivenRanges } from "./cases/case-set.ts";
import { scoreKey, scoreName } from "./cases/metric-key.ts";
import { rowCounts, unscoredMetrics } from "./cases/trial-list.ts";
import { namesHint } from "./gates/suggestion.ts";
import type { Judged } from "./judge-results.ts";

/** What is wrong with a cluster, empty where nothing is: a key that no case has would make a cluster of each, and intervals too narrow. */
export function clusterFault(cluster: string | undefined, { cases }: CaseSet): string {
  if (cluster === undefined || cases.length === 0) return "";
  const keys = new Set([...cases].flatMap(({ metadata = {} }) => Object.keys(metadata)));
  if (keys.has(cluster)) return "";
  const there = keys.size === 0 ? "the cases have no metadata" : `the cases have ${nameList([...keys].toSorted())}`;
  return `${quoted(cluster)} is not in the metadata of any case; ${there}`;
}

/** What is wrong with directions: one for a metric that was not measured would be without effect. */
export function directionsFault(
  directions: Iterable<readonly [metric: string, direction: Direction]>,
  read: Pick<Judged, "baseline" | "results">,
): string {
  if (mayLack(read.results)) return "";
  const known = metricsOf(read);
  for (const [name, direction] of directions) {
    const score = scoreKey(scoreName(name));
    // Bare is what is measured where there is both, and its direction is known.
    if (MEASURES.has(name) && known.has(name) && direction === "higher") {
      const hint = known.has(score) ? `; the score of this name is \`${score}\`, with the quotes` : "";
      return `${quoted(name)} is measured, and less of it is better${hint}`;
    }
    if (!isKnown(name, known)) return unknownText(name, known);
  }
  return "";
}

/** What is wrong with ranges: one for a metric that was not measured would be without effect. */
export function rangesFault(ranges: GivenRanges = new Map(), read: Pick<Judged, "baseline" | "results">): string {
  if (mayLack(read.results)) return "";
  const known = metricsOf(read);
  const unknown = [...ranges.keys()].filter((name) => !isKnown(name, known)).slice(0, 1);
  return unknown.map((name) => unknownText(name, known)).join("");
}

/** True where rows that were not measured may have had any metric: no name of one is wrong then. */
function mayLack(results: CaseSet): boolean {
  return results.cases.length === 0 || rowCounts(results).unmeasured > 0;
}

function metricsOf({ results, baseline }: Pick<Judged, "baseline" | "results">): ReadonlySet<string> {
  const sides = baseline ? [results, baseline] : [results];
  return new Set(sides.flatMap((side) => [...side.metrics.keys(), ...unscoredMetrics(side)]));
}

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  return known.has(name) || known.has(scoreKey(scoreName(name)));
}

function unknownText(name: string, known: ReadonlySet<string>): string {
  return `${quoted(name)} is not a metric; ${namesHint(name, [...known])}`;
}
