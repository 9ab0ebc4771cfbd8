import type { Cell, MadeColumn, MadeSummary, MadeTable } from "./table.ts";

/** The text of a table, and the number of the record of each summary, counted from 1 among all records. */
export interface WrittenTable {
  readonly name: string;
  readonly text: string;
  readonly summaries: readonly number[];
}

/** Writes a table as its form says; `order` are the numbers of its rows. */
export function writeTable({ columns, summaries, form, cases }: MadeTable, order = [...cases.keys()]): WrittenTable {
  const rows = order.map((row) => columns.map(({ cells }) => cells[row] ?? null));
  const made = summaries.map((summary) => summaryRecord(columns, summary));
  const tops = made.filter((_, at) => summaries[at]?.isTop === true);
  const records = [...tops, ...rows, ...made.filter((record) => !tops.includes(record))];
  const places = made.map((record) => records.indexOf(record) + 1);
  const names = columns.map(({ name }) => name);
  const text = form.kind === "csv" ? csvText(names, records, form) : jsonText(names, records, form.kind);
  return { name: `table.${form.kind === "csv" ? "csv" : "json"}`, text, summaries: places };
}

/** The number of a column, as a summary states it. */
export function statisticOf(column: MadeColumn, { statistic, digits }: MadeSummary): number {
  const numbers = column.truth.flatMap((number) => number ?? []);
  const sum = numbers.reduce((total, number) => total + number, 0);
  const mean = sum / numbers.length;
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const squares = numbers.reduce((total, number) => total + (number - mean) ** 2, 0);
  const found = {
    mean,
    sum,
    median: ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2,
    deviation: Math.sqrt(squares / (numbers.length - 1)),
  }[statistic];
  return digits >= 15 ? found : Math.round(found * 10 ** digits) / 10 ** digits;
}

/** True for a column of which a summary states the number. */
export function isSummed({ role, cells }: MadeColumn): boolean {
  return role === "score" && cells.every((cell) => typeof cell !== "string");
}

function summaryRecord(columns: readonly MadeColumn[], summary: MadeSummary): readonly Cell[] {
  const { label, isTrue } = summary;
  return columns.map((column): Cell => {
    if (column.name === label?.column) return label.word;
    if (!isSummed(column)) return null;
    return isTrue ? statisticOf(column, summary) : statisticOf(column, summary) * 2 + 0.37;
  });
}

function csvText(
  names: readonly string[],
  records: readonly (readonly Cell[])[],
  { delimiter, isQuoted, isCrlf, preamble, hasMark }: MadeTable["form"],
): string {
  const needsQuotes = (text: string) => isQuoted || /["\r\n]/.test(text) || text.includes(delimiter);
  const cell = (value: Cell) => {
    const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
    return needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const end = isCrlf ? "\r\n" : "\n";
  const lines = [...preamble, ...[names, ...records].map((record) => record.map(cell).join(delimiter))];
  return `${hasMark ? "\uFEFF" : ""}${lines.join(end)}${end}`;
}

function jsonText(
  names: readonly string[],
  records: readonly (readonly Cell[])[],
  kind: Exclude<MadeTable["form"]["kind"], "csv">,
): string {
  const objects = records.map((record) => Object.fromEntries(names.map((name, at) => [name, record[at] ?? null])));
  switch (kind) {
    case "jsonl":
      return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
    case "list":
      return JSON.stringify(objects, undefined, 1);
    case "results":
      return JSON.stringify({ run: "nightly", results: objects });
    case "split":
      return JSON.stringify({ columns: names, index: records.map((_, at) => at), data: records });
    case "columns":
      return JSON.stringify(
        Object.fromEntries(
          names.map((name, at) => [name, Object.fromEntries(records.map((record, row) => [row, record[at] ?? null]))]),
        ),
      );
  }
}
