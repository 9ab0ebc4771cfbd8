import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { plainName } from "../../../../src/experiments/formats/table/column-names.ts";
import { ColumnRoles } from "../../../../src/experiments/formats/table/column-roles.ts";
import { PART_RULES } from "../../../../src/experiments/formats/table/part-rules.ts";
import { ColumnValues, kindOfJson, kindOfText } from "../../../../src/experiments/formats/table/column-sample.ts";
import type { JsonValue } from "../../../../src/files/json/value.ts";
import type { SeenColumn } from "../../../../src/experiments/rows/columns.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

/** The columns of a table: a cell of a CSV file for each, or some values of JSON. */
function decide(columns: Readonly<Record<string, JsonValue | readonly JsonValue[]>>, kindOf = kindOfText) {
  const samples = Object.entries(columns).map(([name, cells]) => {
    const values = new ColumnValues((value) => (typeof value === "string" ? kindOf(value) : kindOfJson(value)));
    for (const cell of Array.isArray(cells) ? cells : [cells]) values.add(cell as JsonValue);
    return values.sample(name);
  });
  return new ColumnRoles(samples);
}

function rolesOf(columns: Parameters<typeof decide>[0]): Readonly<Record<string, string>> {
  return Object.fromEntries(decide(columns).decided.map((column) => [column.name, roleText(column)]));
}

/** `inputs`, `score exact`, `metadata (inputs: question)` for what was passed over. */
function roleText({ role, passedOver }: SeenColumn): string {
  if (role === undefined) return "unread";
  const key = "key" in role && role.key !== undefined && role.part !== "metadata" ? ` ${role.key}` : "";
  const over = passedOver === undefined ? "" : ` (${passedOver.part}: ${passedOver.taken})`;
  return `${role.part}${key}${over}`;
}

/** A name as other people write it. */
function spellings(name: string): readonly string[] {
  const words = name.split(/[_.]/);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return [
    name,
    name.toUpperCase(),
    words.join(""),
    words.join("-"),
    words.join("."),
    words.map(capital).join(" "),
    words.map((word, index) => (index === 0 ? word : capital(word))).join(""),
    ` ${words.map(capital).join("")} `,
  ];
}

const CELL: Readonly<Record<string, string>> = {
  repetition: "0",
  start: "2026-05-04T10:00:00Z",
  end: "2026-05-04T10:00:00Z",
  latency: "1.5",
  cost: "0.01",
};

describe("a column", () => {
  it.each([
    ["counts six rows from 0", "zeile", ["0", "1", "2", "3", "4", "5"], "metadata"],
    ["counts six rows from 1", "zeile", ["1", "2", "3", "4", "5", "6"], "metadata"],
    ["counts few rows", "zeile", ["1", "2", "3"], "score zeile"],
    ["does not count", "zeile", ["1", "2", "3", "4", "5", "5"], "score zeile"],
    ["has the name of a score and counts", "stars", ["1", "2", "3", "4", "5", "6"], "score stars"],
  ])("that %s: %s of %j is %s", (_what, name, cells, role) => {
    expect(rolesOf({ input: "a", output: "b", [name]: cells })[name]).toBe(role);
  });

  const names = PART_RULES.flatMap((rule) => rule.names.map((name) => [rule.part, name] as const));
  // These have a meaning only beside others.
  const ofNames = names.filter(([part, name]) => part !== "expected" || !/^(?:answer|actual.*|label)$/.test(name));

  it.each(ofNames)("that is %s is known as %s, in every spelling", (part, name) => {
    for (const spelling of spellings(name)) {
      expect(rolesOf({ [spelling]: CELL[part] ?? "a text" })[spelling], spelling).toMatch(new RegExp(`^${part}`));
    }
  });

  it.each([
    ["inputs.question", "inputs question"],
    ["inputs.max_tokens", "inputs max_tokens"],
    ["doc.question", "inputs question"],
    ["reference.answer", "expected answer"],
    ["expected.answer", "expected answer"],
    ["expected_city", "expected"],
    ["outputs.answer", "outputs answer"],
    ["output_city", "outputs"],
    ["pred_city", "outputs"],
    ["answer", "outputs"],
    ["actual", "outputs"],
    ["metadata.kind", "metadata"],
    ["run_id", "metadata"],
    ["trace_id", "metadata"],
    ["anything", "metadata"],
    ["", "skipped"],
    ["Unnamed: 0", "skipped"],
  ])("that is called %j and holds texts is %s", (name, role) => {
    expect(rolesOf({ [name]: "a text" })[name]).toBe(role);
  });

  it.each([
    ["feedback.exact", "exact"],
    ["Feedback Exact", "Exact"],
    ["feedbackExact", "exact"],
    ["feedback_scores.exact", "exact"],
    ["feedback_scores.Answer Relevance", "Answer Relevance"],
    ["scores.exact", "exact"],
    ["score.exact", "exact"],
    ["metric_exact", "exact"],
    ["metricExact", "exact"],
    ["metrics.exact", "exact"],
    ["metrics.exact.mean", "exact.mean"],
    ["eval.exact.score", "exact"],
    ["eval_exact_score", "exact"],
    ["annotation_exact_score", "exact"],
    ["Annotation Exact Score", "Exact"],
    ["exact/score", "exact"],
    ["exact/v1/score", "exact"],
    ["exact/value", "exact"],
    ["exact.score", "exact"],
    ["outputs.exact.exact", "exact"],
    ["outputs.exact.exact_score", "exact"],
    ["score", "score"],
    ["Scores", "Scores"],
    ["exact", "exact"],
    ["f1_score", "f1_score"],
    ["output_relevance", "output_relevance"],
    ["metric_1", "metric_1"],
    // What somebody calls a score is one.
    ["scores.latency", "latency"],
    ["feedback.cost", "cost"],
  ])("that is called %s and holds numbers is the score %s", (name, key) => {
    for (const value of ["0.5", "1", 0.5, true, ["90 %", "12.5%"], ["0,9", "1"], ["yes", "no"]]) {
      expect(rolesOf({ [name]: value })[name], JSON.stringify(value)).toBe(`score ${key}`);
    }
  });

  it.each([
    ["prompt_tokens", "usage prompt_tokens"],
    ["Total Tokens", "usage Total Tokens"],
    ["totalTokens", "usage totalTokens"],
    ["token_count", "usage token_count"],
    ["tokenCount", "usage tokenCount"],
    ["llm.token_count.total", "usage llm.token_count.total"],
    ["usage.total_tokens", "usage total_tokens"],
    ["metrics.total_tokens", "usage metrics.total_tokens"],
    ["cost", "cost"],
    ["Total Cost", "cost"],
    ["prompt_cost", "metadata"],
    ["temperature", "metadata"],
    ["seed", "metadata"],
    ["random_seed", "metadata"],
    ["top_p", "metadata"],
    ["Ticket", "metadata"],
    ["ticket number", "metadata"],
    ["step", "metadata"],
    ["Fold", "metadata"],
    ["page", "metadata"],
    ["difficulty", "metadata"],
    ["page_quality", "score page_quality"],
    ["caseNo", "metadata"],
    ["topP", "metadata"],
    ["max_tokens", "metadata"],
    ["maxOutputTokens", "metadata"],
    ["row_index", "metadata"],
    ["idx", "metadata"],
    ["#", "metadata"],
    ["No.", "metadata"],
    ["num_retries", "metadata"],
    ["n_turns", "metadata"],
    ["index", "metadata"],
    ["line_number", "metadata"],
    ["user_id", "metadata"],
    ["year", "metadata"],
    ["retrieval_time", "metadata"],
    ["first_token_ms", "metadata"],
    ["created_at", "metadata"],
    ["timestamp", "metadata"],
    ["label", "metadata"],
    ["execution_time", "latency"],
    ["latency", "latency"],
    ["latency_ms", "latency"],
    ["Latency (s)", "latency"],
    ["durationMs", "latency"],
    ["duration_p95", "metadata"],
    ["latency_judge", "metadata"],
    ["metrics.latency", "metadata"],
    ["start", "metadata"],
    ["error", "metadata"],
    ["", "skipped"],
    ["Unnamed: 0", "skipped"],
  ])("that is called %j is never a score: with numbers it is %s", (name, role) => {
    expect(rolesOf({ [name]: ["7", "12"] })[name]).toBe(role);
    expect(rolesOf({ [name]: [7, 12.5] })[name]).toBe(role);
  });

  it.each([
    ["latency", 1_000],
    ["latency_s", 1_000],
    ["Latency (ms)", 1],
    ["duration_ms", 1],
    ["durationMs", 1],
    ["execution_time", 1_000],
    ["execution_time_ms", 1],
    ["elapsed_seconds", 1_000],
  ])("that is called %s is a time in units of %d ms", (name, unitMilliseconds) => {
    expect(decide({ [name]: "2" }).decided[0]?.role).toEqual({ part: "latency", unitMilliseconds });
  });

  it("of texts that is called as a score, a time or a count is metadata", () => {
    const texts = {
      score: "fine",
      latency: "low",
      tokens: "a b",
      trial: "first",
      cost: "low",
    };
    expect(new Set(Object.values(rolesOf(texts)))).toEqual(new Set(["metadata"]));
  });

  it("of texts that is called feedback holds the categories that somebody chose", () => {
    const { decided } = decide({ "feedback.tone": "short", feedbackKind: "long", "feedback.exact": "yes" });
    expect(decided.map(({ role }) => role)).toEqual([
      { part: "score", key: "tone", form: "category" },
      { part: "score", key: "kind", form: "category" },
      { part: "score", key: "exact", form: "word" },
    ]);
  });
});

describe("of two columns that can be one part", () => {
  it.each([
    [["prompt", "question"], { question: "inputs", prompt: "metadata (inputs: question)" }],
    [["doc", "task", "query"], { query: "inputs", doc: "metadata (inputs: query)", task: "metadata (inputs: query)" }],
    [["input", "question"], { input: "inputs", question: "metadata (inputs: input)" }],
    [["instruction", "input"], { instruction: "inputs", input: "inputs" }],
    [["reference", "ground_truth"], { reference: "expected", ground_truth: "metadata (expected: reference)" }],
    [
      ["expected", "expected_output"],
      { expected_output: "expected", expected: "metadata (expected: expected_output)" },
    ],
    [["question", "answer"], { question: "inputs", answer: "outputs" }],
    [["answer", "response"], { answer: "expected", response: "outputs" }],
    [["answer", "result"], { answer: "outputs", result: "metadata (outputs: answer)" }],
    [["answer", "output", "target"], { answer: "metadata (expected: target)", output: "outputs", target: "expected" }],
    [["actual", "expected"], { actual: "outputs", expected: "expected" }],
    [["actual", "predicted"], { actual: "expected", predicted: "outputs" }],
    [["label", "output"], { label: "expected", output: "outputs" }],
    [["label", "output", "explanation"], { label: "metadata", output: "outputs", explanation: "metadata" }],
    [["label", "text"], { label: "metadata", text: "metadata" }],
    [["id", "example_id"], { id: "metadata (id: example_id)", example_id: "id" }],
    [["id", "run_id", "trace_id"], { id: "id", run_id: "metadata", trace_id: "metadata" }],
    [["Question", "question"], { Question: "inputs", question: "metadata (inputs: Question)" }],
    [
      ["inputs.a", "inputs.b", "question"],
      { "inputs.a": "inputs a", "inputs.b": "inputs b", question: "metadata (inputs: inputs.a)" },
    ],
    [["error", "exception"], { error: "error", exception: "metadata (error: error)" }],
    [
      ["outputs.coherence.coherence_reason", "outputs.text"],
      { "outputs.coherence.coherence_reason": "outputs coherence.coherence_reason", "outputs.text": "outputs text" },
    ],
  ])("%j, one is taken and the other is reported", (names, roles) => {
    expect(rolesOf(Object.fromEntries(names.map((name) => [name, "a text"])))).toEqual(roles);
    expect(rolesOf(Object.fromEntries(names.toReversed().map((name) => [name, "a text"])))).toEqual(roles);
  });

  it.each([
    [
      { score: "1", scores: "0" },
      { score: "metadata (score: scores)", scores: "score scores" },
    ],
    [
      { score: 1, scores: { exact: 1 } },
      { score: "metadata (score: scores)", scores: "scores" },
    ],
    [
      { "feedback.exact": "1", "metrics.exact": "0" },
      { "feedback.exact": "score feedback.exact", "metrics.exact": "score metrics.exact" },
    ],
    [
      { exact: "1", "metrics.exact": "0" },
      { exact: "score exact", "metrics.exact": "score metrics.exact" },
    ],
    [
      { latency: "1", latency_ms: "1000" },
      { latency: "latency", latency_ms: "metadata (latency: latency)" },
    ],
    [
      { cost: "1", total_cost: "2" },
      { cost: "metadata (cost: total_cost)", total_cost: "cost" },
    ],
    [
      { label: "1", prediction: "0" },
      { label: "expected", prediction: "outputs" },
    ],
    [
      { label: "a", prediction: "0" },
      { label: "metadata", prediction: "outputs" },
    ],
    [
      { label: "correct", output: "a" },
      { label: "metadata", output: "outputs" },
    ],
    [
      { answer: "Paris", result: "pass" },
      { answer: "outputs", result: "score result" },
    ],
    [
      { expected: "Paris", result: "1" },
      { expected: "expected", result: "score result" },
    ],
    [
      { expected: "3", result: "4" },
      { expected: "expected", result: "outputs" },
    ],
    [
      { expected_total: "3", output_total: "4" },
      { expected_total: "expected", output_total: "outputs" },
    ],
    [
      {
        "outputs.answer": "Paris",
        "outputs.coherence.coherence": "4.0",
        "outputs.coherence.gpt_coherence": "4.0",
        "outputs.coherence.coherence_threshold": "3",
        "outputs.coherence.coherence_reason": "fine",
        "outputs.violence.violence": "Very low",
        "outputs.violence.violence_score": "0",
      },
      {
        "outputs.answer": "outputs answer",
        "outputs.coherence.coherence": "score coherence",
        "outputs.coherence.gpt_coherence": "metadata",
        "outputs.coherence.coherence_threshold": "metadata",
        "outputs.coherence.coherence_reason": "metadata",
        "outputs.violence.violence": "metadata",
        "outputs.violence.violence_score": "score violence",
      },
    ],
  ])("by what stands in them, %j", (columns, roles) => {
    expect(rolesOf(columns)).toEqual(roles);
  });

  it.each([
    ["scores", [{ exact: 1 }], "scores"],
    ["metrics", [{ exact: 1, tokens: 5 }], "scores"],
    ["metrics", [{ tokens: 5 }], "metadata"],
    ["evaluation", [{ exact: { score: 1, reason: "fine" } }], "scores"],
    ["evaluations", [[{ name: "exact", value: 1 }]], "scores"],
    ["annotations", [[{ name: "exact", score: 1, label: "good" }]], "scores"],
    ["results", [[{ metric: "exact", passed: true }]], "scores"],
    ["grades", [[{ key: "exact", score: 1 }]], "scores"],
    ["results", [["a", "b"]], "metadata"],
    ["evaluation", [{ comment: "fine" }], "metadata"],
    ["anything", [{ exact: 1 }], "metadata"],
  ])("%s with %j is %s", (name, values, role) => {
    expect(rolesOf({ [name]: values })[name]).toBe(role);
  });
});

describe("the roles of any columns", () => {
  const name = fc.oneof(
    fc.constantFrom(
      ...PART_RULES.flatMap(({ names }) => names),
      ...["scores", "feedback.exact", "metrics.exact", "exact", "total_tokens", "max_tokens", "year", "inputs.a"],
      ...["outputs.x.x", "outputs.x.y", "reference.a", "expected_x", "output_x", "pred_x", "metadata", "explanation"],
    ),
    fc.string({ maxLength: 12 }),
  );
  const cell = fc.constantFrom("1", "0", "0.5", "", "yes", "pass", "90 %", "0,9", "text", "true", "1777888800");
  const table = fc
    .uniqueArray(name, { minLength: 1, maxLength: 12 })
    .chain((names) => fc.tuple(...names.map((each) => fc.tuple(fc.constant(each), fc.array(cell, { maxLength: 4 })))));

  it("do not depend on the order of the columns", () => {
    fc.assert(
      fc.property(
        table.chain((columns) =>
          fc.tuple(fc.constant(columns), fc.shuffledSubarray(columns, { minLength: columns.length })),
        ),
        ([columns, shuffled]) => {
          expect(new Map(Object.entries(rolesOf(Object.fromEntries(shuffled))))).toEqual(
            new Map(Object.entries(rolesOf(Object.fromEntries(columns)))),
          );
        },
      ),
    );
  });

  it("lose no score and no column in silence, and give no score to two columns", () => {
    fc.assert(
      fc.property(table, (columns) => {
        const { decided } = decide(Object.fromEntries(columns));
        const keys = decided.flatMap(({ role }) => (role?.part === "score" ? [role.key] : []));
        expect(new Set(keys).size).toBe(keys.length);
        for (const { name: each, kind, role } of decided) {
          // Only a column without any value has no role.
          if (kind !== "nothing") expect(role, each).toBeDefined();
          if (role?.part === "score") expect(role.form, each).toBeDefined();
          const isNumber = role?.part === "score" && role.form !== "category";
          if (kind === "text" && isNumber) throw new Error(`the texts of ${each} are scores`);
        }
      }),
    );
  });

  it("leave the parts alone that were chosen, when columns begin later", () => {
    fc.assert(
      fc.property(table, table, (first, later) => {
        const columns = decide(Object.fromEntries(first));
        const before = columns.decided.map(roleText);
        const seen = new Set(first.map(([each]) => each));
        for (const [each, cells] of later) {
          if (seen.has(each)) continue;
          seen.add(each);
          const values = new ColumnValues((value) => (typeof value === "string" ? kindOfText(value) : "nothing"));
          for (const value of cells) values.add(value);
          const { role } = columns.late(values.sample(each));
          if (cells.some((value) => value !== "") && plainName(each) !== "") expect(role).toBeDefined();
        }
        expect(columns.decided.map(roleText)).toEqual(before);
      }),
    );
  });

  it("are found in the time of the names, whatever these are", () => {
    const long = ["_".repeat(100_000), "eval".repeat(50_000), `eval${"_a".repeat(100_000)}_`, "A".repeat(200_000)];
    const begin = performance.now();
    for (const each of long) rolesOf({ [each]: "1" });
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});

it("a table of numbers that are no scores, beside one that is, has one score", async () => {
  const text =
    "question,reference,response,exact,seed,total_tokens,total_cost,year,latency_ms\nq,a,b,1,42,12,0.1,2024,5\n";
  for (const [format, file] of [
    [csv, storedFile(text)],
    [
      jsonl,
      storedFile(
        '{"question":"q","reference":"a","response":"b","exact":1,"seed":42,"total_tokens":12,"total_cost":0.1,"year":2024,"latency_ms":5}',
      ),
    ],
  ] as const) {
    const { rows } = await readAll(format, file);
    expect(rows).toMatchObject([
      {
        inputs: "q",
        expected: "a",
        outputs: "b",
        scores: [{ key: "exact", value: 1 }],
        usage: { total_tokens: 12 },
        cost: 0.1,
        times: { milliseconds: 5 },
      },
    ]);
  }
});
