import fc from "fast-check";
import { expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

/** A column of scores: its values are whole, halves, or have as many decimals as `decimals`. */
const column = fc.record({
  name: fc.constantFrom("correct", "rating", "quality", "overall_score", "recall"),
  scale: fc.constantFrom(1, 2, 5, 10, 100),
  decimals: fc.constantFrom(0, 0, 1, 2, 4),
});
const table = fc.record({
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  rows: fc.integer({ min: 2, max: 40 }),
  seed: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  isJson: fc.boolean(),
  hasOutputs: fc.boolean(),
});

type Cell = number | string | null;
interface Line {
  readonly input: string | null;
  readonly output: string | null;
  readonly values: readonly Cell[];
}

const NUMBER = (value: number, decimals: number) => Number(value.toFixed(decimals));

type Made = typeof table extends fc.Arbitrary<infer T> ? T : never;

function made({ columns, rows, seed, hasOutputs }: Made): readonly Line[] {
  return Array.from({ length: rows }, (_, at): Line => ({
    input: `question ${String(at)}`,
    output: hasOutputs ? `answer ${String(at)}` : null,
    values: columns.map(({ scale, decimals }) => NUMBER((seed.next().value ?? 0) * scale, decimals)),
  }));
}

function fileOf({ columns, isJson, hasOutputs }: Made, lines: readonly Line[]) {
  const names = ["input", ...(hasOutputs ? ["output"] : []), ...columns.map(({ name }) => name)];
  const cells = ({ input, output, values }: Line) => [input, ...(hasOutputs ? [output] : []), ...values];
  const text = isJson
    ? lines.map((line) => JSON.stringify(Object.fromEntries(cells(line).map((cell, at) => [names[at], cell]))))
    : [names, ...lines.map(cells)].map((line) => line.map((cell) => cell ?? "").join(","));
  return readAll(isJson ? jsonl : csv, storedFile(text.join("\n")));
}

/** The summary lines that an independent small reading knows. */
const SUMS: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  mean: (numbers) => sum(numbers) / numbers.length,
  median: (numbers) => {
    const sorted = numbers.toSorted((one, other) => one - other);
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  },
  sum,
  deviation: (numbers) => {
    const mean = sum(numbers) / numbers.length;
    return Math.sqrt(sum(numbers.map((number) => (number - mean) ** 2)) / numbers.length);
  },
};

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

const columnOf = (lines: readonly Line[], at: number) => lines.map(({ values }) => Number(values[at]));

test(
  "a line that sums up all columns by a number that no case has is none, wherever it stands and however it is rounded",
  { tags: "slow" },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(...Object.keys(SUMS)),
        fc.constantFrom(2, 3, 4, 12),
        fc.boolean(),
        fc.constantFrom(null, "Durchschnitt", "moyenne générale"),
        async (given, kind, digits, isFirst, label) => {
          const lines = made(given);
          const values = given.columns.map((_, at) => NUMBER(SUMS[kind]?.(columnOf(lines, at)) ?? 0, digits));
          const isNew = values.some((value, at) => {
            const numbers = columnOf(lines, at);
            return !numbers.includes(value) && new Set(numbers).size > 1;
          });
          fc.pre(isNew && (given.hasOutputs || label === null));
          const summary: Line = { input: label, output: null, values };
          const { rows, warnings, faults } = await fileOf(given, isFirst ? [summary, ...lines] : [...lines, summary]);
          expect(faults).toEqual([]);
          expect(rows.map(({ inputs }) => inputs)).toEqual(lines.map(({ input }) => input));
          const line = (isFirst ? 1 : lines.length + 1) + Number(!given.isJson);
          expect(warnings.filter((text) => text.includes("scores of the whole"))).toEqual([
            expect.stringContaining(`line ${String(line)}: `),
          ]);
        },
      ),
      { numRuns: 150 },
    );
  },
);

test(
  "a case without an output at an edge is left out only for a number that sums up and that no other has",
  { tags: "slow" },
  async () => {
    const seen = { made: 0, left: 0 };
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), async (given, isFirst) => {
        fc.pre(given.hasOutputs && given.rows > 2);
        const lines = made(given).map((line, at, all) => {
          return at === (isFirst ? 0 : all.length - 1) ? { ...line, output: null } : line;
        });
        const { rows, faults } = await fileOf(given, lines);
        expect(faults).toEqual([]);
        seen.made += 1;
        const inputs = rows.map((row) => row.inputs);
        const all = lines.map(({ input }) => input);
        if (inputs.length === all.length) {
          // In the order in which they stand.
          expect(inputs).toEqual(all);
          return;
        }
        seen.left += 1;
        const [edge] = lines.filter(({ output }) => output === null);
        const others = lines.filter((line) => line !== edge);
        expect(inputs).toEqual(others.map(({ input }) => input));
        const shows = given.columns.map((_, at) => {
          const [numbers, value] = [columnOf(others, at), Number(edge?.values[at])];
          return !numbers.includes(value) && new Set(numbers).size > 1;
        });
        expect(shows).toContain(true);
      }),
      { numRuns: 400 },
    );
    expect(seen.left / seen.made).toBeLessThan(0.05);
  },
);
