import { describe, expect, test } from "vitest";
import { readFiles } from "../read-files.ts";
import { event, request, runOf, span } from "./spans.ts";

describe("the inputs and outputs of a span", () => {
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
});
