import type { ColumnRole } from "../../rows/columns.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import type { FormatContext } from "../shared/format.ts";
import type { ColumnSample } from "./column-sample.ts";

/** The parts whose numbers are written as the table writes numbers: an answer or an id may look like one by chance. */
const NUMERIC: ReadonlySet<ColumnRole["part"]> = new Set([
  "score",
  "latency",
  "cost",
  "usage",
  "repetition",
  "metadata",
] as const);

const MOST_NAMED = 5;

/**
 * True where a comma is the decimal mark of a table: one column has it for sure, and no other has a point. Then `1.234` is
 * a thousand in all columns. Where both are there, each column is read alone, with a warning of those that are in doubt.
 */
export function hasDecimalCommas(
  columns: readonly { readonly role: ColumnRole | undefined }[],
  samples: readonly ColumnSample[],
  { file, context }: { readonly file: string; readonly context: FormatContext },
): boolean {
  const numeric = samples.filter((_, at) => NUMERIC.has(columns[at]?.role?.part ?? "skipped"));
  const comma = numeric.find(({ mark }) => mark === "comma");
  const point = numeric.find(({ mark }) => mark === "point");
  if (comma === undefined || point === undefined) return comma !== undefined;
  const unsure = numeric.filter(({ mark, inCommas }) => mark === undefined && inCommas?.kind === "comma");
  if (unsure.length > 0) {
    const both = `${quotedName(comma.name)} has decimal commas and ${quotedName(point.name)} has decimal points`;
    const names = listed(
      unsure.map(({ name }) => quotedName(name)),
      { conjunction: "and", most: MOST_NAMED },
    );
    const what = `the numbers in ${names} may have points or commas between thousands, and each column is read alone`;
    context.warn(`${file}: ${both}, so ${what}. Write all numbers in one notation.`);
  }
  return false;
}

/** What is in a column of a table with decimal commas. */
export function withCommas(sample: ColumnSample): ColumnSample {
  return { ...sample, ...sample.inCommas };
}
