import { readResultRows, type ResultRow } from "../rows/result-row.ts";
import { readRow } from "./row-reader.ts";

const MOST_FAULTS = 20;

/**
 * What is wrong with the first wrong rows of a list, for a report of a call that cannot be carried out anyway. Rows that
 * are made while they are read are not asked for: making them may take hours.
 */
export function faultsOfList(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  const faults: string[] = [];
  const found = readResultRows(rows as readonly ResultRow[], ({ row }, message) => {
    faults.push(`row ${String(row)}: ${message}`);
  });
  if (Symbol.asyncIterator in found) return [];
  for (const source of found) {
    const wrong = source === undefined ? [] : readRow(source).faults;
    for (const message of wrong) faults.push(`row ${String(source?.place.row)}: ${message}`);
    if (faults.length >= MOST_FAULTS) break;
  }
  return faults.slice(0, MOST_FAULTS);
}
