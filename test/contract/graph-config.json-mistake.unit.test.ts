import fc from "fast-check";
import { expect, test } from "vitest";
import { describeJsonMistake } from "../../src/contract/graph-config.ts";

const mistake = (text: string) => {
  try {
    JSON.parse(text);
  } catch (error) {
    return describeJsonMistake(text, error);
  }
  return undefined;
};

test.each([
  ['{"a": 1, // one\n}', ": remove the comment (line 1 column 10)"],
  ['{"a": [1, /* two */ 2]}', ": remove the comment (line 1 column 11)"],
  ["# head\n{}", ": remove the comment (line 1 column 1)"],
  ['{"a": 1,\r\n}', ": remove the trailing comma (line 1 column 8)"],
  ["[1,\n2,\n\n]", ": remove the trailing comma (line 2 column 2)"],
  ["{'a': 1}", ": write strings in double quotes (line 1 column 2)"],
  ['{"a" 1}', " (line 1 column 6)"],
])("%j is described as%s", (text, description) => {
  expect(mistake(text)).toBe(description);
});

test.each(['{"a": "// no comment" "b"}', '{"a": "it\'s #1, }" 1}', '["\\",]" 1]'])(
  "what a string holds in %j is no mistake",
  (text) => {
    expect(mistake(text)).toMatch(/^ \(line 1 column \d+\)$/);
  },
);

test("a comma put behind the last value of any JSON is named", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
      const text = JSON.stringify(values);
      expect(mistake(`${text.slice(0, -1)},]`)).toBe(
        `: remove the trailing comma (line 1 column ${String(text.length)})`,
      );
    }),
  );
});

test("a long text takes no more than its share of time", { tags: "slow" }, () => {
  for (const part of ["[", '"', ",", "a", "/", " ", '\\"']) expect(mistake(part.repeat(300_000))).toBeDefined();
});
