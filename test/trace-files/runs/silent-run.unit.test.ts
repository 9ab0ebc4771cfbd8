import { describe, expect, test } from "vitest";
import { request, span, type Attributes } from "../otlp/spans.ts";
import { linesOf, readFiles, run, uuid } from "../read-files.ts";

const CHAT = { "gen_ai.operation.name": "chat" };
const ADVICE = "record it as `input.value` and `output.value` of a span, or as `inputs` and `outputs` of a run.";

async function warningsOf(lines: readonly unknown[]): Promise<readonly string[]> {
  return (await readFiles({ "a.jsonl": linesOf(lines) })).warnings;
}

async function spanWarnings(...attributes: readonly Attributes[]): Promise<readonly string[]> {
  return await warningsOf(attributes.map((of, at) => request([span(at, of)])));
}

describe("calls of models and tools without inputs and outputs", () => {
  test("are one warning with the attributes that hold text", async () => {
    const vercel = {
      ...CHAT,
      "ai.prompt.messages": '[{"role":"user","content":"why?"}]',
      "ai.response.text": "because of that",
      "ai.model.id": "gpt-5",
      "ai.settings.headers": "{}",
      "ai.usage.promptTokens": 3,
    };
    const tool = { "gen_ai.operation.name": "execute_tool", "app.notes": ["two words"] };
    expect(await spanWarnings({}, vercel, vercel, tool)).toEqual([
      "3 model and tool runs have neither inputs nor outputs: the first is a.jsonl, line 2. " +
        `Text is in \`ai.prompt.messages\`, \`ai.response.text\` and \`app.notes\`: ${ADVICE}`,
    ]);
  });

  test("are one warning where the program records no text at all", async () => {
    expect(await spanWarnings(CHAT)).toEqual([
      "1 model or tool run has neither inputs nor outputs: the first is a.jsonl, line 1. No attribute of it holds text.",
    ]);
  });

  test("are found in lines of runs, with fields and metadata by other names", async () => {
    const silent = run(1, { run_type: "llm", prompt: "why is that?", extra: { metadata: { reply: "because of it" } } });
    expect(await warningsOf([run(2), silent])).toEqual([
      `1 model or tool run has neither inputs nor outputs: the first is a.jsonl, line 2. Text is in \`prompt\` and \`reply\`: ${ADVICE}`,
    ]);
  });

  test.each<[string, readonly unknown[]]>([
    ["a run of another type", [run(1), run(2, { run_type: "retriever" })]],
    ["a call with inputs", [run(1, { run_type: "llm", inputs: { q: 1 } })]],
    ["a call with outputs", [run(1, { run_type: "tool", outputs: "so" })]],
    [
      "a call that gets its outputs later",
      [run(1, { run_type: "llm" }), { event: "patch", id: uuid(1), outputs: { a: 1 } }],
    ],
    [
      "a call that got its outputs before",
      [{ event: "patch", id: uuid(1), outputs: { a: 1 } }, run(1, { run_type: "llm" })],
    ],
  ])("are not %s", async (_what, lines) => {
    expect(await warningsOf(lines)).toEqual([]);
  });

  test(
    "name few attributes, however many there are, none of them as markdown or over a line",
    { tags: "slow" },
    async () => {
      const many = Object.fromEntries(
        Array.from({ length: 900 }, (_, at) => [`a\n\`<b>${String(at)}${"x".repeat(900)}`, "two words"]),
      );
      const [warning = ""] = await spanWarnings(...Array.from({ length: 20 }, () => ({ ...CHAT, ...many })));
      expect(warning.length).toBeLessThan(900);
      expect(warning).not.toMatch(/\n|`</);
    },
  );
});

describe("the messages of Google's Agent Development Kit", () => {
  const MODEL = { "gen_ai.system": "gcp.vertex.agent", "gen_ai.request.model": "gemini" };
  const TOOL = { "gen_ai.operation.name": "execute_tool" };
  test.each<[string, Attributes, unknown, unknown]>([
    [
      "a call of a model",
      {
        ...MODEL,
        "gcp.vertex.agent.llm_request": '{"model":"gemini","contents":[{"role":"user","parts":[{"text":"why?"}]}]}',
        "gcp.vertex.agent.llm_response": '{"content":{"role":"model","parts":[{"text":"so"}]}}',
      },
      { model: "gemini", contents: [{ role: "user", parts: [{ text: "why?" }] }] },
      { content: { role: "model", parts: [{ text: "so" }] } },
    ],
    [
      "a call of a tool, which has an empty request of a model",
      {
        ...TOOL,
        "gcp.vertex.agent.llm_request": "{}",
        "gcp.vertex.agent.llm_response": "{}",
        "gcp.vertex.agent.tool_call_args": '{"city":"Lisbon"}',
        "gcp.vertex.agent.tool_response": '{"result":"18 degrees"}',
      },
      { city: "Lisbon" },
      { result: "18 degrees" },
    ],
    ["data", { "gcp.vertex.agent.data": '[{"role":"user"}]' }, { input: [{ role: "user" }] }, undefined],
    [
      "a call beside the convention, which has precedence",
      { ...TOOL, "gen_ai.tool.call.arguments": '{"a":1}', "gcp.vertex.agent.tool_call_args": '{"a":2}' },
      { a: 1 },
      undefined,
    ],
  ])("are read from %s", async (_what, of, inputs, outputs) => {
    const { sent, warnings } = await readFiles({ "a.json": JSON.stringify(request([span(1, of)])) });
    expect(sent[0]?.run["inputs"]).toEqual(inputs);
    expect(sent[0]?.run["outputs"]).toEqual(outputs);
    expect(warnings).toEqual([]);
  });

  test("are missing where the program does not record them", async () => {
    const empty = { "gcp.vertex.agent.llm_request": "{}", "gcp.vertex.agent.llm_response": "{}" };
    const hidden = { ...empty, "gcp.vertex.agent.tool_call_args": "N/A", "gcp.vertex.agent.tool_response": "{}" };
    const warnings = await spanWarnings({ ...MODEL, ...empty }, { ...TOOL, ...hidden });
    expect(warnings).toEqual([expect.stringMatching(/^2 model and tool runs .* No attribute of them holds text\.$/)]);
  });
});
