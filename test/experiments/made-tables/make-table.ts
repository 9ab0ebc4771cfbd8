import { Random } from "../../../bench/text.ts";
import {
  axisColumn,
  column,
  idColumn,
  latencyColumn,
  numberColumn,
  otherColumn,
  repetitionColumn,
  scoreColumn,
  startColumn,
  textColumn,
  type Frame,
} from "./columns.ts";
import { names } from "./names.ts";
import { isSummed } from "./write-table.ts";
import { STATISTICS, type Chance, type MadeColumn, type MadeSummary, type MadeTable, type TableForm } from "./table.ts";

/** A random table with its truth; the same for the same seed. */
export function makeTable(seed: number): MadeTable {
  const chance = chanceOf(seed);
  const form = formOf(chance);
  const cases = chance.is(0.01) ? 1_200 : 3 + chance.below(chance.is(0.2) ? 40 : 12);
  const repetitions = chance.is(0.2) ? 2 + chance.below(2) : 1;
  const axes = chance.is(0.12) ? 2 + chance.below(2) : 1;
  const rows = Array.from({ length: cases * repetitions * axes }, (_, row) => ({
    at: row % cases,
    repetition: Math.floor(row / cases) % repetitions,
    axis: Math.floor(row / (cases * repetitions)),
  }));
  const isJson = form.kind !== "csv";
  const hasCommas = form.delimiter !== "," && !isJson && chance.is(0.4);
  const frame: Frame = { chance, rows, cases, hasCommas, isJson };
  const columns = shuffled(distinct(columnsOf(frame, { repetitions, axes })), chance);
  const spoilt = chance.is(0.08) ? spoilIds(columns, frame) : columns;
  return { seed, cases: rows.map(({ at }) => at), columns: spoilt, summaries: summariesOf(columns, chance), form };
}

function chanceOf(seed: number): Chance {
  const random = new Random(seed);
  return {
    below: (limit) => random.below(limit),
    is: (share) => random.fraction() < share,
    of: (values) => values[random.below(values.length)] ?? values[0],
    fraction: () => random.fraction(),
  };
}

function formOf(chance: Chance): TableForm {
  const kind = chance.of<TableForm["kind"]>([
    "csv",
    "csv",
    "csv",
    "csv",
    "jsonl",
    "jsonl",
    "list",
    "results",
    "columns",
    "split",
  ]);
  const delimiter = chance.of([",", ",", ";", "\t", "|"]);
  const preamble = chance.is(0.06) ? (delimiter === "\t" ? [] : [`sep=${delimiter}`]) : [];
  const comments = chance.is(0.06) ? ["# made by run.py", "# 2026-05-04"] : [];
  return {
    kind,
    delimiter,
    isQuoted: chance.is(0.3),
    isCrlf: chance.is(0.2),
    preamble: preamble.length > 0 ? preamble : comments,
    hasMark: chance.is(0.15),
  };
}

function columnsOf(frame: Frame, { repetitions, axes }: { repetitions: number; axes: number }): readonly MadeColumn[] {
  const { chance } = frame;
  const some = (most: number, make: () => MadeColumn) => Array.from({ length: chance.below(most + 1) }, make);
  const isForeign = chance.is(0.12);
  const text = (role: "inputs" | "outputs") =>
    isForeign
      ? { ...textColumn(frame, role, names.foreign(chance, role), isForeign), isForeign }
      : textColumn(frame, role, names[role](chance));
  return [
    text("inputs"),
    ...(chance.is(0.85) ? [text("outputs")] : []),
    ...(chance.is(0.7) ? [textColumn(frame, "expected", names.expected(chance))] : []),
    ...(chance.is(0.6) ? [idColumn(frame)] : []),
    ...(axes > 1 ? [axisColumn(frame)] : []),
    ...(repetitions > 1 && chance.is(0.7) ? [repetitionColumn(frame)] : []),
    ...(chance.is(0.3) ? [latencyColumn(frame)] : []),
    ...(chance.is(0.12) ? [startColumn(frame)] : []),
    ...some(3, () => scoreColumn(frame, chance.is(0.8))),
    ...some(3, () => numberColumn(frame)),
    ...some(2, () => otherColumn(frame)),
  ];
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function distinct(columns: readonly MadeColumn[]): readonly MadeColumn[] {
  const taken = new Set<string>();
  return columns.filter(({ name, key }) => {
    if (taken.has(plain(name)) || taken.has(plain(key))) return false;
    taken.add(plain(name)).add(plain(key));
    return true;
  });
}

function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  const ranked = items.map((item) => ({ item, rank: chance.fraction() }));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
}

/** Several questions under one id: as a spreadsheet rounds long numbers, or by a slip. */
function spoilIds(columns: readonly MadeColumn[], { chance, rows, cases }: Frame): readonly MadeColumn[] {
  const isRounded = chance.is(0.5);
  const [one, other] = [0, cases - 1];
  return columns.map((each) => {
    if (each.role !== "id") return each;
    const cells = rows.map(({ at }, row) => {
      if (isRounded) return at % 3 === 0 ? "8.26839E+17" : "8.26840E+17";
      return at === other ? (each.cells[one] ?? null) : (each.cells[row] ?? null);
    });
    return column({ ...each, cells });
  });
}

const WORDS = ["Durchschnitt", "MRR", "Mean", "Total", "moyenne", "平均", "overall", "AVERAGE", "Gesamt"] as const;

function summariesOf(columns: readonly MadeColumn[], chance: Chance): readonly MadeSummary[] {
  const texts = columns.filter(({ role }) => role === "other" || role === "id" || role === "inputs");
  if (!columns.some(isSummed) || !chance.is(0.25)) return [];
  const word = chance.of(WORDS);
  const [first, ...more] = texts;
  const label = first !== undefined && chance.is(0.6) ? { column: chance.of([first, ...more]).name, word } : undefined;
  const made = { statistic: chance.of(STATISTICS), digits: chance.of([1, 2, 3, 4, 15]), label };
  return [{ ...made, isTop: chance.is(0.15), isTrue: chance.is(0.85) }];
}
