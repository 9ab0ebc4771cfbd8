import type { FilePlace } from "../../files/json/errors.ts";
import type { ResultFaults } from "./result-faults.ts";
import { readResultRow, type ResultRow } from "../rows/result-row.ts";
import type { SourceRow } from "../rows/source-row.ts";

/** How faults call the rows of a program, which stand in no file. */
export const GIVEN_ROWS = "rows";

/** Reads the rows of a program one after the other, and tells the faults of each by its number, from 1. */
export function readResultRows(
  given: AsyncIterable<ResultRow> | Iterable<ResultRow>,
  faults: ResultFaults,
): AsyncIterable<SourceRow> | Iterable<SourceRow> {
  let row = 0;
  const read = (value: unknown): readonly SourceRow[] => {
    row += 1;
    const place: FilePlace = { file: GIVEN_ROWS, row };
    const source = readResultRow(value, place, (message) => {
      faults.add(place, message);
    });
    return source === undefined ? [] : [source];
  };
  return Symbol.asyncIterator in given ? readAsync(given, read) : readSync(given, read);
}

type ReadRow = (value: unknown) => readonly SourceRow[];

async function* readAsync(given: AsyncIterable<unknown>, read: ReadRow) {
  for await (const value of given) yield* read(value);
}

function* readSync(given: Iterable<unknown>, read: ReadRow) {
  for (const value of given) yield* read(value);
}
