import type { Claim } from "./options.ts";
import { cpuRatioTo, ratioTo, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";

type Column = readonly [head: string, cell: (result: Result) => string | undefined];

/**
 * What each case took, by the clock and of the processor, and how many times as much as `reference`; a column of which
 * nothing is known is left out.
 */
export function timesTable(results: readonly Result[], reference: Result): readonly string[] {
  // Of what is short a table in seconds would show nothing.
  const [unit, factor, digits] = reference.bestSeconds < 1 ? (["ms", 1000, 1] as const) : (["s", 1, 2] as const);
  const time = (seconds: number | undefined) =>
    seconds === undefined ? undefined : (factor * seconds).toFixed(digits);
  const columns: readonly Column[] = [
    ["rounds", ({ rounds }) => String(rounds)],
    [`wall ${unit}`, ({ bestSeconds }) => time(bestSeconds)],
    ["median", ({ medianSeconds }) => time(medianSeconds)],
    ["×", (result) => ratioTo(reference, result).toFixed(2)],
    [`CPU ${unit}`, ({ processorSeconds }) => time(processorSeconds)],
    ["median", ({ medianProcessorSeconds }) => time(medianProcessorSeconds)],
    ["CPU ×", (result) => cpuRatioTo(reference, result)?.toFixed(2)],
    ["median ×", (result) => cpuRatioTo(reference, result, "median")?.toFixed(2)],
    ["others' CPUs", ({ busyElsewhere }) => busyElsewhere?.toFixed(1)],
    ["output MB", ({ outputBytes }) => (outputBytes === undefined ? undefined : megabytes(outputBytes))],
    ["peak MB", ({ peakBytes }) => (peakBytes === undefined ? undefined : megabytes(peakBytes))],
  ];
  const shown = columns.filter(([, cell]) => results.some((result) => cell(result) !== undefined));
  const rows = results.map((result) => [result.name, ...shown.map(([, cell]) => cell(result) ?? "–")]);
  return table(["case", ...shown.map(([head]) => head)], rows);
}

/** The claim that one case takes at most `most` times the processor time of another, both by name. */
export function claimOf(
  what: string,
  results: readonly Result[],
  { ours, theirs, most }: { readonly ours: string; readonly theirs: string; readonly most: number },
): Claim {
  const find = (wanted: string) => results.find(({ name }) => name === wanted);
  const [result, reference] = [find(ours), find(theirs)];
  const ratio = result === undefined || reference === undefined ? undefined : cpuRatioTo(reference, result);
  return { what, ratio, most };
}

/** Whether a case takes at most `most` times the processor time of another; undefined where it is not known. */
export function cpuLine(what: string, ratio: number | undefined, most: number): string {
  return ratio === undefined ? `unknown ${what}` : targetLine(what, `${ratio.toFixed(2)} of the CPU`, ratio <= most);
}
