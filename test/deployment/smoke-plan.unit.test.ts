import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExpectation } from "../../src/deployment/smoke-plan.ts";
import { unmet } from "../../src/deployment/smoke-run.ts";

const ANSWER = {
  messages: [
    { type: "human", content: "What is the capital of France?" },
    { type: "ai", content: [{ type: "text", text: "It is Paris,\nof course." }] },
  ],
  count: 42,
  ok: true,
  nothing: null,
  "a key: with [all]": "odd",
};

/** Why an answer does not hold what a line expects; undefined when it does. */
function why(line: string, answer: unknown = ANSWER): string | undefined {
  const reading = parseExpectation(line);
  if (!reading.ok) expect.fail(`${line} ${reading.fault}`);
  return unmet(reading.expectation, answer)?.reason;
}

describe("what an answer must hold", () => {
  test.each([
    "Paris",
    "  Paris, ",
    "42",
    "true",
    "null",
    "/paris/i",
    "/Paris,$/m",
    "/is.*course/s",
    "/^\\d+$/",
    "$.messages[-1]: Paris",
    "$.messages[1].content[0].text: Paris",
    "$.messages[-1].content:   /^It is/",
    "$.count: 4",
    "$.count: /^42$/",
    "$.ok: true",
    "$.nothing: null",
    '$["a key: with [all]"]: odd',
    '$.messages[0]["type"]: human',
  ])("is there: %s", (line) => {
    expect(why(line)).toBeUndefined();
  });

  test.each([
    ["Rome", "has nothing that contains Rome"],
    ["paris", "has nothing that contains paris"],
    ["messages", "has nothing that contains messages"],
    ["/rome/i", "has nothing that matches /rome/i"],
    ["$.messages[-1]: France", "has nothing at $.messages[-1] that contains France"],
    ["$.count: /^4$/", "has nothing at $.count that matches /^4$/"],
    ["$.messages[2]: Paris", "has nothing at $.messages[2]"],
    ["$.messages[-3]: Paris", "has nothing at $.messages[-3]"],
    ["$.messages.content: Paris", "has nothing at $.messages.content"],
    ["$.count.more: 1", "has nothing at $.count.more"],
    ["$.constructor: Object", "has nothing at $.constructor"],
    ["$.messages[0].toString: x", "has nothing at $.messages[0].toString"],
  ])("is not there: %s", (line, reason) => {
    expect(why(line)).toBe(reason);
  });

  test("is text that begins with a dollar sign where no place follows", () => {
    expect(why("$5 a month", { price: "only $5 a month" })).toBeUndefined();
    expect(why("$", { price: "$" })).toBeUndefined();
  });

  test("may be the answer itself", () => {
    expect(why("Paris", "Paris")).toBeUndefined();
    expect(why("$: Paris", "Paris")).toBeUndefined();
    expect(why("null", null)).toBeUndefined();
    expect(why("$[0]: a", ["a"])).toBeUndefined();
  });

  test("may be that there is nothing at all", () => {
    expect(why("null", null)).toBeUndefined();
    expect(why("/^(null|\\{\\})$/", {})).toBeUndefined();
    expect(why("$: /^\\[\\]$/", [])).toBeUndefined();
    expect(why("/^\\{\\}$/", { answer: {} })).toBe("has nothing that matches /^\\{\\}$/");
    expect(why("/^\\{\\}$/", { answer: "Paris", more: {} })).toBe("has nothing that matches /^\\{\\}$/");
  });

  // Some servers send an empty list where nothing waits for a human.
  test("is nothing in an empty part", () => {
    expect(why("$.__interrupt__: /./", { __interrupt__: [] })).toBe("has nothing at $.__interrupt__ that matches /./");
    expect(why("$.__interrupt__: /./", { __interrupt__: [{ value: "Shall I?" }] })).toBeUndefined();
  });

  // Without a bound the step could not even be cancelled.
  test.each([
    ["/^(a+)+$/", `${"a".repeat(40)}b`, "cannot be searched for /^(a+)+$/ within 2 s"],
    ["$: /(?:a|b)*c/", "ab".repeat(5_000_000), "cannot be searched at $ for /(?:a|b)*c/ within 2 s"],
  ])(
    "cannot be told of an expression that takes for ever, or all memory: %s",
    { tags: "slow" },
    (line, answer, reason) => {
      expect(why(line, answer)).toBe(reason);
    },
  );

  test("is found in an answer that is deeper than the stack", () => {
    const depth = 100_000;
    const deep: unknown = JSON.parse(`${"[".repeat(depth)}"Paris"${"]".repeat(depth)}`);
    expect(why("Paris", deep)).toBeUndefined();
    expect(why("Rome", deep)).toBe("has nothing that contains Rome");
  });

  test("is any text, when that text is a part of the answer", { tags: "slow" }, () => {
    const text = fc.string({ minLength: 1 }).filter((value) => /^[^/$\s](.*\S)?$/u.test(value));
    fc.assert(
      fc.property(text, fc.string(), fc.string(), (part, before, after) => {
        expect(why(part, { messages: [before + part + after] })).toBeUndefined();
      }),
    );
  });
});

test.each([
  "/unclosed",
  "/usr/bin",
  "/(/",
  "/a/g",
  "//",
  "$.answer",
  "$.answer:",
  "$.answer:Paris",
  "$.answer Paris",
  "$.: Paris",
  "$[x]: Paris",
  "$.a: /(/",
  "$.a..b: Paris",
])("a line that says nothing that could be checked is a fault: %s", (line) => {
  expect(parseExpectation(line)).toMatchObject({
    ok: false,
    fault: expect.stringMatching(/^(is not a valid|must be) /) as string,
  });
});
