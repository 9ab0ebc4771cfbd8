import type { MadeColumn, MadeSummary, MadeTable } from "./table.ts";
import type { SentRow, TableReading } from "./read-table.ts";
import { isSummed, statisticOf, type WrittenTable } from "./write-table.ts";

/** What a reading is, measured by the truth. */
export interface JudgedReading {
  readonly verdict: "red" | "right" | "warned" | "wrong";
  /** For a wrong one, what is wrong. */
  readonly faults: readonly string[];
}

/**
 * Judges a reading by what is known of the table. It may be red, or green and right; where it is green and not right, a
 * warning must name the column or the line.
 */
export function judgeReading(table: MadeTable, written: WrittenTable, reading: TableReading): JudgedReading {
  if (reading.error !== undefined) return { verdict: "red", faults: [] };
  const isNamed = (name: string) => reading.warnings.some((warning) => warning.includes(name));
  const found = [
    ...refusals(table),
    ...rowFaults(table, written, reading),
    ...(reading.rows.length === table.cases.length ? columnFaults(table, reading.rows) : []),
  ];
  const faults = found.filter(({ name }) => name === undefined || !isNamed(name)).map(({ what }) => what);
  if (faults.length > 0) return { verdict: "wrong", faults: [...new Set(faults)] };
  return { verdict: found.length > 0 ? "warned" : "right", faults: [] };
}

interface Fault {
  readonly what: string;
  /** What a warning must name; undefined where no warning is enough. */
  readonly name?: string | undefined;
}

/** Why the table must be red. */
function refusals({ columns, cases, summaries }: MadeTable): readonly Fault[] {
  const found = columns.flatMap((column) => {
    const what = refusalOf(column, cases);
    return what === undefined ? [] : [{ what: `${column.name}: ${what}` }];
  });
  const isScored = columns.some(({ role }) => role === "score");
  return [
    ...found,
    ...(isScored ? [] : [{ what: "no column is a score" }]),
    ...summaries.flatMap((summary) => falseSummary(columns, summary)),
  ];
}

/** True for an id that several cases have: it is refused, or names no cases. */
function isShared({ role, cells }: MadeColumn, cases: readonly number[]): boolean {
  const casesOf = Map.groupBy([...cells.keys()], (row) => String(cells[row]));
  return role === "id" && [...casesOf.values()].some((rows) => new Set(rows.map((row) => cases[row])).size > 1);
}

/** True where something in the table is no result of one experiment, or nobody can know what it is. */
export function mayBeRed(table: MadeTable): boolean {
  const { columns, cases, summaries } = table;
  if (refusals(table).length > 0) return true;
  if (columns.some((column) => column.isForeign === true || isShared(column, cases))) return true;
  return summaries.some((summary) => areShared(columns, summary));
}

function refusalOf({ role, cells, refused }: MadeColumn, cases: readonly number[]): string | undefined {
  if (role !== "axis") return refused;
  const values = new Set(cells.map(String)).size;
  const valuesOf = Map.groupBy([...cells.keys()], (row) => cases[row]);
  const isWhole = [...valuesOf.values()].every(
    (rows) => new Set(rows.map((row) => String(cells[row]))).size === values,
  );
  return values > 1 && isWhole ? "several experiments are in one file" : undefined;
}

/** True for a record with a text for its inputs, and with numbers of no column. */
function isCase(columns: readonly MadeColumn[], { isTrue, label }: MadeSummary): boolean {
  return !isTrue && columns.some(({ name, role }) => role === "inputs" && name === label?.column);
}

/** With inputs it may be a case; without, it is neither. */
function falseSummary(columns: readonly MadeColumn[], summary: MadeSummary): readonly Fault[] {
  return summary.isTrue || isCase(columns, summary)
    ? []
    : [{ what: "a record without a case has numbers of no column", name: "is not taken as a row" }];
}

/** True for numbers of the whole that a record has as well, so that they may be those of a case. */
function areShared(columns: readonly MadeColumn[], summary: MadeSummary): boolean {
  return columns.every((column) => !isSummed(column) || column.truth.includes(statisticOf(column, summary)));
}

function rowFaults(
  { cases, summaries, columns }: MadeTable,
  written: WrittenTable,
  { rows }: TableReading,
): readonly Fault[] {
  const difference = rows.length - cases.length;
  if (difference === 0) return [];
  const what = `${String(rows.length)} rows of ${String(cases.length)}`;
  if (difference !== summaries.length) return [{ what }];
  if (summaries.some((summary) => areShared(columns, summary) || isCase(columns, summary))) return [];
  return written.summaries.map((record) => ({ what: `${what}: a summary is a row`, name: ` ${String(record + 1)}` }));
}

function columnFaults(table: MadeTable, rows: readonly SentRow[]): readonly Fault[] {
  const found = table.columns.flatMap((column) => partFaults(column, rows));
  const keys = new Set(table.columns.flatMap(({ name, key }) => [name, key]));
  const foreign = rows.flatMap((row) =>
    row.evaluation_scores.filter(({ key }) => !keys.has(key)).map(({ key }) => key),
  );
  return [
    ...found,
    ...[...new Set(foreign)].map((key) => ({ what: `the score ${key} is of no column` })),
    ...caseFaults(table, rows),
  ];
}

function partFaults(column: MadeColumn, rows: readonly SentRow[]): readonly Fault[] {
  const { name, role, cells, truth } = column;
  const all = (holds: (row: SentRow, at: number) => boolean, what: string): readonly Fault[] =>
    rows.every(holds) ? [] : [{ what: `${name}: ${what}`, name }];
  const text = (at: number) => {
    const cell = cells[at] ?? null;
    return JSON.stringify(typeof cell === "string" ? cell : String(cell)).slice(1, -1);
  };
  const has = (part: unknown, at: number) => JSON.stringify(part ?? null).includes(text(at));
  switch (role) {
    case "inputs":
      return all((row, at) => has(row.inputs, at), "is not in the inputs");
    case "outputs":
      return all((row, at) => has(row.actual_outputs, at), "is not in the outputs");
    case "expected":
      return all((row, at) => has(row.expected_outputs, at), "is not in the expected outputs");
    case "score":
      return all((row, at) => isClose(scoreIn(row, column), truth[at]), "is not the score that it is");
    case "number":
    case "other":
    case "axis":
    case "id":
      return all((row) => scoreIn(row, column) === undefined, "is a score");
    case "latency":
      return all((row, at) => isClose(lastingOf(row), truth[at], 1.5), "is not how long the row took");
    case "start":
      return all((row, at) => isClose(Date.parse(row.start_time), truth[at], 1.5), "is not when the row began");
    case "repetition":
      return [];
  }
}

function scoreIn(row: SentRow, { name, key }: MadeColumn): number | undefined {
  const found = row.evaluation_scores.find((score) => score.key === key || score.key === name)?.score;
  return typeof found === "number" ? found : undefined;
}

function isClose(found: number | undefined, wanted: number | undefined, by = 1e-9): boolean {
  if (found === undefined || wanted === undefined) return found === wanted;
  return Math.abs(found - wanted) <= by;
}

function lastingOf({ start_time: start, end_time: end }: SentRow): number {
  return Date.parse(end) - Date.parse(start);
}

/** The rows of a case are numbered, one after the other, and no case is part of another one. */
function caseFaults({ cases }: MadeTable, rows: readonly SentRow[]): readonly Fault[] {
  const numbered = rows.map(({ run_metadata: { repetition } }, at) => {
    return { case: cases[at] ?? -1, repetition: typeof repetition === "number" ? repetition : 0 };
  });
  const isWhole = [...Map.groupBy(numbered, (row) => row.case).values()].every((of) => {
    return new Set(of.map(({ repetition }) => repetition)).size === of.length && of.some((row) => row.repetition === 0);
  });
  const firsts = numbered.filter(({ repetition }) => repetition === 0).length;
  if (isWhole && firsts === new Set(cases).size) return [];
  return [{ what: `${String(firsts)} cases of ${String(new Set(cases).size)}` }];
}
