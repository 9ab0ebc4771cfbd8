import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ColumnKind, ColumnRole, TextVariety } from "../../../../src/experiments/rows/columns.ts";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { mappingLines, proposeMapping } from "../../../../src/experiments/formats/table/mapping-proposal.ts";
import { ColumnsError } from "../../../../src/experiments/errors.ts";
import { mappedPaths } from "../../../../src/experiments/rows/mapped-paths.ts";
import { parseMapping } from "../../../../src/experiments/rows/mapping.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const seen = (name: string, kind: ColumnKind, role?: ColumnRole) => ({ name, kind, role });

describe("the mapping that is proposed", () => {
  test("has no reason of a score as a category", () => {
    const inner = [
      { key: "correct", isText: false },
      { key: "explanation", isText: true },
      { key: "verdict", isText: true },
    ];
    const role: ColumnRole = { part: "scores" };
    const lines = proposeMapping([{ ...seen("evaluation", "object", role), inner }, seen("prediction", "text")]) ?? [];
    expect(lines).toContain("  correct: evaluation.correct");
    expect(lines).toContain("  verdict: { from: evaluation.verdict, kind: categorical }");
    expect(lines.join("\n")).not.toContain("explanation");
  });

  test("has what names tell, a guess at inputs and outputs, and the other columns as comments", () => {
    const columns = [
      seen("Ticket", "text", { part: "metadata", key: "Ticket" }),
      seen("Customer wrote", "text", { part: "metadata", key: "Customer wrote" }),
      seen("Should be", "text"),
      seen("Bot said", "text"),
      seen("Right?", "number", { part: "score", key: "Right?" }),
      seen("grade", "text", { part: "score", key: "grade" }),
      seen("latency_ms", "number", { part: "latency", unitMilliseconds: 1 }),
      seen("", "number", { part: "skipped" }),
      seen("Queue: no. 1", "text", { part: "metadata", key: "Queue: no. 1" }),
    ];
    expect(proposeMapping(columns)).toEqual([
      "inputs: Customer wrote",
      "expected: Should be",
      "outputs: Bot said",
      "scores:",
      "  Right?: Right?",
      "  grade: { from: grade, kind: categorical }",
      "latency_ms: latency_ms",
      "# not used; remove the # of what you need",
      "# metadata:",
      "#   Ticket: Ticket",
      "#   the column without a name",
      '#   "Queue: no. 1": "Queue: no. 1"',
    ]);
  });

  test.each([
    ["4711,Hi there,Hello,0.5\n4720,Stop,Done,1", false],
    ["98,Hi there,Hello,0.5\n100,Stop,Done,1", true],
    ["4711,Hi there,Hello,0.5\n4711,Stop,Done,1", true],
  ])("has no score of numbers that only name the rows: %s", async (records, isScore) => {
    const file = storedFile(`Points,Customer wrote,Agent reply,Right?\n${records}\n`);
    const error: unknown = await readAll(csv, file).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ColumnsError);
    const lines = error instanceof ColumnsError ? error.mapping : [];
    expect(lines).toContain("  Right?: Right?");
    expect(lines?.includes("  Points: Points")).toBe(isScore);
    expect(lines?.includes("#   Points: Points")).toBe(!isScore);
  });

  const [INPUTS, OUTPUTS, SCORES] = [
    "inputs: # which column holds the question?",
    "outputs: # which column holds the answer?",
    "scores: # which columns hold the scores?",
  ];
  const score: ColumnRole = { part: "score", key: "s" };

  test.each<[string, readonly (ReturnType<typeof seen> & { texts?: TextVariety })[], readonly string[]]>([
    [
      "texts whose names say nothing",
      [seen("a", "number"), { ...seen("b", "text"), texts: "distinct" }],
      [INPUTS, OUTPUTS, SCORES],
    ],
    ["numbers", ["a", "b"].map((name) => seen(name, "number")), [INPUTS, SCORES]],
    [
      "one text for all rows",
      [{ ...seen("source text", "text"), texts: "constant" }, seen("s", "number", score)],
      [INPUTS, "scores:", "  s: s"],
    ],
    [
      "categories where questions should be",
      [{ ...seen("task", "text"), texts: "repeated" }, seen("s", "number", score)],
      [INPUTS, "scores:", "  s: s"],
    ],
    [
      "the name of what an answer is from",
      [seen("question", "text"), { ...seen("answer model", "text"), texts: "repeated" }],
      ["inputs: question", SCORES],
    ],
    [
      "numbers only",
      [seen("question", "text"), seen("tstamp", "number", { ...score, grade: "number" })],
      [
        "scores: # which columns hold the scores? remove the # of those that do",
        "#  tstamp: tstamp",
        "inputs: question",
      ],
    ],
    [
      "the key of a column",
      [seen("question", "text"), seen("n", "number", { ...score, grade: "key" })],
      ["inputs: question", SCORES],
    ],
    [
      "numbers that are fractions",
      [seen("question", "text"), seen("n", "number", { ...score, grade: "values" })],
      ["inputs: question", "scores:", '  s: "n"'],
    ],
    [
      "explanations under the name of a score",
      [seen("question", "text"), { ...seen("score", "text", score), texts: "distinct" }],
      ["inputs: question", OUTPUTS, SCORES],
    ],
    [
      "words of a judge",
      [seen("question", "text"), { ...seen("score", "text", score), texts: "repeated" }],
      ["inputs: question", "scores:", "  s: { from: score, kind: categorical }"],
    ],
  ])("has only roles with evidence: %s", (_what, columns, expected) => {
    const lines = proposeMapping(columns) ?? [];
    const end = lines.findIndex((line) => /^# (?! )/.test(line));
    expect((end < 0 ? lines : lines.slice(0, end)).toSorted()).toEqual(expected.toSorted());
  });

  test("is none where there is no value", () => {
    expect(proposeMapping([seen("a", "nothing")])).toBeUndefined();
  });

  test("writes a key for each of several columns, and a key that stands twice as the whole name", () => {
    const noted = (name: string, key: string): { name: string; role: ColumnRole } => {
      return { name, role: { part: "score", key } };
    };
    const columns = [
      { name: "inputs.q", role: { part: "inputs", key: "q" } },
      { name: "ctx", role: { part: "inputs", key: undefined } },
      noted("scores.a", "a"),
      noted("metric.a", "a"),
    ] as const;
    expect(mappingLines(columns, [])).toEqual([
      "inputs:",
      "  q: inputs.q",
      "  ctx: ctx",
      "scores:",
      "  a: scores.a",
      "  metric.a: metric.a",
    ]);
  });

  test("counts the columns that are too many to be read", () => {
    const columns = Array.from({ length: 1_000 }, (_, index) => seen(`c${String(index)}`, "text"));
    const lines = proposeMapping(columns) ?? [];
    expect(lines).toHaveLength(105);
    expect(lines.at(-1)).toBe("# and 900 more");
  });

  test("names no expression of a workflow", () => {
    const name = "${{ secrets.KEY }}";
    const lines = proposeMapping([seen(name, "text", { part: "inputs", key: undefined })]);
    expect(lines?.[1]).toBe('inputs: "\\u0024{{ secrets.KEY }}"');
  });

  test("is read back with exactly the names of the columns, whatever they are", { tags: "slow" }, async () => {
    const role = fc.constantFrom<ColumnRole | undefined>(
      undefined,
      { part: "inputs", key: undefined },
      { part: "outputs", key: "a" },
      { part: "score", key: "b" },
      { part: "id" },
      { part: "metadata", key: "c" },
    );
    const kind = fc.constantFrom<ColumnKind>("text", "number", "object", "mixed", "nothing");
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("yes", "a: b", "# x", "- a", "{a", "'", "a\nb", "1", "~"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ name, kind, role }), { selector: ({ name: it }) => it, maxLength: 12 }),
        async (columns) => {
          const lines = proposeMapping(columns);
          if (lines === undefined) return;
          expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
          const isOpen = (line: string) => line.includes(": # which");
          if (lines.some(isOpen)) expect(await parseMapping(lines.join("\n"))).toMatchObject({ ok: false });
          const filled = lines.map((line) => (line === INPUTS ? "inputs: filled" : isOpen(line) ? "" : line));
          const reading = await parseMapping(filled.join("\n"));
          if (!reading.ok) throw new Error(`${reading.faults.join()}\n${lines.join("\n")}`);
          const names = new Set([...columns.map((column) => column.name), "filled"]);
          for (const { name } of mappedPaths(reading.mapping)) expect(names).toContain(name);
        },
      ),
    );
  });
});
