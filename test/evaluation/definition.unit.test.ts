import { expect, test } from "vitest";
import { definitionOf, readDefinition } from "../../src/evaluation/definition.ts";

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
  const { given, faults } = await readDefinition(WHOLE);
  expect(faults).toEqual([]);
  const read = definitionOf(given);
  expect(read.faults).toEqual([]);
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
  const { faults } = await readDefinition(
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
    ].join("\n"),
  );
  expect(faults).toEqual([
    "line 8: `scorers.correct` must be an object",
    "line 3: `trials` must be 1 or more",
    "line 5: `on-agent-error` must be zero or missing",
    "line 10: `prices.small.output` is missing",
    "line 6: `keep-state` must be true or false",
    "line 2: `scorer` is not a known key; did you mean `scorers`?",
    'line 4: `timeout` "soon" is not a valid duration (examples: 90s, 30m, 1.5h)',
  ]);
});

test("a file that is not YAML, or not a mapping, is an error", async () => {
  expect((await readDefinition("a: [")).faults.join()).toContain("is not valid YAML: line 1");
  expect((await readDefinition("- a")).faults).toEqual(["must be a YAML mapping, for example `dataset: cases.jsonl`"]);
});

test("a place in a file is named with its line, as its key is spelt there", async () => {
  const { place } = await readDefinition("timeout: 3s\nprices:\n  small: {}\n");
  expect(place(["timeoutMilliseconds"])).toBe("line 1: `timeout`");
  expect(place(["prices", "small", "input"])).toBe("line 3: `prices.small.input`");
});

test("what contradicts itself or cannot be read is named by its option", () => {
  const { definition, faults } = definitionOf({
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

test("a limit of the cost needs prices", () => {
  const { faults } = definitionOf({ maxCost: 1 });
  expect(faults).toEqual([{ path: ["maxCost"], message: "has no effect without `prices`" }]);
});
