import { describe, expect, test } from "vitest";
import { readFiles } from "../read-files.ts";
import { event, request, runOf, span, type Attributes } from "./spans.ts";

describe("the inputs and outputs of a span", () => {
  const question = { role: "user", parts: [{ type: "text", content: "why?" }] };
  const answer = { role: "assistant", parts: [{ type: "text", content: "so" }] };

  test.each<[string, Attributes, unknown, unknown]>([
    [
      "messages as JSON",
      {
        "gen_ai.input.messages": JSON.stringify([question]),
        "gen_ai.output.messages": JSON.stringify([answer]),
        "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "be short" }]),
      },
      { messages: [question], system_instructions: [{ type: "text", content: "be short" }] },
      { messages: [answer] },
    ],
    [
      "messages as structures",
      { "gen_ai.input.messages": [question], "gen_ai.output.messages": [answer] },
      { messages: [question] },
      { messages: [answer] },
    ],
    [
      "a call of a tool",
      { "gen_ai.tool.call.arguments": '{"city":"Lisbon"}', "gen_ai.tool.call.result": "18 degrees" },
      { city: "Lisbon" },
      { output: "18 degrees" },
    ],
    [
      "a search",
      { "gen_ai.retrieval.query.text": "invoice", "gen_ai.retrieval.documents": '[{"id":"1","score":0.5}]' },
      { query: "invoice" },
      { documents: [{ id: "1", score: 0.5 }] },
    ],
    [
      "flattened messages of the first conventions",
      {
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "be short",
        "gen_ai.prompt.10.content": "eleventh",
        "gen_ai.prompt.2.content": "third",
        "gen_ai.completion.0.content": "so",
      },
      { messages: [{ role: "system", content: "be short" }, { content: "third" }, { content: "eleventh" }] },
      { messages: [{ content: "so" }] },
    ],
    [
      "OpenInference",
      {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "why?",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "f",
        "output.value": "left as metadata",
      },
      { messages: [{ role: "user", content: "why?" }] },
      { messages: [{ tool_calls: [{ tool_call: { function: { name: "f" } } }] }] },
    ],
    ["OpenInference in texts", { "input.value": '{"q":1}', "output.value": "plain" }, { q: 1 }, { output: "plain" }],
    [
      "documents of OpenInference",
      {
        "input.value": "invoice",
        "retrieval.documents.0.document.content": "April",
        "retrieval.documents.0.document.score": 0.5,
      },
      { input: "invoice" },
      { documents: [{ content: "April", score: 0.5 }] },
    ],
    [
      "Traceloop",
      { "traceloop.entity.input": '{"inputs":{"a":1}}', "traceloop.entity.output": "[1]" },
      { inputs: { a: 1 } },
      { output: [1] },
    ],
    ["broken JSON", { "gen_ai.tool.call.arguments": '{"city":' }, { input: '{"city":' }, undefined],
  ])("is read from %s", async (_what, of, inputs, outputs) => {
    const run = await runOf(of);
    expect(run["inputs"]).toEqual(inputs);
    expect(run["outputs"]).toEqual(outputs);
  });

  test("are read from events, which are then not events of the run", async () => {
    const events = [
      event("gen_ai.system.message", { content: "be short" }),
      event("gen_ai.user.message", { content: "why?" }),
      event("gen_ai.choice", { index: 0, finish_reason: "stop", message: '{"content":"so"}' }),
      event("retry", { attempt: 2 }),
    ];
    expect(await runOf({}, { events })).toMatchObject({
      inputs: {
        messages: [
          { role: "system", content: "be short" },
          { role: "user", content: "why?" },
        ],
      },
      outputs: { messages: [{ role: "assistant", index: 0, finish_reason: "stop", message: { content: "so" } }] },
      events: [{ name: "retry", time: "2026-05-04T10:00:00.050Z", attributes: { attempt: 2 } }],
    });
    const contents = [
      event("gen_ai.content.prompt", { "gen_ai.prompt": '[{"role":"user"}]' }),
      event("gen_ai.content.completion", { "gen_ai.completion": "so" }),
    ];
    const run = await runOf({}, { events: contents });
    expect(run).toMatchObject({ inputs: { messages: [{ role: "user" }] }, outputs: { output: "so" } });
    expect(run).not.toHaveProperty("events");
  });

  test("stay a text where their JSON is nested deeper than a run may be", async () => {
    const text = "[".repeat(200) + "]".repeat(200);
    expect(await runOf({ "input.value": text })).toMatchObject({ inputs: { input: text } });
  });

  test("leave every other attribute in the metadata, whatever its name", async () => {
    const text = JSON.stringify(
      request([span(1, { PLACEHOLDER: "x", "gen_ai.prompt.0": "leaf", "gen_ai.prompt.0.role": "u" })]),
    );
    const { sent } = await readFiles({ "spans.json": text.replace("PLACEHOLDER", "__proto__") });
    const run = JSON.stringify(sent[0]?.run);
    expect(run).toContain('"__proto__":"x"');
    expect(run).toContain('"gen_ai.prompt.0.role":"u"');
  });

  test.each<[Attributes, unknown]>([
    [
      { "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 4 },
      { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
    ],
    [{ "gen_ai.usage.prompt_tokens": 3 }, { input_tokens: 3, total_tokens: 3 }],
    [
      { "llm.token_count.prompt": 3, "llm.token_count.total": 9 },
      { input_tokens: 3, total_tokens: 9 },
    ],
    [{}, undefined],
  ])("has the tokens of %j", async (of, usage) => {
    const content = JSON.stringify(request([span(1, { ...of, "gen_ai.operation.name": "chat" })]));
    const { sent, read } = await readFiles({ "spans.json": content });
    const total = usage === undefined ? undefined : (usage as { total_tokens: number }).total_tokens;
    expect(read.sums.tokens).toBe(total);
    if (usage !== undefined) expect(sent[0]?.run).toMatchObject({ extra: { metadata: { usage_metadata: usage } } });
  });
});
