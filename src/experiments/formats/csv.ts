import type { ResultFormat } from "./shared/format.ts";
import { csvHead } from "./shared/csv-file.ts";
import { csvTable } from "./table/csv-table.ts";
import { isPromptfooHeader } from "./promptfoo/headings.ts";
import { ragasCsv } from "./ragas-csv.ts";
import { rolesOfNames } from "./table/column-roles.ts";

/** A table of any tool, read by a mapping or by the names of its columns. */
export const csv: ResultFormat = {
  isGeneric: true,
  takesMapping: true,
  detect: (file) => {
    const { header, records } = csvHead(file);
    if (header.length === 0 || ragasCsv.detect(file) || isPromptfooHeader(header)) return false;
    const roleOfName = rolesOfNames(header);
    const isKnown = header.some((name) => roleOfName(name)?.part === "inputs");
    return isKnown || (records.length > 0 && records.every(({ cells }) => cells.length === header.length));
  },
  rows: (file, context) => csvTable(file, context),
};
