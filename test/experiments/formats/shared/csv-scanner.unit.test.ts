import { CsvError, type Info } from "csv-parse";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CsvScanner, type CsvRecord } from "../../../../src/experiments/formats/shared/csv-scanner.ts";
import { memoryBytes } from "../../../../src/files/json/byte-source.ts";
import { ByteWindow } from "../../../../src/files/json/byte-window.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";

interface Read {
  readonly records: readonly CsvRecord[];
  /** The line of the record that cannot be read, and what is wrong with it. */
  readonly fault?: readonly [line: number | undefined, fault: string];
}

interface Options {
  readonly delimiter: string;
  readonly largest: number;
}

function scan(text: string, blockBytes: number, options: Options): Read {
  const records: CsvRecord[] = [];
  try {
    const window = new ByteWindow(memoryBytes("x.csv", Buffer.from(text), blockBytes), Number.POSITIVE_INFINITY);
    const scanner = new CsvScanner(window, { ...options, linesBefore: 0 });
    for (let record = scanner.next(); record !== undefined; record = scanner.next()) records.push(record);
    return { records };
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    return { records, fault: [error.place.line, error.fault] };
  }
}

const FAULTS: ReadonlyMap<string, string> = new Map([
  ["CSV_QUOTE_NOT_CLOSED", "a quote in this row is never closed, as if the file were cut off"],
  ["CSV_INVALID_CLOSING_QUOTE", "text follows a closing quote; write a quote inside a cell twice"],
  ["INVALID_OPENING_QUOTE", "an unquoted cell contains a quote; quote the whole cell"],
  ["CSV_MAX_RECORD_SIZE", "a row is larger than 64 MiB, as if a quote were never closed"],
]);

/** What csv-parse reads, with the lines that follow from its records and its count of blank lines. */
function parsed(text: string, { delimiter, largest }: Options): Read {
  const records: CsvRecord[] = [];
  let next = 1;
  let blank = 0;
  const skipTo = (blankNow: number) => {
    next += blankNow - blank;
    blank = blankNow;
  };
  const options = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    // It sees that there is too much when one byte more comes.
    max_record_size: largest - 1,
    on_record: (cells: string[], { empty_lines }: Info) => {
      skipTo(empty_lines);
      records.push({ cells, line: next });
      next += cells.reduce((lines, cell) => lines + cell.split(/\r\n|\n|\r/).length - 1, 1);
      return cells;
    },
  };
  try {
    parse(text.replace(/^\uFEFF/, ""), options);
    return { records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    skipTo(Number(error["empty_lines"]));
    return { records, fault: [next, FAULTS.get(error.code) ?? error.code] };
  }
}

const DELIMITERS = [",", ";", "\t", "|", "é", "€"];

const cell = fc.string({
  unit: fc.constantFrom("a", "b", " ", "0", "é", "€", "è", "😀", "\uFEFF", ",", ";", "\n", "\r", '"'),
});
const plain = fc.string({ unit: fc.constantFrom("a", " ", "1", "ê", "漢", "😀"), maxLength: 6 });
const quoted = cell.map((text) => `"${text.replaceAll('"', '""')}"`);
const long = fc
  .tuple(fc.nat({ max: 3_000 }), fc.constantFrom("x", "é", "😀", "\r\n", '""', ","))
  .map(([count, unit]) => `"${unit.repeat(count)}"`);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

/** A table as programs write it: rows of any number of cells, blank lines, and line ends that differ. */
const written = (delimiter: string) =>
  fc
    .array(
      fc.tuple(
        fc.array(
          fc.oneof({ arbitrary: plain, weight: 4 }, { arbitrary: quoted, weight: 4 }, { arbitrary: long, weight: 1 }),
          { maxLength: 5 },
        ),
        lineEnd,
      ),
      { maxLength: 8 },
    )
    .map((rows) => rows.map(([cells, end]) => cells.join(delimiter) + end).join(""));

/** Such a table with something in it that may stand at the wrong place, or cut off. */
const broken = (delimiter: string) =>
  fc
    .tuple(
      written(delimiter),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('"', "\r", "\n", "a", "\uFEFF", ""))),
      fc.nat(),
    )
    .map(([text, marks, end]) => {
      const cut = end % 3 === 0 ? text.slice(0, end % (text.length + 1)) : text;
      return marks.reduce((all, [at, mark]) => {
        const place = at % (all.length + 1);
        return all.slice(0, place) + mark + all.slice(place);
      }, cut.toWellFormed());
    });

const noise = (delimiter: string) =>
  fc.string({
    unit: fc.constantFrom('"', '""', delimiter, "\n", "\r", "\r\n", "a", "é", "😀", "\uFEFF"),
    maxLength: 40,
  });

const cases = fc.constantFrom(...DELIMITERS).chain((delimiter) =>
  fc.record({
    text: fc.oneof(written(delimiter), broken(delimiter), noise(delimiter)),
    delimiter: fc.constant(delimiter),
    blockBytes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1024 * 1024)),
    largest: fc.oneof(fc.integer({ min: 2, max: 60 }), fc.constant(64 * 1024 * 1024)),
  }),
);

test("records, their lines and errors are those that csv-parse has, wherever the blocks of the file end", () => {
  fc.assert(
    fc.property(cases, ({ text, blockBytes, ...options }) => {
      expect(scan(text.toWellFormed(), blockBytes, options)).toEqual(parsed(text.toWellFormed(), options));
    }),
  );
});

test("a NUL is an error, behind records that are read", () => {
  fc.assert(
    fc.property(cases, fc.nat(), ({ text, blockBytes, ...options }, at) => {
      const start = `ab${text}`.toWellFormed();
      const place = 2 + (at % (start.length - 1));
      const all = parsed(start, options);
      const read = scan(`${start.slice(0, place)}\0${start.slice(place)}`.toWellFormed(), blockBytes, options);
      expect(read.fault).toBeDefined();
      const { length } = read.records;
      expect(read.records).toEqual(all.records.slice(0, length));
    }),
  );
});
