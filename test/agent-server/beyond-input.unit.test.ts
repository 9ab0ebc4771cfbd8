import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdsMoreThan } from "../../src/agent-server/beyond-input.ts";

const HUMAN = { content: "Hi", type: "human", id: "m-1", name: null, example: false, additional_kwargs: {} };
const AI = { content: "Hello!", type: "ai", id: "m-2" };
const CONVERSATION = [
  { role: "user", content: "Ready?" },
  { role: "assistant", content: "yes" },
];

test.each<[string, unknown, unknown]>([
  ["null", { question: "who?" }, null],
  ["an empty text", { question: "who?" }, ""],
  ["an empty object", { question: "who?" }, {}],
  ["an empty list", { question: "who?" }, []],
  ["the input", { question: "who?", depth: 2, strict: false }, { question: "who?", depth: 2, strict: false }],
  ["a part of the input", { question: "who?", depth: 2 }, { depth: 2 }],
  [
    "the input with empty fields",
    { question: "who?" },
    { question: "who?", answer: null, documents: [], notes: "", plan: { steps: [], by: null } },
  ],
  [
    "the message of the input, as a server writes it",
    { messages: [{ role: "user", content: "Hi" }] },
    { messages: [HUMAN] },
  ],
  [
    "a message in parts",
    { messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] },
    { messages: [HUMAN] },
  ],
  ["a message that was a pair", { messages: [["user", "Hi"]] }, { messages: [HUMAN] }],
  ["a message that was a text", { messages: "Hi" }, { messages: [HUMAN] }],
  ["a message that was no list", { messages: { role: "user", content: "Hi" } }, { messages: [HUMAN] }],
  [
    "a conversation that says the same twice",
    { messages: [...CONVERSATION, ["user", "Sure?"], ["assistant", "yes"]] },
    { messages: [...CONVERSATION, { ...HUMAN, content: "Sure?" }, { ...AI, content: "yes" }] },
  ],
  [
    "a message without text",
    { messages: [{ role: "user", content: "Hi" }] },
    { messages: [HUMAN, { ...AI, content: "" }] },
  ],
  [
    "records with ids",
    { rows: [{ a: 1 }, { a: 2 }] },
    {
      rows: [
        { a: 1, id: "x" },
        { a: 2, id: "y" },
      ],
    },
  ],
])("a final state holds nothing beyond the input %s", (_what, input, state) => {
  expect(holdsMoreThan(input, state)).toBe(false);
});

describe("a final state holds more than the input", () => {
  test.each<[string, unknown, unknown]>([
    ["a text", { question: "who?" }, "you"],
    ["a field", { question: "who?" }, { question: "who?", answer: "you" }],
    ["a number", { question: "who?" }, { count: 0 }],
    ["a truth value", { question: "who?" }, { spam: false }],
    ["another value", { question: "who?" }, { question: "Who is it?" }],
    ["a value deep within", { question: "who?" }, { plan: [{ steps: [null, { text: "ask" }] }] }],
    ["a reply", { messages: [{ role: "user", content: "Hi" }] }, { messages: [HUMAN, AI] }],
    ["the reply alone", { messages: [{ role: "user", content: "Hi" }] }, { messages: [AI] }],
    ["an echo", { messages: [{ role: "user", content: "Hi" }] }, { messages: [HUMAN, { ...AI, content: "Hi" }] }],
    [
      "an answer that equals an earlier one of the input",
      { messages: [...CONVERSATION, { role: "user", content: "Sure?" }] },
      { messages: [...CONVERSATION, { ...HUMAN, content: "Sure?" }, { ...AI, content: "yes" }] },
    ],
    [
      "the message of the input once more",
      { messages: [{ role: "user", content: "Hi" }] },
      { messages: [HUMAN, { ...HUMAN, id: "m-3" }] },
    ],
    [
      "the message of another agent",
      { messages: [{ role: "user", content: "Hi" }] },
      { messages: [HUMAN, { ...HUMAN, content: "Found it.", name: "researcher" }] },
    ],
    [
      "a call of a tool",
      { messages: [{ role: "user", content: "Hi" }] },
      { messages: [HUMAN, { ...AI, content: "", tool_calls: [{ name: "search", args: {} }] }] },
    ],
    ["one row more", { rows: [{ a: 1 }] }, { rows: [{ a: 1 }, { a: 1 }] }],
    ["an id that is asked for", { ticket: { title: "x" } }, { ticket: { title: "x", id: "T-1" } }],
    ["a name of every object", { question: "who?" }, { constructor: "you" }],
  ])("%s", (_what, input, state) => {
    expect(holdsMoreThan(input, state)).toBe(true);
  });

  test("whatever the input is, with one more field", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string({ minLength: 1 }), (input, answer) => {
        expect(holdsMoreThan(input, structuredClone(input))).toBe(false);
        expect(holdsMoreThan(input, { ...input, " the answer": `${answer}!` })).toBe(true);
      }),
    );
  });

  test("also below the depth of the stack, and among a million messages in little time", { tags: "slow" }, () => {
    const nested = (depth: number, core: string): unknown =>
      JSON.parse(`${"[".repeat(depth)}${core}${"]".repeat(depth)}`);
    expect(holdsMoreThan({}, { deep: nested(100_000, '"x"') })).toBe(true);
    expect(holdsMoreThan({}, { deep: nested(100_000, '""') })).toBe(false);
    expect(holdsMoreThan({}, { messages: [{ role: "ai", content: nested(100_000, '"x"') }] })).toBe(true);
    const messages = Array.from({ length: 200_000 }, (_, index) => ({ role: "user", content: String(index) }));
    expect(holdsMoreThan({ messages }, { messages: messages.map((message, id) => ({ ...message, id })) })).toBe(false);
  });
});
