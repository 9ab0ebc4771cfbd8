import { quotedName } from "../../text/quoted.ts";
import type { ColumnReading } from "../rows/columns.ts";
import { overlookedOutput } from "./overlooked-columns.ts";
import type { ResultFaults } from "./result-faults.ts";

const ADVICE =
  "Rename it to `output`, or name the columns in a mapping; one without `outputs` says that there are none.";

/** Refuses a file of which no row has an output, where a column looks like it: it would be lost among the metadata. */
export function refuseWithoutOutputs(
  file: string,
  columns: ColumnReading,
  { faults, rowsPath }: { readonly faults: ResultFaults; readonly rowsPath: string | undefined },
): void {
  const overlooked = overlookedOutput(columns, rowsPath);
  if (overlooked === undefined) return;
  const name = quotedName(overlooked.name);
  faults.add({ file }, `no row has an output, but the column ${name} looks like one`, {
    advice: ADVICE,
    isUnclear: true,
  });
  faults.propose(overlooked.mapping);
}
