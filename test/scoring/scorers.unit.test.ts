import { describe, expect, test } from "vitest";
import type { ScoredRow } from "../../src/scoring/scorer.ts";
import { readScorers } from "../../src/scoring/scorers.ts";
import type { JsonObject, JsonValue } from "../../src/files/json/value.ts";
import { answered, scoreOf, scoring } from "./scoring.ts";

/** A score, `missing` or `broken`. */
async function judged(definition: JsonObject, row: Partial<ScoredRow>): Promise<number | string> {
  const score = await scoreOf(definition, answered(row));
  if ("score" in score) return score.score;
  return score.isBroken ? "broken" : "missing";
}

const search = { name: "search", args: { q: "a", limit: 3 } };
const book = { name: "book", args: { seat: "1A" } };

describe("a scorer that looks at the output", () => {
  test.for<[JsonObject, JsonValue | undefined, number | string]>([
    // right and wrong
    [{ equals: "yes" }, "yes", 1],
    [{ equals: "yes" }, "no", 0],
    [{ equals: "Yes  sir " }, "yes sir", 0],
    [{ equals: " Yes  sir ", trim: true, squeeze: true, "ignore-case": true }, "yes\n sir", 1],
    [{ equals: { a: 1, b: [true] } }, { b: [true], a: 1 }, 1],
    [{ equals: { a: 1 } }, { a: 1, b: 2 }, 0],
    [{ equals: { a: 1 } }, '{"a": 1.0}', 1],
    [{ equals: { a: 1 } }, "about one", 0],
    [{ equals: 42 }, "42", 1],
    [{ equals: "42" }, 42, 1],
    [{ equals: true }, "yes", 0],
    [{ equals: "hello" }, [{ type: "text", text: "hel" }, { type: "tool_use" }, { type: "text", text: "lo" }], 1],
    [{ "one-of": ["a", "b"] }, "b", 1],
    [{ "one-of": ["a", "b"] }, "c", 0],
    [{ "one-of": ["A", 7], "ignore-case": true }, "a", 1],
    [{ "contains-all": ["Rome", "Italy"] }, "Rome is in Italy", 1],
    [{ "contains-all": ["Rome", "Italy"] }, "Rome is in Lazio", 0.5],
    [{ "contains-all": ["Rome", "Italy"] }, "Paris", 0],
    [{ "contains-all": "rome", "ignore-case": true }, "ROME", 1],
    [{ "contains-any": ["Rome", "Italy"] }, "Rome is in Lazio", 1],
    [{ "contains-any": ["Rome", "Italy"] }, "Paris", 0],
    [{ "contains-none": ["Rome", "Italy"] }, "Paris", 1],
    [{ "contains-none": ["Rome", "Italy"] }, "Italy", 0],
    [{ "contains-all": [2026] }, "in 2026", 1],
    [{ matches: "/^\\d+ €$/" }, "12 €", 1],
    [{ matches: "/^\\d+ €$/" }, "about 12 €", 0],
    [{ "not-matches": "/\\brefund(ed)?\\b/i" }, "we gave no promise", 1],
    [{ "not-matches": "/\\brefund(ed)?\\b/i" }, "You are Refunded", 0],
    [{ number: 0.3, within: 0.1 }, 0.4, 1],
    [{ number: 0.3, within: 0.1 }, 0.41, 0],
    [{ number: 200, within: "1%" }, "198", 1],
    [{ number: 200, within: "1%" }, "197.9", 0],
    [{ number: -200, within: "1%" }, "-202", 1],
    [{ number: 3 }, " 3e0 ", 1],
    [{ number: 3 }, "three", 0],
    [{ number: 3 }, null, 0],
    [{ number: 0 }, "", 0],
    [{ equals: null }, null, 1],
    [{ equals: null }, "a", 0],
    [{ "json-schema": { type: "object", required: ["a"] } }, { a: 1 }, 1],
    [{ "json-schema": { type: "object", required: ["a"] } }, '{"a":1}', 1],
    [{ "json-schema": { type: "object", required: ["a"] } }, { b: 1 }, 0],
    [{ "json-schema": { type: "object" } }, "no JSON", 0],
    [{ "json-schema": { type: "string", maxLength: 3 } }, "abc", 1],
    [{ "json-schema": { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] } }, [1], 0],
    // empty
    [{ equals: "" }, "", 1],
    [{ "not-matches": "/a/" }, "", 1],
    [{ "contains-none": "a" }, "", 1],
    [{ "contains-all": [] }, "a", "missing"],
    [{ "contains-any": [] }, "a", "missing"],
    [{ "contains-none": [] }, "a", "missing"],
    [{ "one-of": [] }, "a", 0],
    [{ equals: "" }, [], 1],
    // absent
    [{ equals: "a" }, undefined, 0],
    [{ "contains-none": "a" }, undefined, 0],
    [{ "not-matches": "/a/" }, undefined, 0],
    [{ number: 1 }, undefined, 0],
    [{ "json-schema": {} }, undefined, 0],
  ])("%j with %j: %s", async ([definition, output, score]) => {
    await expect(judged(definition, { output })).resolves.toBe(score);
  });

  test("looks at a place of the final state where it says so, and not at the output", async () => {
    const row = { output: "no", state: { messages: [{ content: "first" }, { content: "last" }] } };
    await expect(judged({ equals: "last", of: "$.messages[-1].content" }, row)).resolves.toBe(1);
    await expect(scoreOf({ equals: "last", of: "$.answer" }, answered(row))).resolves.toEqual({
      key: "it",
      score: 0,
      comment: "the final state has nothing at $.answer",
    });
  });

  test("says what an output lacks by a schema", async () => {
    const definition = { "json-schema": { properties: { price: { type: "number" } } } };
    await expect(scoreOf(definition, answered({ output: { price: "12" } }))).resolves.toEqual({
      key: "it",
      score: 0,
      comment: "/price must be number",
    });
  });

  test("is broken where a search takes for ever", { tags: "slow" }, async () => {
    const output = `${"a".repeat(40)}b`;
    for (const definition of [{ "not-matches": "/^(a+)+$/" }, { "json-schema": { pattern: "^(a+)+$" } }]) {
      await expect(judged(definition, { output })).resolves.toBe("broken");
    }
  });
});

describe("a scorer that expects what the row has", () => {
  test.for<[JsonObject, JsonObject, number | string]>([
    [{ equals: "$.answer" }, { answer: "a" }, 1],
    [{ equals: "$" }, { answer: "a" }, 0],
    [{ equals: { x: "$.answer", y: "$5" } }, { answer: "a" }, 0],
    [{ "one-of": ["$.answer", "$.also"] }, { answer: "b", also: "a" }, 1],
    [{ "contains-all": "$.facts" }, { facts: ["a"] }, 1],
    [{ matches: "$.pattern" }, { pattern: "/^a$/" }, 1],
    [{ number: "$.price" }, { price: "1" }, 0],
    // no expectation
    [{ equals: "$.answer" }, {}, "missing"],
    [{ "one-of": "$.answers" }, { answers: null }, "missing"],
    [{ number: "$.price" }, { price: null }, "missing"],
    [{ "tool-calls": "$.tools" }, { tools: null }, "missing"],
    [{ equals: "$.answer" }, { answer: null }, 0],
    [{ "one-of": ["$.answer", "$.also"] }, { answer: "a" }, "missing"],
    [{ "contains-none": "$.facts" }, { facts: [] }, "missing"],
    [{ number: "$.price" }, {}, "missing"],
    [{ "tool-calls": "$.tools" }, {}, "missing"],
    // an expectation of another form
    [{ "one-of": "$.answer" }, { answer: "a" }, "broken"],
    [{ "contains-all": "$.facts" }, { facts: { a: 1 } }, "broken"],
    [{ matches: "$.pattern" }, { pattern: "/(/" }, "broken"],
    [{ number: "$.price" }, { price: "much" }, "broken"],
    [{ "tool-calls": "$.tools" }, { tools: "search" }, "broken"],
    [{ "tool-calls": "$.tools" }, { tools: [{ tool: "search" }] }, "broken"],
  ])("%j with a row %j: %s", async ([definition, row, score]) => {
    await expect(judged(definition, { row, output: "a" })).resolves.toBe(score);
  });
});

describe("a scorer of tool calls", () => {
  const exact = { mode: "exact" };
  test.for<[JsonObject, ScoredRow["toolCalls"], number]>([
    [{ "tool-calls": [search, book] }, [search, book], 1],
    [{ "tool-calls": [search, book], ...exact }, [book, search], 0],
    [{ "tool-calls": [search, book], ...exact }, [search, book, book], 0],
    [{ "tool-calls": [], ...exact }, [], 1],
    [{ "tool-calls": [], ...exact }, [search], 0],
    [{ "tool-calls": ["search"] }, [search], 1],
    [{ "tool-calls": [{ name: "search" }] }, [search], 1],
    [{ "tool-calls": [{ name: "search", args: {} }] }, [search], 0],
    [{ "tool-calls": [{ name: "search", args: {} }], arguments: "subset" }, [search], 1],
    [{ "tool-calls": [{ name: "search", args: { q: "a" } }], arguments: "subset" }, [search], 1],
    [{ "tool-calls": [{ name: "search", args: { q: "b" } }], arguments: "subset" }, [search], 0],
    [{ "tool-calls": [{ name: "search", args: { q: "b" } }], arguments: "ignore" }, [search], 1],
    [{ "tool-calls": [{ name: "find", args: { q: "a" } }], arguments: "ignore" }, [search], 0],
    [{ "tool-calls": [search, book], mode: "in-order" }, [book, search, search, book], 1],
    [{ "tool-calls": [search, book], mode: "in-order" }, [book, search], 0],
    [{ "tool-calls": [search, book], mode: "any-order" }, [book, search], 1],
    [{ "tool-calls": [search, book], mode: "any-order" }, [book, book], 0],
    [{ "tool-calls": [search, book], mode: "any-order" }, [book, search, book], 0],
    [{ "tool-calls": ["search", search], mode: "any-order" }, [search, { ...search, args: {} }], 1],
    [{ "tool-calls": [search, book], mode: "subset" }, [book], 1],
    [{ "tool-calls": [search, book], mode: "subset" }, [], 1],
    [{ "tool-calls": [search, book], mode: "subset" }, [book, book], 0],
    [{ "tool-calls": [book], mode: "superset" }, [search, book], 1],
    [{ "tool-calls": [book, book], mode: "superset" }, [search, book], 0],
  ])("%j with %j: %s", async ([definition, toolCalls, score]) => {
    await expect(judged(definition, { toolCalls })).resolves.toBe(score);
  });

  test("names the tools that were called instead", async () => {
    const score = await scoreOf({ "tool-calls": [book] }, answered({ toolCalls: [search, search] }));
    expect(score).toEqual({ key: "it", score: 0, comment: "it called search, search" });
  });
});

describe("a scorer with a limit", () => {
  test.for<[JsonObject, Partial<ScoredRow>, number | string]>([
    [{ "latency-below": "4s" }, { runMilliseconds: 3_999 }, 1],
    [{ "latency-below": "4s" }, { runMilliseconds: 4_000 }, 0],
    [{ "latency-below": "4s" }, {}, "missing"],
    [{ "tokens-below": 100 }, { tokens: 0 }, 1],
    [{ "tokens-below": 100 }, { tokens: 100 }, 0],
    [{ "tokens-below": 100 }, {}, "missing"],
    [{ "cost-below": 0.01 }, { cost: 0.0099 }, 1],
    [{ "cost-below": 0.01 }, { cost: 0.01 }, 0],
    [{ "cost-below": 0.01 }, {}, "missing"],
  ])("%j with %j: %s", async ([definition, row, score]) => {
    await expect(judged(definition, row)).resolves.toBe(score);
  });
});

describe("definitions", () => {
  test.for<[JsonObject, readonly string[], RegExp]>([
    [{ it: "equals" }, ["it"], /^must be a scorer/],
    [{ it: {} }, ["it"], /^has no kind of scorer, which is one of equals, one-of, .* or command$/],
    [{ it: { equal: "a" } }, ["it", "equal"], /did you mean `equals`\?$/],
    [{ it: { "contain-all": "a" } }, ["it", "contain-all"], /did you mean `contains-all`\?$/],
    [{ it: { equals: "a", matches: "/a/" } }, ["it", "matches"], /^stands beside `equals`/],
    [{ it: { equals: "a", ignorecase: true } }, ["it", "ignorecase"], /did you mean `ignore-case`\?$/],
    [{ it: { matches: "/a/", trim: true } }, ["it", "trim"], /^is not known; known are of$/],
    [{ it: { "cost-below": 1, of: "$.a" } }, ["it", "of"], /this kind has no options$/],
    [{ it: { equals: "$.a[" } }, ["it", "equals"], /^has "\$\.a\[", which is not a valid path$/],
    [{ it: { "one-of": "a" } }, ["it", "one-of"], /^must be a list, or/],
    [{ it: { "contains-any": [["a"]] } }, ["it", "contains-any"], /^must be a text or a list of texts, or/],
    [{ it: { matches: "a" } }, ["it", "matches"], /^must be a regular expression/],
    [{ it: { "not-matches": "/(/" } }, ["it", "not-matches"], /^must be a regular expression/],
    [{ it: { number: "many" } }, ["it", "number"], /^must be a number/],
    [{ it: { number: 1, within: -1 } }, ["it", "within"], /^must be a number or a percentage/],
    [{ it: { number: 1, within: "1" } }, ["it", "within"], /^must be a number or a percentage/],
    [{ it: { equals: "a", of: "answer" } }, ["it", "of"], /^must be a path/],
    [{ it: { equals: "a", trim: "yes" } }, ["it", "trim"], /^must be true or false$/],
    [{ it: { "json-schema": true } }, ["it", "json-schema"], /^must be a JSON schema/],
    [{ it: { "tool-calls": [{ name: 1 }] } }, ["it", "tool-calls"], /^must be a list of calls/],
    [{ it: { "tool-calls": [], mode: "strict" } }, ["it", "mode"], /^must be one of exact, in-order/],
    [{ it: { "tool-calls": [], arguments: "some" } }, ["it", "arguments"], /^must be one of exact, subset/],
    [{ it: { "latency-below": 4 } }, ["it", "latency-below"], /^must be a duration/],
    [{ it: { "latency-below": "4 parsecs" } }, ["it", "latency-below"], /^must be a duration/],
    [{ it: { "tokens-below": 0 } }, ["it", "tokens-below"], /^must be a number above 0/],
    [{ it: { command: " " } }, ["it", "command"], /^must be a command line$/],
    [{ it: { command: "judge", env: ["A B"] } }, ["it", "env"], /^must be a list of names of variables$/],
    [{ it: { command: "judge", env: "KEY" } }, ["it", "env"], /^must be a list of names of variables$/],
    [{ it: { command: "judge", keys: [] } }, ["it", "keys"], /^must be a list of names of scores$/],
    [{ it: { command: "judge", timeout: "0s" } }, ["it", "timeout"], /^must be a duration/],
    [
      { it: { command: "judge", keys: ["a", "b"] }, b: { equals: 1 } },
      ["it"],
      /^makes the score "b", as another does$/,
    ],
  ])("%j: a fault", ([given, path, message]) => {
    const read = readScorers(given);
    const [first] = read.faults;
    expect(first).toEqual({ path, message: expect.stringMatching(message) });
  });

  test("tell all of their faults at once", () => {
    const read = readScorers({ a: { equals: "$.a[", trimm: true }, b: {}, c: { equals: 1 } });
    expect(read.faults.map(({ path }) => path.join("."))).toEqual(["a.equals", "a.trimm", "b"]);
  });
});

describe("the digest", () => {
  test("is the same for the same definitions in another order, and another one for others", async () => {
    const [a, b] = [{ equals: 1, trim: true }, { number: 2 }];
    const digest = await scoring({ a, b }).digest();
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    await expect(scoring({ b, a: { trim: true, equals: 1 } }).digest()).resolves.toBe(digest);
    await expect(scoring({ a, b: { number: 3 } }).digest()).resolves.not.toBe(digest);
    await expect(scoring({ a, c: b }).digest()).resolves.not.toBe(digest);
  });
});
