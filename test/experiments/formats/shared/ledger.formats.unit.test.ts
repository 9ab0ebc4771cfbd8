import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonList, isJsonObject, type JsonValue, writeJsonValue } from "../../../../src/files/json/value.ts";
import { decodeJson } from "../../../../src/files/json/parsed-value.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { FORMAT_NAMES, type FormatName } from "../../../../src/experiments/format-names.ts";
import { formatNamed } from "../../../../src/experiments/reading/formats.ts";
import { readAll } from "../reading.ts";
import { FIXTURES, storedFile } from "../stored-file.ts";
import "../../../property-runs.ts";

/** Files of each format, as tools wrote them: all of its forms. A new format has to be added here. */
const FILES: Readonly<Record<FormatName, readonly string[]>> = {
  native: ["native/experiment.json"],
  "native-jsonl": ["native-jsonl/with-header.jsonl"],
  promptfoo: ["promptfoo/promptfoo.json", "promptfoo/promptfoo.jsonl", "promptfoo/promptfoo.csv"],
  deepeval: ["deepeval/latest_run_full.json", "deepeval/latest_test_run.json", "deepeval/result.json"],
  inspect: ["inspect/old-breaks.json"],
  "ragas-csv": ["ragas-csv/ragas.csv"],
  csv: ["csv/names.csv"],
  jsonl: ["jsonl/names.jsonl"],
  evalite: ["evalite/evalite.json"],
  vitest: ["vitest/vitest-evals.json"],
  jest: ["jest/jest.json"],
  junit: ["junit/pytest-scores.xml", "junit/vitest.xml"],
  braintrust: ["braintrust/braintrust.json", "braintrust/events.json", "braintrust/events.jsonl"],
  "openai-evals": ["openai-evals/evals.jsonl"],
  "pydantic-evals": ["pydantic-evals/report.json"],
  langfuse: ["langfuse/result.json", "langfuse-exports/result-1.json", "langfuse-exports/traces-1.csv"],
  opik: ["opik/result.json", "opik/items.jsonl", "opik/page.json"],
  "lm-eval": ["lm-eval/samples_capitals-1.jsonl"],
  bedrock: ["bedrock/judge.jsonl", "bedrock/retrieval.jsonl"],
  "openai-eval-items": ["openai-eval-items/page.json", "openai-eval-items/items.jsonl"],
  "azure-ai": ["azure-ai/result.json", "azure-ai/rows.jsonl"],
  "pytest-json": ["pytest-json/pytest.json"],
  phoenix: ["phoenix/experiment-1.json", "phoenix/experiment-1.csv"],
  "phoenix-evals": ["phoenix-evals/evals-1.jsonl", "phoenix-evals/evals-1.csv"],
  mlflow: ["mlflow/genai-1.jsonl", "mlflow/genai-1.csv"],
  weave: ["weave/calls-1.jsonl"],
  trulens: ["trulens/records-1.jsonl", "trulens/records-1.csv"],
};

const KEY = "unforeseen";
const VALUE = "found in no tool";
/** Formats of rows of any kind, which have no keys that they do not know. */
const TABLES: ReadonlySet<FormatName> = new Set(["csv", "jsonl", "ragas-csv", "phoenix-evals"]);
const SCORES: JsonValue = [{ name: "brief", score: 0.25 }];

/**
 * Levels of which only a text is made, or which the file has twice: there an unknown key is no loss, as what is around
 * it is read.
 */
const SAID_OTHERWISE: readonly (readonly [file: RegExp, level: RegExp])[] = [
  // Errors become a text.
  [/evalite|braintrust|pytest|openai-eval-items/, /(?:^|\.)(?:error|output)$/],
  // A case that is stated twice.
  [/langfuse/, /\.item\.(?:input|expected_output)$/],
  [/opik\/result/, /mapped_scoring_inputs$/],
  [/openai-eval-items/, /sample\.input$/],
  // What promptfoo keeps for itself.
  [/promptfoo/, /_promptfooFileMetadata$/],
  // Weights of scores and texts that nothing names, and counts that are no numbers.
  [/promptfoo/, /namedScoreWeights$/],
  [/inspect/, /samples\.(?:attachments|model_usage)$/],
  // The messages of a conversation, of which the calls are read.
  [/vitest/, /session\.events(?:\.content)?$/],
];

interface Text {
  readonly name: string;
  readonly text: string;
}

function textOf(name: string): Text {
  return { name, text: readFileSync(join(FIXTURES, name), "utf8") };
}

const SAMPLES = FORMAT_NAMES.flatMap((format) => {
  const texts = FILES[format].map(textOf);
  return texts.map(({ name, text }) => [format, name, text] as const);
});

test("each format has a sample", () => {
  expect(new Set(SAMPLES.map(([format]) => format))).toEqual(new Set(FORMAT_NAMES));
});

/** What a scorer of a user says besides its reason. */
const UNREAD: ReadonlyMap<string, readonly string[]> = new Map([
  ["evalite/evalite.json", ["evals.results.scores.metadata.characters"]],
]);

test.each(SAMPLES)("%s names nothing else as not read in %s", async (format, name, text) => {
  const { ledger, faults } = await readAll(formatNamed(format), storedFile(text, name));
  const unread = UNREAD.get(name) ?? [];
  expect({ unread: ledger.unread, scores: ledger.scores, faults }).toEqual({ unread, scores: [], faults: [] });
});

test.each(SAMPLES)(
  "%s loses no unknown key of any level of %s without a word",
  { tags: "slow" },
  async (format, name, text) => {
    const lost: string[] = [];
    for (const [level, changed] of withUnknown({ name, text })) {
      if (SAID_OTHERWISE.some(([file, levels]) => file.test(name) && levels.test(level))) continue;
      if (!(await isTold(format, { name, text: changed }, level))) lost.push(level);
    }
    expect(lost).toEqual([]);
  },
);

test(
  "each level of which something is said otherwise is one where an unknown key is lost",
  { tags: "slow" },
  async () => {
    const needed = new Set<string>();
    for (const [format, name, text] of SAMPLES) {
      for (const [level, changed] of withUnknown({ name, text })) {
        const found = SAID_OTHERWISE.filter(([file, levels]) => file.test(name) && levels.test(level));
        if (found.length > 0 && !(await isTold(format, { name, text: changed }, level)))
          for (const each of found) needed.add(String(each));
      }
    }
    expect([...needed].toSorted()).toEqual(SAID_OTHERWISE.map(String).toSorted());
  },
);

// In tables all columns become something, and a key is not a record of its own elsewhere.
const SCORED = SAMPLES.filter(([format, name]) => /\.jsonl?$/.test(name) && !TABLES.has(format));

test.each(SCORED)(
  "%s warns of what looks like scores at any level of %s",
  { tags: "slow" },
  async (format, name, text) => {
    const silent: string[] = [];
    for (const [level, changed] of withUnknown({ name, text }, SCORES)) {
      const { ledger } = await readAll(formatNamed(format), storedFile(changed, name));
      const unread = ledger.unread.filter((key) => key.endsWith(KEY));
      if (unread.some((key) => !ledger.scores.includes(key))) silent.push(level);
    }
    expect(silent).toEqual([]);
  },
);

test("no key of any name is lost at any level of any sample", { tags: "slow" }, async () => {
  const anyName = fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "0", "a.b", "Scores", "toString"));
  const anySample = fc.constantFrom(...SCORED);
  await fc.assert(
    fc.asyncProperty(anySample, anyName, fc.nat(), async ([format, name, text], key, pick) => {
      const added = `${key}~`;
      const all = [...withUnknown({ name, text }, VALUE, added)];
      const [level, changed] = all[pick % all.length] ?? ["", text];
      if (SAID_OTHERWISE.some(([file, levels]) => file.test(name) && levels.test(level))) return;
      expect({ level, isTold: await isTold(format, { name, text: changed }, level, added) }).toEqual({
        level,
        isTold: true,
      });
    }),
  );
});

/** True where the value is in a row or in the run, or where the key is named, or below what is left out on purpose. */
async function isTold(format: FormatName, { name, text }: Text, level: string, added = KEY): Promise<boolean> {
  try {
    const { rows, run, faults, warnings, columns, ledger } = await readAll(formatNamed(format), storedFile(text, name));
    const read = writeJsonValue(JSON.parse(JSON.stringify([rows, run])) as JsonValue);
    // What stands among scores by name is taken for one.
    if (faults.length > 0) return /(?:scores|labels|assertions)$/.test(level);
    // A name of what a user counts is sent as the name of a score.
    const told = [KEY, VALUE, JSON.stringify(added).slice(1, -1)];
    if ([read, columns, ...warnings].some((said) => told.some((text) => said.includes(text)))) return true;
    if (ledger.unread.some((unread) => unread === added || unread.endsWith(`.${added}`))) return true;
    const leftOut = ledger.leftOut.map(plain);
    return pathsOf(plain(`${level}.${added}`)).some((path) => leftOut.some((left) => path.startsWith(`${left}.`)));
  } catch (error) {
    // A file that is refused is told, too.
    if (error instanceof DataFileError) return true;
    throw error;
  }
}

/** The path of a key, and those without one of its parts, which may be a name that is data. */
function pathsOf(path: string): readonly string[] {
  const parts = path.split(".");
  return [parts, ...parts.map((_, at) => parts.toSpliced(at, 1))].map((each) => `${each.join(".")}.`);
}

/** Python's names and those of reports are one. */
function plain(level: string): string {
  return level.replaceAll("_", "").toLowerCase();
}

/** The text with an unknown key in all objects of one level, for each of its levels. */
function* withUnknown(
  { name, text }: Text,
  value: JsonValue = VALUE,
  added = KEY,
): Generator<readonly [level: string, text: string]> {
  if (name.endsWith(".csv")) {
    const [header = "", ...lines] = text.trimEnd().split(/\r?\n(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    yield ["", [`${header},${KEY}`, ...lines.map((line) => `${line},${VALUE}`)].join("\n")];
    return;
  }
  if (name.endsWith(".xml")) {
    for (const element of new Set([...text.matchAll(/<([a-z-]+)/g)].map(([, found = ""]) => found))) {
      yield [element, text.replaceAll(new RegExp(`<${element}(?=[ >/])`, "g"), `<${element} ${KEY}="${VALUE}"`)];
    }
    return;
  }
  const isLines = name.endsWith(".jsonl");
  const documents = isLines ? text.split("\n").filter((line) => line.trim() !== "") : [text];
  const values = documents.map((each) => decodeJson(Buffer.from(each)));
  for (const level of new Set(values.flatMap((each) => [...levelsOf(each)]))) {
    yield [level, values.map((each) => writeJsonValue(extended(each, level, [added, value]))).join("\n")];
  }
}

function* levelsOf(value: JsonValue, level = ""): Generator<string> {
  if (isJsonList(value)) for (const item of value) yield* levelsOf(item, level);
  if (!isJsonObject(value)) return;
  yield level;
  for (const [key, item] of Object.entries(value)) yield* levelsOf(item, level === "" ? key : `${level}.${key}`);
}

function extended(value: JsonValue, at: string, added: readonly [string, JsonValue], level = ""): JsonValue {
  if (isJsonList(value)) return value.map((item) => extended(item, at, added, level));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    return [key, extended(item, at, added, level === "" ? key : `${level}.${key}`)];
  });
  return Object.fromEntries(level === at ? [...entries, added] : entries);
}
