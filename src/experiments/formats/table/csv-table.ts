import type { PartRole } from "../../rows/columns.ts";
import type { FormatContext, RecordContext } from "../shared/format.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { isMissingCell } from "./score-cell.ts";
import { csvHead, csvRecords, raggedFault } from "../shared/csv-file.ts";
import type { JsonRecord } from "../shared/json-records.ts";
import type { CsvRecord } from "../shared/csv-scanner.ts";
import { kindOfJson, kindOfText } from "./column-sample.ts";
import { decideByNames, type TableDialect, type TableOptions } from "./dialect.ts";
import { refuseUnknownColumns } from "./mapped-columns.ts";
import { tableRows } from "./reader.ts";

/** What differs between kinds of CSV files. */
interface CsvDialect {
  /** By the names and the values of all columns, if not given. */
  readonly decide?: TableDialect["decide"];
  /** A cell of inputs, expected outputs or outputs as a value; the text of the cell if not given. */
  readonly partOfCell?: (role: PartRole, cell: string) => JsonValue | undefined;
}

/** The rows of a CSV file with a header. Throws `DataFileError`. */
export function csvTable(file: ResultFile, context: FormatContext, csv: CsvDialect = {}): Iterable<SourceRow> {
  const dialect = { ...cellDialect(csv), mayHaveCommas: csvHead(file).delimiter !== "," };
  return tableRows(csvObjects(file, context), { file: file.name, dialect, context });
}

/** A record of a CSV file by the names of its columns. */
export interface CsvObject extends JsonRecord {
  readonly record: Readonly<Record<string, string>>;
}

/**
 * The records of a CSV file with a header; one with other cells than the header is an error. One of empty cells is a blank
 * line, and a header that stands between the rows, as where files were put together, is none either. Throws
 * `DataFileError`.
 */
export function* csvObjects(file: ResultFile, context: RecordContext): Generator<CsvObject, void> {
  const { delimiter } = csvHead(file);
  let header: Header | undefined;
  for (const record of csvRecords(file, delimiter)) {
    const { cells, line } = record;
    const place = { file: file.name, line };
    if (!header) header = new Header(readHeader(record, { file: file.name, context }));
    else if (header.isAgain(cells)) {
      context.warn(`${file.name}, line ${String(line)}: the header stands here again, and is not taken as a row.`);
    } else if (cells.every((cell) => cell.trim() === "")) continue;
    else if (cells.length !== header.names.length) context.fault(place, raggedFault(cells, header.names));
    else yield { record: header.toObject(cells), place, size: cells.reduce((sum, cell) => sum + cell.length, 0) };
  }
  if (!header) throw new DataFileError({ file: file.name }, "the file is empty");
}

/** How the cells of such a table are read. */
export function cellDialect({ decide = decideByNames, partOfCell }: CsvDialect = {}): TableDialect {
  return {
    decide,
    isOfTexts: !partOfCell,
    kindOf: (cell) => (typeof cell === "string" ? kindOfText(cell) : kindOfJson(cell)),
    readerOf: (role) => {
      switch (role.part) {
        case "inputs":
        case "expected":
        case "outputs":
          return (cell) => (!partOfCell || typeof cell !== "string" ? cell : partOfCell(role, cell));
        case "id":
          return (cell) => (cell === "" ? undefined : cell);
        default:
          return (cell) => (typeof cell === "string" && isMissingCell(cell) ? undefined : cell);
      }
    },
  };
}

type CsvFile = Pick<TableOptions, "file"> & { readonly context: RecordContext };

function readHeader({ cells, line }: CsvRecord, options: CsvFile): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = new Set(names.filter((name, index) => name !== "" && names.indexOf(name) !== index));
  if (twice.size > 0) {
    const [first = ""] = twice;
    const which =
      twice.size === 1
        ? `the column ${quotedName(first)} appears`
        : `the columns ${[...twice].map(quotedName).join(", ")} appear`;
    const advice = "Give each column its own name.";
    throw new DataFileError({ file: options.file, line }, `${which} twice`, { advice });
  }
  refuseUnknownColumns(names, { ...options, line });
  return names;
}

/** The names of the columns. */
class Header {
  readonly names: readonly string[];
  /** An object with all of them: a copy has them at once, and a name such as `__proto__` as any other. */
  readonly #blank: Readonly<Record<string, string>>;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#blank = Object.fromEntries(names.map((name) => [name, ""]));
  }

  isAgain(cells: readonly string[]): boolean {
    return cells.length === this.names.length && cells.every((cell, index) => cell.trim() === this.names[index]);
  }

  toObject(cells: readonly string[]): CsvObject["record"] {
    const record: Record<string, string> = { ...this.#blank };
    for (const [index, name] of this.names.entries()) record[name] = cells[index] ?? "";
    return record;
  }
}
