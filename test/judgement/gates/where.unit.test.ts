import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writtenWhere } from "../../../src/judgement/cases/metric-key.ts";
import { parseWhere } from "../../../src/judgement/gates/where.ts";

describe("the rows that are judged", () => {
  test.each([
    ["[model = gpt-5]", [{ column: "model", value: "gpt-5" }]],
    ["model = gpt-5", [{ column: "model", value: "gpt-5" }]],
    [
      "  [ model = GPT 5 turbo , lang = de ]",
      [
        { column: "model", value: "GPT 5 turbo" },
        { column: "lang", value: "de" },
      ],
    ],
    ['["prompt version" = "v1, old"]', [{ column: "prompt version", value: "v1, old" }]],
  ])("%s", (text, where) => {
    expect(parseWhere(text)).toEqual({ ok: true, where });
  });

  test.each([
    ["", "lacks a column; as in `[model = gpt-5]`"],
    ["[]", "lacks a column; as in `[model = gpt-5]`"],
    ["[model]", "lacks `=`; as in `[model = gpt-5]`"],
    ["[model == a]", "lacks `=`; `==` is written `=`"],
    ["[model != a]", "lacks `=`; as in `[model = gpt-5]`"],
    ["[prompt version = a]", 'has a name with a space; quote it: `"prompt version"`'],
    ["[model = a", "lacks `]`, the closing bracket; as in `[model = gpt-5]`"],
    ["[model = a] b", "continues behind its bracket: `b`; as in `[model = gpt-5]`"],
    ["[model = a, model = b]", "names a column twice, and a row has one value in it"],
    ['[model = "a]', "has a quoted name without its closing quote; as in `[model = gpt-5]`"],
  ])("%s is wrong", (text, fault) => {
    expect(parseWhere(text)).toEqual({ ok: false, fault });
  });

  test("are read again as they are written, whatever their texts", () => {
    const part = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).map((text) => text.trim());
    const texts = part.filter((text) => text !== "" && !/[\r\n\p{Zl}\p{Zp}]/u.test(text));
    const values = fc.uniqueArray(fc.record({ column: texts, value: texts }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ column }) => column,
    });
    fc.assert(
      fc.property(values, (where) => {
        const read = parseWhere(writtenWhere(where));
        expect(read.ok && read.where.toSorted(byColumn)).toEqual(where.toSorted(byColumn));
        expect(writtenWhere(where.toReversed())).toBe(writtenWhere(where));
      }),
    );
  });
});

function byColumn(
  { column: one }: { readonly column: string },
  { column: other }: { readonly column: string },
): number {
  return one < other ? -1 : 1;
}
