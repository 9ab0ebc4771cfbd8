import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

type Columns = Readonly<Record<string, readonly string[]>>;

/** The rows of a table with these columns, and how the log says that they were read. */
async function read(columns: Columns) {
  const names = Object.keys(columns);
  const count = Math.max(...Object.values(columns).map((cells) => cells.length));
  const lines = Array.from({ length: count }, (_, row) => names.map((name) => columns[name]?.[row] ?? "").join(","));
  return await readAll(csv, storedFile(`${[names.join(","), ...lines].join("\n")}\n`));
}

const QUESTIONS = ["q1", "q2", "q3", "q4", "q5", "q6"];
const TEXTS = ["The Seine", "Eight", "Saturn", "Water", "Schiller", "Mercury"];
const GOLD = ["Seine", "8", "Jupiter", "water", "Goethe", "mercury"];
const SCORES = ["1", "0", "1", "0.5", "0", "1"];

const OUTPUTS = ["model", "llm", "bot", "generated", "final", "predicted", "actual"];
const EXPECTED = ["correct", "right", "gold", "true", "ground_truth", "reference", "expected", "ideal"];
const WHAT = ["answer", "response", "output", "text", "reply"];
const plural = (word: string) => `${word}s`;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const SPELLINGS: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one}_${other}`,
  (one, other) => `${one} ${other}`,
  (one, other) => `${capital(one)} ${other}`,
  (one, other) => `${one}${capital(other)}`,
  (one, other) => `${one}-${other}`.toUpperCase(),
];

test(
  "composed names are the output and the expected output, in any spelling and in any order",
  { tags: "slow" },
  async () => {
    const spelled = (owners: readonly string[], texts: readonly string[]) =>
      fc
        .tuple(fc.constantFrom(...owners), fc.constantFrom(...texts), fc.constantFrom(...SPELLINGS))
        .map(([owner, text, spelling]) => spelling(owner, text));
    await fc.assert(
      fc.asyncProperty(
        spelled(OUTPUTS, WHAT),
        spelled(EXPECTED, [...WHAT, ...WHAT.map(plural)]),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (output, expected, order) => {
          const columns = [
            ["question", QUESTIONS],
            [output, TEXTS],
            [expected, GOLD],
            ["score", SCORES],
          ] as const;
          const shuffled = columns
            .map((column) => [column, order.next().value ?? 0] as const)
            .toSorted(([, a], [, b]) => a - b);
          const { rows } = await read(Object.fromEntries(shuffled.map(([column]) => column)));
          expect(rows.map((row) => [row.inputs, row.outputs, row.expected])).toEqual(
            QUESTIONS.map((question, row) => [question, TEXTS[row], GOLD[row]]),
          );
        },
      ),
      { numRuns: propertyRuns(1) },
    );
  },
);

describe("of two candidates for the expected output", () => {
  test("the one is taken whose values contain those of the output, and the log names the other", async () => {
    const { rows, columns } = await read({
      question: QUESTIONS,
      answer: TEXTS,
      label: ["0", "0", "1", "0", "1", "1"],
      predicted: ["0", "1", "1", "0", "1", "0"],
    });
    expect(rows.map((row) => [row.outputs, row.expected])).toEqual([
      ["0", "0"],
      ["1", "0"],
      ["1", "1"],
      ["0", "0"],
      ["1", "1"],
      ["0", "1"],
    ]);
    expect(columns).toContain("`answer` (`label` was preferred)");
  });

  test("the name decides where neither has them, and a sure name always", async () => {
    const { rows } = await read({ question: QUESTIONS, response: TEXTS, answer: GOLD, label: ["a", "b"] });
    expect(rows.map(({ expected }) => expected)).toEqual(GOLD);
    const sure = await read({ question: QUESTIONS, predicted: ["a", "b"], expected: ["c", "d"], label: ["a", "b"] });
    expect(sure.rows[0]?.expected).toBe("c");
  });

  test.each([
    ["target", ["Bonn", "Rome", "Bonn", "Oslo", "Rome", "Bonn"], "label"],
    ["reference", QUESTIONS.map((_, at) => `https://example.org/${String(at)}`), "ground_truth"],
    ["target", ["de", "fr", "de", "de", "fr", "de"], "correct_answer"],
    ["reference_answer", TEXTS, "gold_text"],
  ])("a `%s` of %j is none beside `%s`", async (name, cells, meant) => {
    const classes = ["For", "Against", "Neither", "For", "Against", "Neither"];
    const output = ["for", "against", "neither", "neither", "for", "against"];
    const { rows, columns } = await read({ question: QUESTIONS, [name]: cells, [meant]: classes, prediction: output });
    expect(rows.map(({ expected }) => expected)).toEqual(classes);
    expect(columns).toContain(`\`${name}\` (\`${meant}\` was preferred)`);
    const texts = await read({ question: QUESTIONS, [name]: cells, [meant]: GOLD, prediction: TEXTS });
    expect(texts.rows[0]?.expected).toBe(name === "reference_answer" ? "The Seine" : cells[0]);
  });

  test("verdicts take nothing away from another column", async () => {
    const bits = ["1", "0", "1", "1", "0", "0"];
    const { rows } = await read({ question: QUESTIONS, ground_truth: GOLD, correct_answer: bits, prediction: bits });
    expect(rows[0]?.expected).toBe("Seine");
  });

  test("whatever the classes are, and wherever the columns stand", async () => {
    const classes = fc.uniqueArray(fc.constantFrom("A", "B", "C", "spam", "ham", "1", "2", "7"), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(classes, fc.infiniteStream(fc.nat(1e6)), async (kinds, random) => {
        const any = () => kinds[(random.next().value ?? 0) % kinds.length] ?? "";
        // Each class was expected at least once.
        const labels = [...kinds, ...Array.from({ length: 10 }, any)];
        const predicted = labels.map(any);
        // Numbers alone may be scores beside classes of which some are words.
        const isWord = (text: string) => !/^\d$/.test(text);
        fc.pre(predicted.some(isWord) === labels.some(isWord));
        const columns: [string, readonly string[]][] = [
          ["question", labels.map((_, at) => `q${String(at)}`)],
          ["answer", labels.map((_, at) => `A text ${String(at)}.`)],
          ["label", labels],
          ["predicted", predicted],
        ];
        const turn = (random.next().value ?? 0) % columns.length;
        const { rows } = await read(Object.fromEntries([...columns.slice(turn), ...columns.slice(0, turn)]));
        expect(rows.map((row) => [row.outputs, row.expected])).toEqual(predicted.map((one, at) => [one, labels[at]]));
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });
});

describe("a name that may mean two things", () => {
  test("is the expected output beside `predicted_…` of the same, and else the output", async () => {
    const pair = await read({ question: QUESTIONS, actual_text: GOLD, predicted_text: TEXTS });
    expect([pair.rows[0]?.outputs, pair.rows[0]?.expected]).toEqual(["The Seine", "Seine"]);
    const alone = await read({ question: QUESTIONS, actual_text: TEXTS, gold: GOLD });
    expect([alone.rows[0]?.outputs, alone.rows[0]?.expected]).toEqual(["The Seine", "Seine"]);
  });

  test.each([
    ["correct_answer", ["True", "False", "True"]],
    ["right_answer", ["1", "0", "1"]],
    ["correct_response", ["yes", "no", "no"]],
  ])("is a verdict beside an output with other values: `%s` of %j", async (name, cells) => {
    const { rows } = await read({ question: QUESTIONS.slice(0, 3), answer: TEXTS, [name]: cells });
    expect(rows[0]?.expected).toBeUndefined();
    expect(rows[0]?.scores.map(({ key }) => key)).toEqual([name]);
  });

  test("is what is expected where the output is a verdict, too", async () => {
    const { rows } = await read({
      question: QUESTIONS,
      answer: ["yes", "no", "no"],
      correct_answer: ["yes", "yes", "no"],
    });
    expect(rows[1]?.expected).toBe("yes");
  });

  test("is a verdict where there is no output, and a number in a record with the sums", async () => {
    const { rows } = await read({ question: QUESTIONS.slice(0, 2), correct_answer: ["1", "0"] });
    expect([rows[0]?.expected, rows[0]?.scores.map(({ key }) => key)]).toEqual([undefined, ["correct_answer"]]);
    const lines = ['{"input":"a","output":"b","exact":1}', '{"total":1,"correct_answers":1}'];
    const summed = await readAll(jsonl, storedFile(lines.join("\n")));
    expect([summed.rows.length, summed.faults]).toEqual([1, []]);
    expect(summed.warnings[0]).toContain("line 2: a record with `total` and `correct_answers` has no inputs");
  });

  test("is not taken for what it may be the opposite of", async () => {
    const actual = await read({ question: QUESTIONS, answer: TEXTS, actual_answer: GOLD });
    expect([actual.rows[0]?.outputs, actual.rows[0]?.expected]).toEqual(["The Seine", undefined]);
    const final = await read({ question: QUESTIONS, answer: TEXTS, final_answer: GOLD });
    expect([final.rows[0]?.outputs, final.rows[0]?.expected]).toEqual(["Seine", undefined]);
    const output = await read({ question: QUESTIONS, actual_output: TEXTS, output: GOLD });
    expect(output.rows[0]?.outputs).toBe("Seine");
  });

  test("reads all fields that were expected and predicted, also those called as a fact of a row", async () => {
    const dates = QUESTIONS.map((_, at) => `May ${String(at + 1)}`);
    const { rows } = await read({
      question: QUESTIONS,
      expected_city: GOLD,
      expected_date: dates,
      expected_signed_by: TEXTS,
      predicted_city: TEXTS,
      predicted_date: dates,
      predicted_at: dates,
      predicted_cost: ["1", "2", "1", "1", "1", "1"],
      predicted_relevance: ["0.5", "1", "0", "1", "1", "0"],
    });
    expect(rows[0]?.expected).toEqual({
      expected_city: "Seine",
      expected_date: "May 1",
      expected_signed_by: "The Seine",
    });
    expect(rows[0]?.outputs).toEqual({ predicted_city: "The Seine", predicted_date: "May 1" });
    expect(rows[0]?.scores.map(({ key }) => key)).toEqual(["predicted_relevance"]);
    const whole = await read({ question: QUESTIONS, predicted_city: TEXTS, response: GOLD });
    expect(whole.rows[0]?.outputs).toBe("Seine");
  });

  test("is the output beside `expected_…` of the same, also with verdicts, and else metadata", async () => {
    const verdicts = ["yes", "no", "no", "yes", "yes", "no"];
    const pair = await read({ question: QUESTIONS, expected_verdict: verdicts, actual_verdict: verdicts.toReversed() });
    expect([pair.rows[0]?.outputs, pair.rows[0]?.expected]).toEqual(["no", "yes"]);
    const alone = await read({ question: QUESTIONS, actual_budget: TEXTS, score: SCORES });
    expect([alone.rows[0]?.outputs, alone.rows[0]?.metadata]).toEqual([undefined, { actual_budget: "The Seine" }]);
  });

  test.each(["pred", "preds", "Pred"])("is the output where it is `%s`", async (name) => {
    const { rows } = await read({ question: QUESTIONS, gold: GOLD, [name]: TEXTS, f1: SCORES });
    expect([rows[0]?.outputs, rows[0]?.expected]).toEqual(["The Seine", "Seine"]);
  });

  test("keeps all parts of what is expected", async () => {
    const { rows } = await read({ question: QUESTIONS, answer: TEXTS, expected_answer: GOLD, expected_city: TEXTS });
    expect(rows[0]?.expected).toEqual({ expected_answer: "Seine", expected_city: "The Seine" });
  });
});
