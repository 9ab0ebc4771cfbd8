import { describe, expect, test } from "vitest";
import { addedMessages, toolCallsIn, usageIn } from "../../src/agent-server/messages.ts";
import type { JsonObject, JsonValue } from "../../src/files/json/value.ts";

/** A message of a model that used these tokens. */
function answer(content: string, [input, output]: readonly [number, number], more: JsonObject = {}): JsonObject {
  return {
    ...{ type: "ai", id: content, content, response_metadata: { model_name: "large" } },
    ...{ usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output }, ...more },
  };
}

function usage(state: JsonValue | undefined, ...inputs: readonly JsonValue[]) {
  return usageIn(addedMessages(state, inputs));
}

describe("the messages that runs added", () => {
  test("are those of a model in all keys of the state, each once", () => {
    const [plan, reply] = [answer("plan", [1, 2]), answer("reply", [3, 4])];
    const human = { type: "human", id: "h", content: "plan" };
    const state = { messages: [human, plan, reply], planning: [plan], last: reply, count: 3, notes: ["plan"] };
    expect(addedMessages(state, [{ messages: [{ role: "user", content: "plan" }] }])).toEqual([plan, reply]);
  });

  test("are not those that the inputs brought along, which have no id yet there", () => {
    const before = { role: "assistant", content: "reply" };
    const state = { messages: [answer("reply", [9, 9], { id: "1" }), answer("reply", [3, 4], { id: "2" })] };
    expect(usage(state, { messages: [before] })).toEqual({ large: { input: 3, output: 4 } });
  });

  test.each([[undefined], [null], ["text"], [[1]], [{ messages: "none" }]])("are none in %j", (state) => {
    expect(addedMessages(state, [])).toEqual([]);
  });
});

describe("the tokens of messages", () => {
  test("are summed by model, with what was cached and what was thought", () => {
    const details = { input_token_details: { cache_read: 5 }, output_token_details: { reasoning: 1 } };
    const told = { input_tokens: 10, output_tokens: 2, ...details };
    const state = {
      messages: [
        answer("a", [10, 2], { usage_metadata: told }),
        answer("b", [1, 1]),
        answer("c", [7, 3], { response_metadata: { model: "small" } }),
        answer("d", [1, 1], { response_metadata: {} }),
      ],
    };
    expect(usage(state)).toEqual({
      large: { input: 11, output: 3, cache_read: 5, reasoning: 1 },
      small: { input: 7, output: 3 },
      unknown: { input: 1, output: 1 },
    });
  });

  test("are unknown where one message does not tell, where it tells half, and where there is none", () => {
    expect(usage({ messages: [answer("a", [1, 2]), { type: "ai", id: "b", content: "" }] })).toBeUndefined();
    expect(usage({ messages: [answer("a", [1, 2], { usage_metadata: { input_tokens: 1 } })] })).toBeUndefined();
    expect(usage({ messages: [{ type: "human", content: "a" }] })).toBeUndefined();
    expect(usage({ messages: [answer("a", [0, 0])] })).toEqual({ large: { input: 0, output: 0 } });
  });

  test("stay apart for a model with the name of a property", () => {
    const state = { messages: [answer("a", [1, 2], { response_metadata: { model_name: "__proto__" } })] };
    expect(Object.entries(usage(state) ?? {})).toEqual([["__proto__", { input: 1, output: 2 }]]);
  });
});

test("takes the calls of tools in their order", () => {
  const calls = [{ name: "look", args: { id: 1 }, id: "x", type: "tool_call" }, { name: "end" }];
  const messages = [answer("a", [1, 1], { tool_calls: calls }), answer("b", [1, 1])];
  expect(toolCallsIn(messages)).toEqual([
    { name: "look", args: { id: 1 } },
    { name: "end", args: {} },
  ]);
});
