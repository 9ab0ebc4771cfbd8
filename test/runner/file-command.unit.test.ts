import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFileCommand } from "./file-command.ts";

const parse = (text: string) => Object.fromEntries(parseFileCommand(text));

describe("a file command", () => {
  test.each([
    ["NAME=value\n", { NAME: "value" }],
    ["NAME=value", { NAME: "value" }],
    ["NAME=a=b\n\nNEXT=\n", { NAME: "a=b", NEXT: "" }],
    ["NAME<<EOF\nfirst\n\nsecond\nEOF\nNEXT=1\n", { NAME: "first\n\nsecond", NEXT: "1" }],
    ["NAME<<EOF\nEOF", { NAME: "" }],
    ["NAME<<EOF\n\nEOF\n", { NAME: "" }],
    ["NAME=a<<b\n", { NAME: "a<<b" }],
    ["NAME<<a=b\nvalue\na=b\n", { NAME: "value" }],
    ["NAME=1\nNAME=2\n", { NAME: "2" }],
    ["", {}],
  ])("%j is read", (text, pairs) => {
    expect(parse(text)).toEqual(pairs);
  });

  test.each([
    ["NAME\n", "Invalid format 'NAME'"],
    ["<<EOF\nx\nEOF\n", "Name must not be empty"],
    ["NAME<<\nx\n", "delimiter must not be empty"],
    ["NAME<<EOF\nx\n", "Matching delimiter not found 'EOF'"],
    ["NAME<<EOF\nx", "EOF marker missing new line"],
  ])("%j fails the step", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test("gives back any value that is written behind a delimiter of its own", () => {
    // What a lone CR before the delimiter means differs between the runners of Linux and Windows.
    const values = fc.dictionary(
      fc.stringMatching(/^[a-z]+$/),
      fc.string().filter((value) => !value.includes("\r")),
    );
    fc.assert(
      fc.property(values, (pairs) => {
        const text = Object.entries(pairs).map(
          ([name, value]) => `${name}<<ghadelimiter_1\n${value}\nghadelimiter_1\n`,
        );
        expect(parse(text.join(""))).toEqual({ ...pairs });
      }),
    );
  });
});
