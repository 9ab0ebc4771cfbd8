import { DataFileError } from "../../../files/json/errors.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { csvHead } from "../shared/csv-file.ts";
import { AS_JSON } from "./headings.ts";

/** Refuses the CSV of an earlier promptfoo, whose cells hold a verdict, a score and an output in one text. */
export function refuseOlderTable(file: ResultFile): void {
  const { header = [], records = [] } = csvHead(file) ?? {};
  const isOutput = (column: number) => {
    const cells = records.map(({ cells }) => cells[column] ?? "").filter((text) => text !== "");
    return cells.length > 0 && cells.every((text) => OLDER_CELL.test(text));
  };
  const output = header.findIndex((_, column) => isOutput(column));
  if (output === -1) return;
  const what = `the file is a table of an earlier promptfoo, with the verdict in front of the output in ${quotedName(header[output] ?? "")}`;
  throw new DataFileError({ file: file.name, line: 1 }, what, { advice: AS_JSON });
}

const OLDER_CELL = /^\[(?:PASS|FAIL|ERROR)\](?:\s|$)/;
