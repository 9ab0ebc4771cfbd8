import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const USER = { role: "user", content: "Which river?" };
const SAID = { role: "assistant", content: "The Seine" };

async function rowOf(record: object, mapping?: string) {
  const options = mapping === undefined ? {} : { mapping: await mappingOf(mapping) };
  const { rows } = await readAll(jsonl, storedFile(`${JSON.stringify({ ...record, exact: 1 })}\n`), options);
  return [rows[0]?.inputs, rows[0]?.outputs];
}

describe("a conversation that ends with the assistant's message", () => {
  test.each([
    ["is split", { messages: [USER, SAID] }, [[USER], "The Seine"]],
    ["is split below a key", { input: { messages: [USER, SAID], id: 1 } }, [{ messages: [USER], id: 1 }, "The Seine"]],
    [
      "keeps what was said before",
      { messages: [USER, SAID, USER, { role: "assistant", content: "Paris" }] },
      [[USER, SAID, USER], "Paris"],
    ],
    [
      "keeps a message with more in it whole",
      { messages: [USER, { ...SAID, tool_calls: [] }] },
      [[USER], { ...SAID, tool_calls: [] }],
    ],
    [
      "is known by its speakers",
      {
        messages: [
          { speaker: "user", text: "a" },
          { speaker: "assistant", text: "b" },
        ],
      },
      [[{ speaker: "user", text: "a" }], "b"],
    ],
    [
      "is known by its authors",
      {
        messages: [
          { author: "user", message: "a" },
          { author: "bot", message: "b" },
        ],
      },
      [[{ author: "user", message: "a" }], "b"],
    ],
    [
      "is known by other words",
      {
        messages: [
          { from: "human", value: "a" },
          { from: "gpt", value: "b" },
        ],
      },
      [[{ from: "human", value: "a" }], "b"],
    ],
    ["stays where a column is the output", { messages: [USER, SAID], output: "o" }, [[USER, SAID], "o"]],
    ["stays where that is empty", { messages: [USER, SAID], output: null }, [[USER, SAID], undefined]],
    ["stays where it ends with the user", { messages: [USER, SAID, USER] }, [[USER, SAID, USER], undefined]],
    ["stays where nothing is before it", { messages: [SAID] }, [[SAID], undefined]],
    ["stays where it is a list of something else", { messages: ["a", "b"] }, [["a", "b"], undefined]],
  ])("%s", async (_what, record, expected) => {
    expect(await rowOf(record)).toEqual(expected);
  });

  test("is split in a cell of CSV, and by a mapping that names no outputs", async () => {
    const cell = JSON.stringify([USER, SAID]).replaceAll('"', '""');
    const { rows } = await readAll(csv, storedFile(`messages,exact\n"${cell}",1\n`));
    expect([rows[0]?.inputs, rows[0]?.outputs]).toEqual([[USER], "The Seine"]);
    expect(await rowOf({ chat: [USER, SAID] }, "inputs: chat\nscores:\n  exact: exact")).toEqual([[USER], "The Seine"]);
  });

  test("loses no message, whatever is said, and by whom", { tags: "slow" }, async () => {
    const message = fc.record({
      role: fc.constantFrom("user", "system", "assistant", "tool", "Assistant"),
      content: fc.string({ maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
        const [inputs, outputs] = await rowOf({ messages });
        const last = messages.at(-1);
        const isSplit = messages.length > 1 && last?.role.toLowerCase() === "assistant";
        expect([inputs, outputs]).toEqual(isSplit ? [messages.slice(0, -1), last.content] : [messages, undefined]);
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });
});
