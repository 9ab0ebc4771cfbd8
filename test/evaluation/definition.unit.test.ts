import { expect, test } from "vitest";
import { readDefinition } from "../../src/evaluation/definition.ts";

const WHOLE = `
# yaml-language-server: $schema=https://example.com/evaluation.schema.json
$schema: https://example.com/evaluation.schema.json
dataset: evaluation/cases.jsonl
dataset-name: support
graph: support
input: { messages: [{ role: user, content: $.question }] }
output: $.answer
scorers:
  correct: { equals: $.source }
trials: 3
timeout: 90s
deadline: 600
max-errors: 2
on-agent-error: missing
run: { config: { configurable: { seed: 12345678901234567890 } } }
max-cost: 0.50
prices: { small: { input: 0.10, output: 0.4 } }
filter:
  - metadata.topic = billing
  - metadata["a key"] = x = y
keep-state: true
`;

test("a file says what is asked, and the defaults stand for what it leaves out", async () => {
  const read = await readDefinition(WHOLE, {});
  expect(read).toMatchObject({ ofFile: [], faults: [] });
  expect(read.definition).toMatchObject({
    dataset: {
      path: "evaluation/cases.jsonl",
      name: "support",
      input: { messages: [{ role: "user", content: "$.question" }] },
      filter: [
        { path: { steps: ["metadata", "topic"] }, value: "billing" },
        { path: { steps: ["metadata", "a key"] }, value: "x = y" },
      ],
      limit: undefined,
    },
    graph: "support",
    output: { steps: ["answer"] },
    trials: 3,
    concurrency: 8,
    timeoutMilliseconds: 90_000,
    deadlineMilliseconds: 600_000,
    maxErrors: 2,
    retryErrors: 0,
    onAgentError: "missing",
    allowUnverified: false,
    maxCost: 0.5,
    prices: { small: { input: 0.1, output: 0.4 } },
    keepState: true,
  });
  expect(JSON.stringify(read.definition?.run)).toBe('{"config":{"configurable":{"seed":12345678901234567890}}}');
});

test("every error of a file is told with its line", async () => {
  const { ofFile, faults } = await readDefinition(
    [
      "dataset: cases.jsonl",
      "scorer: {}",
      "trials: 0",
      "timeout: soon",
      "on-agent-error: ignore",
      "keep-state: 'yes'",
      "scorers:",
      "  correct: exact",
      "prices:",
      "  small: { input: 1 }",
      "output: answer",
      "max-cost: 1",
      "filter: topic",
    ].join("\n"),
    { filter: "a = 1" },
  );
  expect(faults).toEqual([]);
  expect(ofFile).toEqual([
    "line 8: `scorers.correct` must be an object",
    "line 3: `trials` must be 1 or more",
    "line 5: `on-agent-error` must be zero or missing",
    "line 10: `prices.small.output` is missing",
    "line 6: `keep-state` must be true or false",
    "line 2: `scorer` is not a known key; did you mean `scorers`?",
    'line 4: `timeout` "soon" is not a valid duration (examples: 90s, 30m, 1.5h)',
    "line 12: `max-cost` has no effect without `prices`",
    'line 11: `output` "answer" is not a path (example: $.messages[-1].content)',
  ]);
});

test("a file that is not YAML, or not a mapping, is an error", async () => {
  expect((await readDefinition("a: [", {})).ofFile.join()).toContain("is not valid YAML: line 1");
  const { ofFile } = await readDefinition("- a", {});
  expect(ofFile).toEqual(["must be a YAML mapping, for example `dataset: cases.jsonl`"]);
});

test("what is given beside a file takes the place of its key, and its errors are those of the option", async () => {
  const file = "dataset: cases.jsonl\noutput: $.answer\nscorers:\n  exact:\n    equals: $.[\n";
  const { definition, ofFile, faults } = await readDefinition(file, { output: "answer" });
  expect(definition).toBeUndefined();
  expect(ofFile).toEqual(['line 5: `scorers.exact.equals` has "$.[", which is not a valid path']);
  expect(faults).toMatchObject([{ path: ["output"] }]);
  const own = { output: "$.other", scorers: {} };
  expect((await readDefinition(file, own)).definition).toMatchObject({ output: { text: "$.other" }, scorers: [] });
});

test("what contradicts itself or cannot be read is named by its option", async () => {
  const { definition, faults } = await readDefinition("", {
    output: "answer",
    maxCost: 1,
    filter: ["metadata.topic", "= billing"],
    run: ["a"],
    prices: { small: { input: "cheap", output: 1 } },
  });
  expect(definition).toBeUndefined();
  expect(faults.map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual([
    "run must be an object",
    "prices.small.input must be a number",
    'filter "metadata.topic" is not a condition (example: metadata.topic = billing)',
    'filter "= billing" is not a condition (example: metadata.topic = billing)',
    'output "answer" is not a path (example: $.messages[-1].content)',
  ]);
});

test("a limit of the cost needs prices", async () => {
  const { faults } = await readDefinition("", { maxCost: 1 });
  expect(faults).toEqual([{ path: ["maxCost"], message: "has no effect without `prices`" }]);
});
