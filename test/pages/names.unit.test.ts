import fc from "fast-check";
import { expect, test } from "vitest";
import { markup } from "../../src/pages/markup.ts";
import { beginning, breakableName, link, nameText } from "../../src/pages/names.ts";

const hostile = fc.string({
  unit: fc.constantFrom("<", ">", "&", '"', "'", "a", "/", ":", "_", " ", "🙂", "javascript:"),
});

test("no name becomes a tag, an attribute or an entity", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(breakableName(text).text.replaceAll("<wbr>", "")).not.toMatch(/[<>"']|&(?!#\d+;)/);
    }),
  );
});

test("a name may break behind its marks and within long words, and reads the same", () => {
  expect(breakableName("answer_relevancy/v1.<b>").text).toBe("answer_<wbr>relevancy<wbr>/v1.<wbr>&#60;b&#62;");
  expect(breakableName("abcdefghijklmnopqr").text).toBe("abcdefghijklmnop<wbr>q<wbr>r");
  fc.assert(
    fc.property(fc.string({ maxLength: 120 }), (name) => {
      expect(breakableName(name).text.replaceAll("<wbr>", "")).toBe(markup`${name}`.text);
    }),
  );
});

test("only web addresses and paths become links", () => {
  const shown = (href: string, title = "") => markup`${link(href, "x", title)}`.text;
  expect(shown("https://a.example/x")).toBe('<a href="https://a.example/x">x</a>');
  expect(shown("/o/a", 'a"b')).toBe('<a href="/o/a" title="a&#34;b">x</a>');
  const others = ["javascript:alert(1)", "JAVASCRIPT:x", "//evil.example", "data:text/html,x", "", "ftp://a"];
  for (const href of others) expect(shown(href)).toBe("x");
});

test("a long name is cut, and a beginning holds no half of a character", () => {
  expect(nameText("x".repeat(200)).length).toBeLessThanOrEqual(121);
  expect(nameText("x".repeat(120))).toBe("x".repeat(120));
  expect(beginning("a🙂b", 2)).toBe("a");
});
