import { names } from "./names.ts";
import type { Cell, Chance, MadeColumn } from "./table.ts";

/** What the columns of one table have in common. */
export interface Frame {
  readonly chance: Chance;
  /** For each row its case, which of its repetitions it is, and which value of the axis it has. */
  readonly rows: readonly { readonly at: number; readonly repetition: number; readonly axis: number }[];
  readonly cases: number;
  /** True where a comma is the decimal mark. */
  readonly hasCommas: boolean;
  readonly isJson: boolean;
}

type Column = Omit<MadeColumn, "key" | "truth"> & Partial<Pick<MadeColumn, "key" | "truth">>;

/** A column with what follows from the rest. */
export function column({ truth, ...rest }: Column): MadeColumn {
  return { key: rest.name, truth: truth ?? rest.cells.map(() => undefined), ...rest };
}

const QUESTIONS = [
  "Wie weit ist es bis zum Bahnhof %?",
  "What is the capital of country %?",
  "¿Cuánto cuesta el billete % de ida?",
  "Combien de pages a le livre % ?",
  "第%の川の長さは？",
  "Сколько стоит билет %?",
  'Is "%" a word; or is it, rather, none?',
  "Translate | this:\n% lines",
] as const;
const ANSWERS = ["It is % km.", "Die Antwort lautet %.", "约 % 米", "No, %; not at all", '"%"', "Paris %"] as const;

const filled = (text: string, value: number) => text.replace("%", String(value));

/** The texts of a part of the cases. */
export function textColumn(
  frame: Frame,
  role: "expected" | "inputs" | "outputs",
  name: string,
  isForeign = false,
): MadeColumn {
  const { chance, rows } = frame;
  // Numbers are answers where the name says so.
  const areNumbers = role !== "inputs" && !isForeign && chance.is(0.1);
  const texts = Array.from({ length: frame.cases }, (_, at) => {
    if (areNumbers) return String(at * 7 + 12);
    return role === "inputs"
      ? filled(chance.of(QUESTIONS), at + 1_000)
      : filled(chance.of(ANSWERS), (at * 31 + 17) * (role === "outputs" ? 3 : 1));
  });
  const cells = rows.map(({ at, repetition, axis }): Cell => {
    const text = texts[at] ?? "";
    return role === "outputs" && !areNumbers ? `${text} ${String(repetition)}.${String(axis)}` : text;
  });
  return column({ name, role, cells });
}

/** Ids of cases in one of the forms that people have. */
export function idColumn(frame: Frame): MadeColumn {
  const { chance, rows } = frame;
  const first = chance.of([0, 1, 1, 4_711]);
  const step = chance.of([1, 1, 3]);
  const form = chance.below(5);
  const name = names.id(chance);
  // A UUID under the name of a row names that row only.
  const isOfRow = form === 1 && name.toLowerCase() === "id" && rows.length > frame.cases;
  const cells = rows.map(({ at }): Cell => {
    const number = first + at * step;
    switch (form) {
      case 0:
        return `q-${String(number)}`;
      case 1:
        return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
      case 2:
        return frame.isJson ? number : `${String(number)}.0`;
      default:
        return number;
    }
  });
  return column({ name: isOfRow ? "case_id" : name, role: "id", cells });
}

/** One number for each row as a score is written. */
export function scoreColumn(frame: Frame, isNamed: boolean): MadeColumn {
  const { chance } = frame;
  const name = isNamed ? names.score(chance) : names.unknown(chance);
  const hasGaps = chance.is(0.15);
  const form = chance.below(isNamed ? 8 : 4);
  const isPrefixed = isNamed && chance.is(0.1);
  const prefix = isPrefixed ? chance.of(["feedback.", "scores.", "metrics."]) : "";
  const made = frame.rows.map((_, at): readonly [Cell, number | undefined] => {
    if (hasGaps && at > 0 && chance.is(0.2)) return [null, undefined];
    // The first two rows differ: a constant column says nothing.
    const share = at === 0 ? 0.25 : at === 1 ? 0.75 : chance.fraction();
    return scoreCell(frame, form, Math.round(share * 1_000) / 1_000);
  });
  const cells = made.map(([cell]) => cell);
  return column({ name: `${prefix}${name}`, key: name, role: "score", cells, truth: made.map(([, truth]) => truth) });
}

function scoreCell({ hasCommas, isJson }: Frame, form: number, share: number): readonly [Cell, number] {
  const is = share >= 0.5;
  switch (form) {
    case 0:
      return [Number(is), Number(is)];
    case 1:
      return [isJson ? is : is ? "True" : "False", Number(is)];
    case 4:
      return [`${String(Math.round(share * 100))}%`, Math.round(share * 100) / 100];
    case 5:
      return [is ? "pass" : "fail", Number(is)];
    case 6:
      return [1 + Math.round(share * 4), 1 + Math.round(share * 4)];
    case 7:
      return [is ? "yes" : "no", Number(is)];
    default:
      return [hasCommas ? share.toFixed(3).replace(".", ",") : share, share];
  }
}

/** Numbers, or words, of which no name and no value says that they are scores. */
export function numberColumn(frame: Frame): MadeColumn {
  const { chance, rows } = frame;
  const form = chance.below(8);
  const constant = chance.of([0, 1, 1, 3, 200]);
  const word = chance.of(["yes", "ok", "passed", "correct"]);
  const cells = rows.map(({ at }, row): Cell => {
    switch (form) {
      case 0:
        return constant;
      case 1:
        return word;
      case 2:
        return 1_686_287_583 + row * 61;
      case 3:
        return chance.of([200, 200, 404, 500]);
      case 4:
        return 10 + ((at * 37) % 101);
      case 5:
        return row === 0 ? 2 : 1 + chance.below(9);
      case 6:
        return row === 0 ? 3 : chance.below(40);
      default:
        return 100 + row * 7;
    }
  });
  // A status in words of a verdict is what a judge says.
  const name = names.number(chance);
  return column({
    name: form === 1 && /status/i.test(name) ? "reviewed" : name,
    role: "number",
    cells,
    truth: cells.map(Number),
  });
}

/** How long each row took, in the unit of the name or in another one. */
export function latencyColumn(frame: Frame): MadeColumn {
  const { chance, hasCommas } = frame;
  const base = chance.of(["latency", "duration", "response_time", "elapsed"]);
  const [unit, isMilliseconds] = chance.of<readonly [string, boolean]>([
    ["_ms", true],
    ["_s", false],
    [" (s)", false],
    ["", false],
    ["", true],
  ]);
  const hasDecimals = chance.is(0.5);
  const truth = frame.rows.map(() => {
    // Three decimals behind a comma may be thousands.
    const milliseconds = 300 + (hasCommas ? 10 * chance.below(900) : chance.fraction() * 9_000);
    return hasDecimals ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds);
  });
  const cells = truth.map((milliseconds): Cell => {
    const number = isMilliseconds ? milliseconds : Math.round(milliseconds) / 1_000;
    return hasCommas && !Number.isInteger(number) ? String(number).replace(".", ",") : number;
  });
  const known = isMilliseconds ? truth : truth.map((milliseconds) => Math.round(milliseconds));
  return column({ name: `${base}${unit}`, role: "latency", cells, truth: known });
}

const BEGIN = Date.UTC(2026, 4, 4, 10);

/** When each row began; a serial number of a spreadsheet must be refused. */
export function startColumn(frame: Frame): MadeColumn {
  const { chance, rows } = frame;
  const truth = rows.map((_, row) => BEGIN + row * 60_000);
  const form = chance.below(5);
  const cells = truth.map((time): Cell => {
    switch (form) {
      case 0:
        return time / 1_000;
      case 1:
        return time;
      case 2:
        return Math.round((time / 86_400_000 + 25_569) * 1e6) / 1e6;
      case 3:
        return new Date(time)
          .toISOString()
          .replace("T", " ")
          .replace(/\.000Z$/, "");
      default:
        return new Date(time).toISOString();
    }
  });
  // Under `start` alone such a number may be a place in a text.
  const name = form === 2 ? "start_time" : chance.of(["start_time", "started_at", "start"]);
  return column({ name, role: "start", cells, truth, refused: form === 2 ? "a serial number is no time" : undefined });
}

/** A text, or nothing, that is no part of a case. */
export function otherColumn(frame: Frame): MadeColumn {
  const { chance, rows } = frame;
  const [name, texts] = chance.of<readonly [string, readonly [string, ...string[]]]>([
    ["category", ["travel", "geo", "words"]],
    ["source", ["wiki.org/a", "wiki.org/b"]],
    ["Kommentar", ["gut", "naja, geht so", "bitte prüfen; Zeile 2"]],
    ["language", ["de", "en", "ja"]],
    ["notes", ["", "see below", "checked twice"]],
    ["empty", [""]],
  ]);
  const cells = rows.map(({ at }): Cell => texts[(at * 7) % texts.length] ?? "");
  return column({ name, role: "other", cells });
}

/** Which model a row is of: each case has each. */
export function axisColumn(frame: Frame): MadeColumn {
  const values = frame.chance.of([
    ["gpt-4o", "claude-3", "llama-70b"],
    ["bm25", "dense", "hybrid"],
    ["short", "long", "chain"],
  ]);
  const cells = frame.rows.map(({ axis }): Cell => values[axis] ?? "");
  return column({ name: names.axis(frame.chance), role: "axis", cells });
}

/** Which repetition of its case a row is. */
export function repetitionColumn(frame: Frame): MadeColumn {
  const first = frame.chance.below(2);
  const cells = frame.rows.map(({ repetition }): Cell => repetition + first);
  return column({ name: names.repetition(frame.chance), role: "repetition", cells });
}
