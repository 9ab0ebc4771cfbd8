import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FAULT } from "../../../src/files/json/faults.ts";
import { failureOf, file, linesOf } from "./reading.ts";

describe("the lines of a file", () => {
  test("are those that a split of its text finds, wherever a block ends", () => {
    const line = fc.oneof(
      fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" }).map((value) => JSON.stringify(value)),
      fc.constantFrom("", " ", "\t \r", "\u2028", "a\rb"),
    );
    const shape = fc.record({
      lines: fc.array(line, { maxLength: 6 }),
      end: fc.constantFrom("\n", "\r\n"),
      isLastEnded: fc.boolean(),
      mark: fc.constantFrom("", "\uFEFF"),
    });
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 7 }), ({ lines, end, isLastEnded, mark }, block) => {
        const text = mark + lines.join(end) + (isLastEnded ? end : "");
        const expected = text
          .slice(mark.length)
          .split("\n")
          .map((each, index) => ({ text: each.replace(/\r$/, ""), line: index + 1 }))
          .filter((each) => /[^ \t\r]/.test(each.text));
        const found = linesOf(file(text, block));
        expect(found.map(({ text, line }) => ({ text, line }))).toEqual(expected);
        for (const { text: piece, offset } of found) {
          expect(Buffer.from(text).toString("utf8", offset, offset + Buffer.byteLength(piece))).toBe(piece);
        }
      }),
    );
  });

  test("may be larger than a block many times over", () => {
    const long = JSON.stringify("é".repeat(50_000));
    expect(linesOf(file(`1\n${long}\n2`, 1024)).map((each) => each.text)).toEqual(["1", long, "2"]);
  });

  test.each([
    [Buffer.from("1\n\n\xff\n", "latin1"), `results.json, line 3: ${FAULT.notUtf8}.`],
    [Buffer.from("1\n2\n3\0\n"), `results.json, line 3: ${FAULT.zeroByte}.`],
    [Buffer.from("1\n2\n", "utf16le"), "results.json: the file is UTF-16, not UTF-8."],
    [
      Buffer.concat([Buffer.from("1\n"), Buffer.alloc(66 * 1024 * 1024, "a")]),
      "results.json, line 2: one value has more than 67.1 MB.",
    ],
  ])("are refused by name where they are no text (%#)", { tags: "slow" }, (content, message) => {
    for (const block of content.length > 1_000 ? [1024 * 1024] : [1, 2, 3, 1024]) {
      expect(failureOf(() => linesOf(file(content, block)))).toMatchObject({ message, code: "DATA_FILE" });
    }
  });
});
