import { describe, expect, test } from "vitest";
import { request, span, type Attributes } from "../otlp/spans.ts";
import { linesOf, readFiles, run } from "../read-files.ts";

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
  test("are missing where the program does not record them", async () => {
    const empty = { "gcp.vertex.agent.llm_request": "{}", "gcp.vertex.agent.llm_response": "{}" };
    const hidden = { ...empty, "gcp.vertex.agent.tool_call_args": "N/A", "gcp.vertex.agent.tool_response": "{}" };
    const warnings = await spanWarnings({ ...MODEL, ...empty }, { ...TOOL, ...hidden });
    expect(warnings).toEqual([expect.stringMatching(/^2 model and tool runs .* No attribute of them holds text\.$/)]);
  });
});
