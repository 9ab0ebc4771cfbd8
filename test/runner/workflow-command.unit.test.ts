import { expect, test } from "vitest";
import { parseCommand, registeredCommands } from "./workflow-command.ts";

const names = new Set(registeredCommands);
const parse = (line: string) => {
  const command = parseCommand(line, names);
  return command && [command.name, Object.fromEntries(command.properties), command.data];
};

test.each([
  ["::error::it broke", ["error", {}, "it broke"]],
  [
    "::error title=Build failed,file=a%3Ab%2Cc::x%0Ay%25%0D",
    ["error", { title: "Build failed", file: "a:b,c" }, "x\ny%\r"],
  ],
  ["  \t\u00a0::warning::after space of any kind", ["warning", {}, "after space of any kind"]],
  [
    "\u0085::notice::after a next-line sign, which only .NET trims",
    ["notice", {}, "after a next-line sign, which only .NET trims"],
  ],
  ["::ERROR::in any case", ["error", {}, "in any case"]],
  ["::add-mask::a%25b", ["add-mask", {}, "a%b"]],
  ["::endgroup::", ["endgroup", {}, ""]],
  ["::error::a::b", ["error", {}, "a::b"]],
  ["text before ##[error]anywhere in the line", ["error", {}, "anywhere in the line"]],
  ["##[add-mask]a%3Bb%5D", ["add-mask", {}, "a;b]"]],
  ["##[error title=T;file=f]x", ["error", { title: "T", file: "f" }, "x"]],
  ["::error title=,file=f::x", ["error", { file: "f" }, "x"]],
])("a line is a command %j", (line, command) => {
  expect(parse(line)).toEqual(command);
});

test.each([
  "error::it broke",
  "text ::error::not at the beginning",
  "::no-such-command::x",
  "::internal-set-repo-path::x",
  "::error",
  ":: error::x",
  "##[no-such-command]x",
  "##[error",
  "\ufeff::error::after a byte order mark, which .NET does not trim",
  "",
])("a line is text %j", (line) => {
  expect(parse(line)).toBeUndefined();
});
