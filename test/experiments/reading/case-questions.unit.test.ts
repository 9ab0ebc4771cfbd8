import { describe, expect, test } from "vitest";
import { CaseQuestions, questionOf } from "../../../src/experiments/reading/case-questions.ts";
import type { JsonValue } from "../../../src/files/json/value.ts";

const user = { role: "user", content: "q" };
const answer = (content: string) => ({ role: "assistant", content });

describe("two rows ask the same", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["in any order of keys", { a: 1, b: [2] }, { b: [2], a: 1 }],
    ["with blanks around a text", { question: "q" }, { question: " q\n" }],
    ["with other texts that were found", { question: "q", retrieved_contexts: ["a"] }, { question: "q", contexts: [] }],
    ["in another thread", { question: "q", threadId: "1" }, { question: "q", threadId: "2" }],
    ["with the answer at the end", { messages: [user, answer("a")] }, { messages: [user, answer("b")] }],
  ])("%s", (_how, one, other) => {
    expect(questionOf(one)).toBe(questionOf(other));
  });

  test.each<[string, JsonValue, JsonValue]>([
    ["a text", { question: "q" }, { question: "r" }],
    ["a text without words", { question: "q" }, { question: "" }],
    ["a document", { task: "Sum up", document: "a" }, { task: "Sum up", document: "b" }],
    ["contexts alone", { contexts: ["a"] }, { contexts: ["b"] }],
    ["the first message", { messages: [user, answer("a")] }, { messages: [answer("q"), answer("a")] }],
    ["one message of an assistant", [answer("a")], [answer("b")]],
    ["a kind", { n: 1 }, { n: "1" }],
  ])("but not with another one in %s", (_where, one, other) => {
    expect(questionOf(one)).not.toBe(questionOf(other));
  });
});

test("the first of the rows that differ is named, and the others are counted", () => {
  const questions = new CaseQuestions();
  expect(questions.fault).toBeUndefined();
  questions.keep(0, `{"q":1}`);
  expect(questions.mayDiffer(0, `{"q":1}`)).toBe(false);
  expect(questions.mayDiffer(0, `{"q":2}`)).toBe(true);
  questions.differ({ file: "a.csv", line: 3 }, { file: "a.csv", line: 2 });
  expect(questions.fault).toEqual({
    place: { file: "a.csv", line: 3 },
    message: "the row has the same id as a.csv, line 2 but other inputs, and no `repetition`",
  });
  questions.differ({ file: "a.csv", line: 4 }, { file: "a.csv", line: 2 });
  expect(questions.fault?.message).toMatch(/; so have 1 more rows$/);
});

test("the first row that names a case stands for it", () => {
  const questions = new CaseQuestions();
  const [one, other] = ["0f8fad5b-d9cb-469f-a165-708677289501", "0f8fad5b-d9cb-469f-a165-708677289502"] as const;
  expect([questions.firstOf(one, 4), questions.firstOf(other, 5), questions.firstOf(one, 6)]).toEqual([4, 5, 4]);
});
