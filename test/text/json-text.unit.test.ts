import { expect, test } from "vitest";
import { isCutJson, jsonText, parseJson } from "../../src/text/json-text.ts";

test("a value is shown as JSON, and one that is too deep with a phrase", () => {
  expect(jsonText({ a: [1, null] })).toBe('{"a":[1,null]}');
  const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  expect(jsonText(deep)).toBe("too deep to be shown");
});

test("a body is read behind a byte order mark, and only behind one", () => {
  expect(parseJson(Buffer.from('\ufeff{"a":"é"}'))).toEqual({ a: "é" });
  expect(() => parseJson(Buffer.from("\ufeff\ufeff1"))).toThrow(SyntaxError);
  expect(() => parseJson(Buffer.from(""))).toThrow(SyntaxError);
});

test("a text that was cut anywhere is known as the beginning of JSON, and no other text is", () => {
  const whole = JSON.stringify({ a: ['}"]', { b: "\\" }], c: 1 });
  expect(isCutJson(whole)).toBe(false);
  for (let end = 1; end < whole.length; end += 1) expect(isCutJson(whole.slice(0, end))).toBe(true);
  expect(["", "{}}", "}{", '"a', "<p>{", "[1,]"].map(isCutJson)).toEqual([false, false, false, false, false, false]);
});
