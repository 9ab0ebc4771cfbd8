import { listed, nameList } from "../../text/quoted.ts";
import { MEASURES, type CaseSet, type MetricFacts, type RunOfCases } from "./case-set.ts";
import { scoreKey } from "./metric-key.ts";
import { columnsOf, StoredCases, valuesIn } from "./stored-case.ts";

interface Side extends Pick<CaseSet, "metrics"> {
  readonly run: Pick<RunOfCases, "readings">;
}

/**
 * The first version of snapshots kept a score with the name of a measure in the place of the measure. Where another side of
 * the comparison has such a score, the values of that place are the score if no side measured it, and else may be either:
 * then they are no part of the set, but `dropped`.
 */
export function sortedScores(set: CaseSet, sides: readonly Side[]) {
  const unsure = [...MEASURES].filter((name) => isUnsure(set, name));
  const moved = new Map<string, MetricFacts>();
  const dropped: string[] = [];
  for (const name of unsure) {
    const score = sides.flatMap(({ metrics }) => metrics.get(scoreKey(name)) ?? []).at(0);
    if (!score) continue;
    if (sides.some((side) => side.metrics.has(name) && !isUnsure(side, name))) dropped.push(name);
    else moved.set(name, score);
  }
  if (moved.size === 0 && dropped.length === 0) return { set, dropped };
  const kept = [...set.metrics].flatMap(([from, facts]) => {
    const score = moved.get(from);
    if (!score) return dropped.includes(from) ? [] : [{ key: from, facts, from }];
    // Which direction is better is what the side says that knows it as a score.
    const { direction, directionFrom, isDirectionUnsure } = score;
    return [{ key: scoreKey(from), facts: { ...facts, direction, directionFrom, isDirectionUnsure }, from }];
  });
  kept.sort((one, other) => (one.key < other.key ? -1 : 1));
  const metrics = new Map(kept.map(({ key, facts }) => [key, facts]));
  const values = new Map(kept.map(({ key, from }) => [key, valuesIn(set, from)]));
  const cases = new StoredCases({ ...columnsOf(set), values });
  return { set: { ...set, metrics, cases }, dropped };
}

/** Several sets, each sorted by all others and by `more`. */
export function allSorted(sets: readonly CaseSet[], more: readonly Side[] = []) {
  return sets.map((set) => sortedScores(set, [...more, ...sets.filter((other) => other !== set)]));
}

export function droppedText(sources: readonly string[], names: readonly string[]): string {
  const which = listed(
    names.map((name) => `\`${name}\``),
    { conjunction: "and" },
  );
  const [holds, its] = sources.length === 1 ? ["holds", "its"] : ["hold", "their"];
  return `${nameList(sources)} ${holds} ${which} as the version before wrote it, which may be what was measured or a score of this name: ${its} ${which} ${names.length === 1 ? "is" : "are"} not compared. The next snapshot holds both.`;
}

/** True for what a set has in the place of a measure, and is of a time when that was a score, too. */
function isUnsure({ metrics, run }: Side, name: string): boolean {
  return !run.readings && metrics.has(name) && !metrics.has(scoreKey(name));
}
