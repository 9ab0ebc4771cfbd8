import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

const split = (...chunks: (string | Buffer)[]) => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return lines;
};

test.each([
  [["one\ntwo\n"], ["one", "two"]],
  [["one\ntwo"], ["one", "two"]],
  [["one\r\ntwo\r\n"], ["one", "two"]],
  [["progress\r::error::x\n"], ["progress", "::error::x"]],
  [
    ["one\r", "\ntwo"],
    ["one", "two"],
  ],
  [
    ["one\r", "two"],
    ["one", "two"],
  ],
  [["one\r"], ["one"]],
  [["\n\n"], ["", ""]],
  [["o", "n", "e"], ["one"]],
])("%j has the lines %j", (chunks, lines) => {
  expect(split(...chunks)).toEqual(lines);
});

test("lines do not depend on how the bytes are cut", () => {
  const text = fc.array(fc.constantFrom("a", "é", "🙂", "\r", "\n", "\r\n"), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.nat(60), (parts, cut) => {
      const bytes = Buffer.from(parts.join(""));
      expect(split(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(split(bytes));
    }),
  );
});
