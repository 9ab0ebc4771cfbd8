import fc from "fast-check";
import { expect, test } from "vitest";
import { factList, table } from "../../src/pages/table.ts";

const hostile = fc.string({
  unit: fc.constantFrom("<", ">", "&", '"', "'", "a", "/", ":", "_", " ", "🙂", "javascript:"),
});

test("no text of a table becomes a tag", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(
        table(text, [text], [[text]])
          .text.match(/<[a-z]+/g)
          ?.filter((tag) => tag !== "<wbr"),
      ).toEqual([...["<div", "<table", "<tr", "<th", "<tr", "<td"]]);
    }),
  );
});

test("a number stands at the right of its column, and a sentence gets room", () => {
  const { text } = table("Scores", ["Key", { number: "Mean" }, { text: "Values" }], [["a", 0, "b"]]);
  expect(text).toContain('<tr><td>a</td><td class="n">0</td><td class="t">b</td></tr>');
});

test("a cell that names its row is its heading", () => {
  const { text } = table("Runs", [{ name: "" }, "Now"], [["Commit", "4f1c09a"]]);
  expect(text).toContain(
    '<tr><td></td><th scope="col">Now</th></tr>\n<tr><th scope="row">Commit</th><td>4f1c09a</td></tr>',
  );
});

test("a fact without a value is left out with its name", () => {
  const { text } = factList([
    ["Runs", 0],
    ...(["", undefined, false] as const).map((value) => ["Nothing", value] as const),
  ]);
  expect(text).toBe('<dl class="facts"><div><dt>Runs</dt><dd>0</dd></div></dl>');
});
