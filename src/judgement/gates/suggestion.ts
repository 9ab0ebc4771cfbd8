import { closest } from "../../text/closest.ts";
import { listed } from "../../text/quoted.ts";
import { written } from "../cases/metric-key.ts";
import { COUNTERS } from "./rule.ts";

const MOST_NAMES = 8;

/** Which names there are, and which one was most likely meant. */
export function namesHint(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  const names = known.map((each) => written(each));
  const there =
    names.length === 0
      ? "there is none"
      : `there ${names.length === 1 ? "is" : "are"} ${listed(names, { conjunction: "and", most: MOST_NAMES })}`;
  return near === undefined ? there : `did you mean \`${written(near)}\`? (${there})`;
}

/** A metric as a rule has to write it: one with the name of a counter is in quotes. */
export function writtenMetric(key: string): string {
  return COUNTERS.some((counter) => counter === key) ? `"${key}"` : written(key);
}
