import { describe, expect, test } from "vitest";
import { faults, read, readStep } from "../../options/step.ts";

const runOf = async (inputs: Parameters<typeof read>[0]) => (await read(inputs)).request.smokeRun;

describe("a smoke run", () => {
  test("is not made when the inputs say nothing of one", async () => {
    const { request } = await read();
    expect(request).not.toHaveProperty("smokeRun");
  });

  test.each([
    ["JSON", '{"messages":[{"role":"user","content":"Hello"}]}'],
    ["JSON that is indented with tabs", '{\n\t"messages": [\n\t\t{"role": "user", "content": "Hello"}\n\t]\n}'],
    ["YAML", "messages:\n  - { role: user, content: Hello }\n"],
  ])("has its input as %s", async (_what, text) => {
    expect(await runOf({ "smoke-input": text })).toEqual({
      input: { messages: [{ role: "user", content: "Hello" }] },
      expect: [],
    });
  });

  test("may have an input without anything in it", async () => {
    expect(await runOf({ "smoke-input": "{}" })).toEqual({ input: {}, expect: [] });
  });

  test("is of a graph, and expects lines without blanks around them", async () => {
    const expecting = "  Paris \n\n$.messages[-1]: /^It/i\r\n";
    expect(await runOf({ "smoke-input": "a: 1", "smoke-graph": " support ", "smoke-expect": expecting })).toEqual({
      input: { a: 1 },
      graph: "support",
      expect: ["Paris", "$.messages[-1]: /^It/i"],
    });
  });

  test("may be made of a revision that is only waited for, and be in a dry run, which makes none", async () => {
    const step = await readStep({ "revision-id": "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11", "smoke-input": "a: 1" });
    expect(step.request.smokeRun).toEqual({ input: { a: 1 }, expect: [] });
    expect((await read({ "dry-run": "true", "smoke-input": "a: 1" })).task).toBe("dry-run");
  });
});

describe("a smoke run that cannot be made is a fault", () => {
  test.each([
    ["[1, 2]"],
    ["5"],
    ["just text"],
    ["null"],
    ["a: *nowhere"],
    ["a: &x [*x]"],
    ["when: 2026-01-01\n--- {}"],
  ])("with the input %s", async (text) => {
    expect(await faults({ "smoke-input": text })).toEqual([
      expect.stringMatching(
        /^smoke-input: (must be a YAML mapping, for example|is not valid YAML: line \d|has an alias)/,
      ),
    ]);
  });

  test("whose input is not repeated when it cannot be read", async () => {
    const told = await faults({ "smoke-input": '{"question": "my secret question"' });
    expect(told).toEqual([expect.stringMatching(/^smoke-input: is not valid YAML: line 1, column \d+ \([A-Z_]+\)$/)]);
  });

  test("without an input", async () => {
    expect(await faults({ "smoke-graph": "support", "smoke-expect": "Paris" })).toEqual([
      "smoke-graph: has no effect without `smoke-input`",
      "smoke-expect: has no effect without `smoke-input`",
    ]);
  });

  test("where the agent is not asked, or not waited for", async () => {
    expect(await faults({ "smoke-input": "a: 1", "smoke-test": "false", wait: "false" })).toEqual([
      "smoke-input: needs the smoke test; remove `smoke-test: false`",
      "smoke-input: needs a step that waits; remove `wait: false`",
    ]);
  });

  test("with each expectation that is none", async () => {
    const expecting = "Paris\n/unclosed\n$.answer\n$.a: /(/";
    expect(await faults({ "smoke-input": "a: 1", "smoke-expect": expecting })).toEqual([
      expect.stringMatching(/^smoke-expect: "\/unclosed" is not a valid regular expression; /),
      expect.stringMatching(/^smoke-expect: "\$\.answer" must be `PATH: TEXT`/),
      expect.stringMatching(/^smoke-expect: "\$\.a: \/\(\/" is not a valid regular expression/),
    ]);
  });
});
