import { nameList, quoted } from "../text/quoted.ts";
import { MEASURES, type Direction, type GivenRanges } from "./cases/case-set.ts";
import { scoreKey, scoreName } from "./cases/metric-key.ts";
import { rowCounts, unscoredMetrics } from "./cases/stored-case.ts";
import { namesHint } from "./gates/suggestion.ts";
import type { Judged } from "./judge-results.ts";

/** Options that name something of the results. */
export interface GivenNames {
  readonly cluster: string | undefined;
  readonly directions: Iterable<readonly [metric: string, direction: Direction]>;
  readonly ranges?: GivenRanges | undefined;
}

/** The first option with a name that has no effect, as what was read does not have it, and what is wrong: a clause. */
export function wrongName(
  { cluster, directions, ranges = new Map() }: GivenNames,
  { results, baseline }: Pick<Judged, "baseline" | "results">,
): { readonly option: keyof GivenNames; readonly message: string } | undefined {
  if (results.cases.length === 0) return undefined;
  if (cluster !== undefined) {
    const keys = new Set([...results.cases].flatMap(({ metadata = {} }) => Object.keys(metadata)));
    const there = keys.size === 0 ? "the cases have no metadata" : `the cases have ${nameList([...keys].toSorted())}`;
    // Each case would be a cluster of its own, and intervals too narrow.
    const message = `${quoted(cluster)} is not in the metadata of any case; ${there}`;
    if (!keys.has(cluster)) return { option: "cluster", message };
  }
  // Rows that were not measured may have had any metric: no name of one is wrong then.
  if (rowCounts(results).unmeasured > 0) return undefined;
  const sides = baseline ? [results, baseline] : [results];
  const known = new Set(sides.flatMap((side) => [...side.metrics.keys(), ...unscoredMetrics(side)]));
  const unknown = (name: string) => {
    const isKnown = known.has(name) || known.has(scoreKey(scoreName(name)));
    return isKnown ? "" : `${quoted(name)} is not a metric; ${namesHint(name, [...known])}`;
  };
  for (const [name, direction] of directions) {
    const score = scoreKey(scoreName(name));
    // Bare is what is measured where there is both, and its direction is known.
    if (MEASURES.has(name) && known.has(name) && direction === "higher") {
      const hint = known.has(score) ? `; the score of this name is \`${score}\`, with the quotes` : "";
      return { option: "directions", message: `${quoted(name)} is measured, and less of it is better${hint}` };
    }
    const message = unknown(name);
    if (message !== "") return { option: "directions", message };
  }
  const message = [...ranges.keys()].map(unknown).find((fault) => fault !== "");
  return message === undefined ? undefined : { option: "ranges", message };
}
