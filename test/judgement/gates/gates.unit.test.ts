import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultText, GatesError } from "../../../src/judgement/gates/errors.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import {
  COUNTERS,
  OPERATORS,
  STATISTICS,
  type NamedMetric,
  type Vocabulary,
} from "../../../src/judgement/gates/rule.ts";
import { written } from "../../../src/judgement/cases/metric-key.ts";

const score: NamedMetric = { direction: "higher", kind: "bounded" };
const vocabulary: Vocabulary = {
  metrics: new Map<string, NamedMetric>([
    ["accuracy", score],
    ["tone", score],
    ["Answer Relevancy", score],
    ["latency", { direction: "lower", kind: "positive" }],
    ["cost", { direction: "lower", kind: "positive" }],
  ]),
  keys: new Set(["language", "tier", "difficulty"]),
  isEmpty: (filters) => filters.some(({ text }) => text === "DE"),
  valuesOf: () => ["de", "en"],
};

const read = (text: string) => Gates.parse(text).rules(vocabulary);

function faultsOf(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof GatesError) return error.faults.map(faultText);
    throw error;
  }
  return [];
}

describe("gates", () => {
  test.each([
    ["accuracy >= 0.9", { by: "number", operator: ">=", number: { value: 0.9, isRelative: false, isTime: false } }],
    ["accuracy>=90%", { by: "number", operator: ">=", number: { value: 0.9, isRelative: false, isTime: false } }],
    ["p95(latency) < 3s", { by: "number", operator: "<", number: { value: 3000, isRelative: false, isTime: true } }],
    ["accuracy drop <= 2pp", { by: "point", word: "drop", most: { value: 0.02, isRelative: false, isTime: false } }],
    ["latency rise <= 5%", { by: "point", word: "rise", most: { value: 0.05, isRelative: true, isTime: false } }],
    ["accuracy not regressed", { by: "not-regressed" }],
    [
      '"Answer Relevancy" not worse by 0.02',
      { by: "not-worse", margin: { value: 0.02, isRelative: false, isTime: false } },
    ],
    ["newly_failing = 0", { by: "number", operator: "=", number: { value: 0, isRelative: false, isTime: false } }],
  ])("read %s", (text, test) => {
    expect(read(text)).toMatchObject([{ text, line: 1, isWarning: false, test }]);
  });

  test("are one a line, with comments and empty lines between them", () => {
    const rules = read("# what must hold\n\naccuracy >= 0.9 # as last year\r\n  warn: tone not regressed\n");
    expect(rules.map(({ line, text, isWarning }) => [line, text, isWarning])).toEqual([
      [3, "accuracy >= 0.9", false],
      [4, "warn: tone not regressed", true],
    ]);
  });

  test("filter by metadata, with a text up to the comma or in quotes", () => {
    const [rule] = read('accuracy [language = de, tier != very free, difficulty >= 3, tier = "a, b"] >= 0.9');
    expect(rule?.filters).toEqual([
      { key: "language", operator: "=", text: "de" },
      { key: "tier", operator: "!=", text: "very free" },
      { key: "difficulty", operator: ">=", text: "3" },
      { key: "tier", operator: "=", text: "a, b" },
    ]);
  });

  test("take a quoted name for a metric, even that of a counter", () => {
    const named = { ...vocabulary, metrics: new Map([["errors", score]]) };
    expect(Gates.parse('"errors" >= 0.5').rules(named)[0]?.value).toEqual({
      of: "metric",
      metric: "errors",
      statistic: "mean",
    });
    expect(Gates.parse("errors = 0").rules(named)[0]?.value).toEqual({ of: "counter", counter: "errors" });
  });

  test("report all errors at once, each with a caret and what would be right", () => {
    expect(`\n${faultsOf(BROKEN).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      gates line 1: \`accuracy\` lacks its test
                     ^^^^^^^^  add a test, as in \`accuracy >= 0.9\`, \`accuracy drop <= 0.02\` or \`accuracy not regressed\`
      gates line 2: \`accuracy >= soon\` has an invalid number \`soon\`
                                 ^^^^  write 0.9, 90%, 3s, 250ms or $0.05
      gates line 3: \`accuracy == 0.9\` lacks \`>=\`, \`<=\`, \`=\`, \`>\` or \`<\`
                              ^^  \`==\` is written \`=\`
      gates line 4: \`avg(accuracy) >= 0.9\` has an unknown statistic \`avg\`
                     ^^^  there are mean, min, max, p50, p90, p95, p99, lower and upper
      gates line 5: \`accuracy not worse\` lacks its margin
                                  ^^^^^  as in \`accuracy not worse by 0.02\`; without one write \`accuracy not regressed\`
      gates line 6: \`accuracy not worse by 0\` has a margin of 0, which no result can rule out
                                           ^  as in \`accuracy not worse by 0.02\`
      gates line 7: \`accuracy not better\` has no test after \`not\`
                                  ^^^^^^  write \`accuracy not regressed\` or \`accuracy not worse by 0.02\`
      gates line 8: \`p95(latency) not regressed\` tests a change, and only that of a mean can be tested
                                  ^^^  write \`latency not regressed\`
      gates line 9: \`errors not regressed\` is a count, which can only be compared with a number
                            ^^^  write \`errors = 0\`
      gates line 10: \`accuracy droop <= 0.02\` has no test: \`droop\`
                               ^^^^^  did you mean \`drop\`?
      gates line 11: \`accuracy drop < 0.02\` lacks \`<=\`
                                    ^
      gates line 12: \`accuracy [language ~ de] >= 0.9\` lacks \`>=\`, \`<=\`, \`=\`, \`>\`, \`<\` or \`!=\`
                                         ^
      gates line 13: \`accuracy [difficulty >= hard] >= 0.9\` compares with \`hard\`, which is not a number
                                              ^^^^  write \`=\` or \`!=\` for a text
      gates line 14: \`accuracy [language = de >= 0.9\` lacks \`]\`, the closing bracket of the filter
                                              ^^
      gates line 15: \`"accuracy >= 0.9\` has a quoted name without its closing quote
                      ^
      gates line 16: \`accuracy >= 0.9 tone >= 0.8\` continues after its rule: \`tone\`
                                      ^^^^  write each rule on its own line
      gates line 17: \`>= 0.9\` lacks a metric or a counter
                      ^^
      gates line 18: \`accuracy drop <= -1\` has a negative number
                                       ^^  write the allowed loss as a positive number, such as 0.02
      gates line 19: \`accuracy >= 90 %\` continues after its rule: \`%\`
                                     ^  write \`90%\` without a space
      gates line 20: \`accuracy not worse by 2 pp\` continues after its rule: \`pp\`
                                              ^^  write \`2pp\` without a space
      gates line 21: \`accuracy not regressed warn\` continues after its rule: \`warn\`
                                             ^^^^  write \`warn:\` first, as in \`warn: accuracy not regressed\`
      gates line 22: \`warn accuracy not regressed\` has no test: \`accuracy\`
                           ^^^^^^^^  write \`warn:\` first, as in \`warn: accuracy not regressed\`
      gates line 23: \`latency p95 <= 2 sec\` has no test: \`p95\`
                              ^^^  write \`p95(latency)\`; the units are \`%\`, \`pp\`, \`ms\`, \`s\` and \`m\`
      gates line 24: \`"Answer Relevancy" p50 >= 0.9\` has no test: \`p50\`
                                         ^^^  write \`p50("Answer Relevancy")\`
      gates line 25: \`p95 latency <= 2s\` has no test: \`latency\`
                          ^^^^^^^  write \`p95(latency)\`
      gates line 26: \`newly failing = 0\` has no test: \`failing\`
                            ^^^^^^^  did you mean \`newly_failing\`?
      gates line 27: \`error rate <= 1%\` has no test: \`rate\`
                            ^^^^  did you mean \`error_rate\`?
      "
    `);
  });

  test("report names once all lines can be read", () => {
    expect(`\n${faultsOf(MISNAMED).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      gates line 1: \`acuracy >= 0.9\` does not name a metric or a counter
                     ^^^^^^^  did you mean \`accuracy\`? (there are accuracy, tone, "Answer Relevancy", latency, cost, rows, errors, error_rate and 7 more)
      gates line 2: \`accuracy [langauge = de] >= 0.9\` filters by a key that no case has
                               ^^^^^^^^  did you mean \`language\`? (there are language, tier and difficulty)
      gates line 3: \`latency drop <= 5%\` limits a drop, but lower is better for \`latency\`
                             ^^^^  write \`latency rise <= …\`
      gates line 4: \`accuracy rise <= 0.02\` limits a rise, but higher is better for \`accuracy\`
                              ^^^^  write \`accuracy drop <= …\`
      gates line 5: \`accuracy >= 3s\` has a unit of time, which its metric does not have
                              ^^  write the number alone, in the unit of \`accuracy\`
      gates line 6: \`p95(latency) <= 3\` has a time without a unit
                                  ^^  write 3s or 250ms
      gates line 7: \`latency not worse by 200ms\` is compared as a ratio
                             ^^^  write its margin in percent, as in \`latency not worse by 10%\`
      gates line 8: \`cost not worse by 0.1\` is compared as a ratio
                          ^^^  write its margin in percent, as in \`cost not worse by 10%\`
      gates line 9: \`errors <= 3s\` compares a count with a time
                            ^^  write \`errors = 0\`
      gates line 10: \`newly_failing <= 90%\` compares a count with a percentage
                                    ^^  write \`newly_failing = 0\`
      "
    `);
  });

  test("name each line in the message, and the number of the others", () => {
    expect(() => read("acuracy >= 0.9\ntne >= 1")).toThrow(
      /^The gates have 2 errors, the first in line 1: `acuracy >= 0\.9` does not name a metric or a counter; /,
    );
  });

  test("are no more than 200, in a text that is read in one piece", () => {
    expect(faultsOf("accuracy >= 0.9\n".repeat(201))).toEqual(["The gates have 201 rules; at most 200 are allowed"]);
    expect(faultsOf("#".repeat(70_000))).toEqual(["The gates have 70,000 characters; at most 65,536 are allowed"]);
    expect(() => read("accuracy >= 0.9\n".repeat(201))).toThrow(
      /^The gates have 201 rules; at most 200 are allowed\.$/,
    );
  });

  test("are read, or refused with faults, whatever the text", () => {
    const word = fc.constantFrom(
      "accuracy",
      "p95",
      "(",
      ")",
      "[",
      "]",
      ",",
      "=",
      ">=",
      "not",
      "worse",
      "by",
      "warn:",
      "0.9",
      '"',
      "#",
      "\\",
      "drop",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(text, (line) => {
        for (const fault of faultsOf(line)) expect(fault).toContain("gates line");
      }),
    );
  });

  test("mean what they were written from", () => {
    const metric = fc.constantFrom(...vocabulary.metrics.keys());
    const bound = fc.integer({ min: 1, max: 999 }).map((number) => number / 1000);
    const rule = fc.oneof(
      fc
        .record({
          name: metric,
          statistic: fc.constantFrom(...STATISTICS),
          operator: fc.constantFrom(...OPERATORS),
          bound,
        })
        .map(({ name, statistic, operator, bound: value }) => {
          const isTime = name === "latency";
          const text = `${statistic}(${written(name)}) ${operator} ${String(value)}${isTime ? "ms" : ""}`;
          return {
            text,
            value: { of: "metric", metric: name, statistic },
            test: { by: "number", operator, number: { value, isRelative: false, isTime } },
          };
        }),
      fc
        .record({ counter: fc.constantFrom(...COUNTERS), operator: fc.constantFrom(...OPERATORS), bound })
        .map(({ counter, operator, bound: value }) => ({
          text: `${counter} ${operator} ${String(value)}`,
          value: { of: "counter", counter },
          test: { by: "number", operator, number: { value, isRelative: false, isTime: false } },
        })),
    );
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), (rules) => {
        expect(read(rules.map(({ text }) => text).join("\n"))).toMatchObject(
          rules.map(({ value, test }) => ({ value, test })),
        );
      }),
    );
  });

  test("name a metric with any characters in quotes", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !/[\r\n]/.test(name)),
        (name) => {
          const named = { ...vocabulary, metrics: new Map([[name, score]]) };
          const text = COUNTERS.some((counter) => counter === name) ? `"${name}"` : written(name);
          expect(Gates.parse(`${text} not regressed`).rules(named)[0]?.value).toMatchObject({ metric: name });
        },
      ),
    );
  });
});

const BROKEN = `accuracy
accuracy >= soon
accuracy == 0.9
avg(accuracy) >= 0.9
accuracy not worse
accuracy not worse by 0
accuracy not better
p95(latency) not regressed
errors not regressed
accuracy droop <= 0.02
accuracy drop < 0.02
accuracy [language ~ de] >= 0.9
accuracy [difficulty >= hard] >= 0.9
accuracy [language = de >= 0.9
"accuracy >= 0.9
accuracy >= 0.9 tone >= 0.8
>= 0.9
accuracy drop <= -1
accuracy >= 90 %
accuracy not worse by 2 pp
accuracy not regressed warn
warn accuracy not regressed
latency p95 <= 2 sec
"Answer Relevancy" p50 >= 0.9
p95 latency <= 2s
newly failing = 0
error rate <= 1%`;

const MISNAMED = `acuracy >= 0.9
accuracy [langauge = de] >= 0.9
latency drop <= 5%
accuracy rise <= 0.02
accuracy >= 3s
p95(latency) <= 3
latency not worse by 200ms
cost not worse by 0.1
errors <= 3s
newly_failing <= 90%`;
