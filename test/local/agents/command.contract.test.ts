import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AgentCommandError, readAgentCommand } from "../../../src/local/agents/command.ts";
import { readCommand } from "../../../src/local/command.ts";
import { machineEnvironment } from "../../../src/local/index.ts";

const PLACE = { port: 4321, directory: "/some where/$(touch x) 'here'", revisionId: "rev-1" };
const at = (text: string) => readAgentCommand(text)(PLACE);

describe("an agent command", () => {
  test("is words, some in quotes, with what it sets in front", () => {
    expect(at(`A=1 B='two words' "a program" --port {port} --x=" y " '' C=3`)).toEqual({
      program: "a program",
      args: ["--port", "4321", "--x= y ", "", "C=3"],
      environment: { A: "1", B: "two words" },
    });
  });

  test("has its placeholders filled in everywhere, and no shell reads what they stand for", () => {
    expect(at(`R={revision} {dir}/run {dir} a{port}b{port} "{dir}" {other}`)).toEqual({
      program: `${PLACE.directory}/run`,
      args: [PLACE.directory, "a4321b4321", PLACE.directory, "{other}"],
      environment: { R: "rev-1" },
    });
  });

  test("keeps the backslashes of Windows", () => {
    expect(at("C:\\tools\\run.exe \\x").args).toEqual(["\\x"]);
  });

  test("of any words comes out as it went in, when each is quoted", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", " ", "=", "\\", "$", "`", "{", "'", "\n", ";", "é"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const text = ["program", ...words.map((each) => `"${each}"`)].join(" ");
        expect(readAgentCommand(text)({ ...PLACE, directory: "{dir}" }).args).toEqual(words);
      }),
    );
  });

  test.each([
    ["", "The agent command does not name a program."],
    ["  \n", "The agent command does not name a program."],
    ["A=1 B=2", "The agent command does not name a program."],
    ["''", "The agent command does not name a program."],
    ["run 'open", "The agent command has an unclosed '."],
    ['run "open', 'The agent command has an unclosed ".'],
  ])("%j is invalid: %s", (text, message) => {
    expect(() => readAgentCommand(text)).toThrow(new AgentCommandError(message));
    if (text !== "") {
      expect(readCommand(["local", `--agent-command=${text}`])).toEqual({
        kind: "invalid",
        errors: [`--agent-command: ${message}`],
      });
    }
  });
});

test("of this machine's environment an agent gets what programs need, and no credential", () => {
  const given = { PATH: "/bin", HOME: "/home/me", MODEL_API_KEY: "secret", GITHUB_TOKEN: "secret", LANG: undefined };
  expect(machineEnvironment(given)).toEqual({ PATH: "/bin", HOME: "/home/me" });
});
