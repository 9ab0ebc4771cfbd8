import { judgeReading, mayBeRed, type JudgedReading } from "./judge-reading.ts";
import { parseMapping } from "../../../src/experiments/index.ts";
import { makeTable } from "./make-table.ts";
import { readTable } from "./read-table.ts";
import type { MadeTable } from "./table.ts";
import { writeTable, type WrittenTable } from "./write-table.ts";

/** A table, its file, and how it was read. */
export interface TriedTable {
  readonly table: MadeTable;
  readonly written: WrittenTable;
  readonly judged: JudgedReading;
  readonly error: string | undefined;
  readonly warnings: readonly string[];
  /** True where something in the table is no result of one experiment. */
  readonly mayBeRed: boolean;
}

/** Reads the table of a seed, forwards and backwards. */
export async function trySeed(seed: number): Promise<TriedTable> {
  return await tryTable(makeTable(seed));
}

async function tryTable(table: MadeTable): Promise<TriedTable> {
  const written = writeTable(table);
  const reading = await readTable(written);
  const judged = judgeReading(table, written, reading);
  const { error, warnings } = reading;
  const tried = { table, written, judged, error, warnings, mayBeRed: mayBeRed(table) };
  if (judged.verdict === "wrong") return tried;
  if (judged.verdict === "red") return reading.mapping === undefined ? tried : await pasted(tried, reading.mapping);
  const order = [...table.cases.keys()].toReversed();
  const back = await readTable(writeTable(table, order));
  const ids = (rows: typeof reading.rows) => JSON.stringify(rows.map((row) => row.row_id).toSorted());
  if (back.error === undefined && ids(back.rows) === ids(reading.rows)) return tried;
  const fault =
    back.error === undefined ? "other row ids in the reverse order" : `red in the reverse order: ${back.error}`;
  return { ...tried, judged: { verdict: "wrong", faults: [fault] } };
}

/** What is proposed beside an error is refused as it stands, or right. */
async function pasted(tried: TriedTable, lines: readonly string[]): Promise<TriedTable> {
  const { table, written } = tried;
  const parsed = await parseMapping(lines.join("\n"));
  if (!parsed.ok) return tried;
  const reading = await readTable(written, parsed.mapping);
  const { verdict, faults } = judgeReading(table, written, reading);
  if (verdict !== "wrong") return tried;
  const told = faults.map((fault) => `the proposal as it is pasted: ${fault}`);
  return { ...tried, judged: { verdict, faults: told }, warnings: [...reading.warnings, ...lines] };
}

/** The smallest table found in which the same is wrong. */
export async function shrunk(tried: TriedTable): Promise<TriedTable> {
  const kind = kindOf(tried);
  let best = tried;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const table of smaller(best.table)) {
      const next = await tryTable(table);
      if (next.judged.verdict !== "wrong" || kindOf(next) !== kind) continue;
      best = next;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** The first fault, without names and numbers. */
export function kindOf({ judged, table }: TriedTable): string {
  const [first = ""] = judged.faults;
  const column = table.columns.find(({ name }) => first.startsWith(`${name}: `));
  const role = column?.role ?? "";
  return `${role} ${first.slice(column === undefined ? 0 : column.name.length + 2)}`.replace(/\d+/g, "#").trim();
}

function* smaller(table: MadeTable): Generator<MadeTable, void, undefined> {
  const count = table.cases.length;
  for (const keep of [Math.floor(count / 2), count - 1]) {
    if (keep < 3 || keep === count) continue;
    const columns = table.columns.map((each) => {
      return { ...each, cells: each.cells.slice(0, keep), truth: each.truth.slice(0, keep) };
    });
    yield { ...table, cases: table.cases.slice(0, keep), columns };
  }
  for (const { name } of table.columns) yield { ...table, columns: table.columns.filter((each) => each.name !== name) };
  for (const at of table.summaries.keys()) yield { ...table, summaries: table.summaries.toSpliced(at, 1) };
  const { form } = table;
  const plain = {
    ...form,
    kind: "csv" as const,
    delimiter: ",",
    isQuoted: false,
    isCrlf: false,
    preamble: [],
    hasMark: false,
  };
  if (JSON.stringify(plain) !== JSON.stringify(form)) yield { ...table, form: plain };
}
