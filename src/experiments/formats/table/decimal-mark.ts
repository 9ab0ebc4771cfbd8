import type { ColumnRole, SeenColumn } from "../../rows/columns.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import type { ColumnSample } from "./column-sample.ts";
import type { TableOptions } from "./dialect.ts";

/**
 * True where a comma is the decimal mark of a table: it separates no cells, one column has it for sure, and no other has a
 * point. Then `1.234` is a thousand in all columns. Where both are there, each column is read alone, with a warning of those that are in doubt.
 */
export function hasDecimalCommas(
  columns: readonly SeenColumn[],
  samples: readonly ColumnSample[],
  { file, dialect, context }: TableOptions,
): boolean {
  if (dialect.mayHaveCommas !== true) return false;
  const of = (parts: Parts) => samples.filter((_, at) => parts.has(columns[at]?.role?.part ?? "skipped"));
  const comma = of(PROVING).find(({ mark }) => mark === "comma");
  const numeric = of(NUMERIC);
  const point = numeric.find(({ mark }) => mark === "point");
  if (!comma) return false;
  if (!point) {
    const grouped = numeric.filter(({ inCommas }) => inCommas?.kind === "comma" && inCommas.least !== undefined);
    const why = `${quotedName(comma.name)} has decimal commas`;
    if (grouped.length > 0) {
      context.warn(`${file}: ${why}, so the points in ${namesOf(grouped)} are read as marks between thousands.`);
    }
    return true;
  }
  const unsure = numeric.filter(({ mark, inCommas }) => mark === undefined && inCommas?.kind === "comma");
  if (unsure.length > 0) {
    const both = `${quotedName(comma.name)} has decimal commas and ${quotedName(point.name)} has decimal points`;
    const what = `the numbers in ${namesOf(unsure)} may have points or commas between thousands, and each column is read alone`;
    context.warn(`${file}: ${both}, so ${what}. Write all numbers in one notation.`);
  }
  return false;
}

type Parts = ReadonlySet<ColumnRole["part"]>;
/** The parts that are numbers: an answer, an id or metadata may look like one by chance. */
const PROVING: Parts = new Set(["score", "latency", "cost", "usage"] as const);
/** The parts that may be numbers, and are written as the others. */
const NUMERIC: Parts = new Set([...PROVING, "repetition", "metadata"] as const);

const MOST_NAMED = 5;

function namesOf(columns: readonly ColumnSample[]): string {
  const names = columns.map(({ name }) => quotedName(name));
  return listed(names, { conjunction: "and", most: MOST_NAMED });
}

/** What is in a column of a table with decimal commas. */
export function withCommas(sample: ColumnSample): ColumnSample {
  return { ...sample, ...sample.inCommas };
}
