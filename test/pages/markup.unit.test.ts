import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEmpty, joined, jsonMarkup, markup, prose, type Content } from "../../src/pages/markup.ts";

const text = fc.string({ unit: "binary" });

describe("a template", () => {
  test("escapes all but markup, and leaves out what is not there", () => {
    const inner = markup`<b>${"<i>"}</b>`;
    expect(markup`<p title="${`"`}">${[inner, 1, undefined, false, " & "]}</p>`.text).toBe(
      `<p title="&#34;"><b>&#60;i&#62;</b>1 &#38; </p>`,
    );
  });

  test("never lets a text act, whatever it holds", () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(markup`${foreign}`.text).not.toMatch(/[<>"']/);
        expect(markup`${foreign}`.text.isWellFormed()).toBe(true);
      }),
    );
  });

  test("holds no character that acts in an element or in an attribute, and reads the same", () => {
    expect(markup`${`<a href="x" title='y'>&amp;</a>`}`.text).toBe(
      "&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;&#60;/a&#62;",
    );
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).map((part) => `${part}<fc.property(fc.string({ unit: "binary" }), (part)>"`),
        (foreign) => {
          const { text: escaped } = markup`${foreign}`;
          expect(escaped).not.toMatch(/[<>"']|&(?!#\d+;)/);
          expect(escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(foreign);
        },
      ),
    );
  });
});

test("what shows nothing is left out between pieces", () => {
  const nothing: readonly Content[] = [undefined, false, "", [], ["", markup``]];
  expect(nothing.map(isEmpty)).toEqual(nothing.map(() => true));
  expect([0, " "].map(isEmpty)).toEqual([false, false]);
  expect(joined(["a", "", undefined, markup`<b>b</b>`, 0], " & ").text).toBe("a &#38; <b>b</b> &#38; 0");
});

describe("a sentence", () => {
  test("shows names in backticks as code", () => {
    expect(prose("Failed: `a <= 1` and `b`.").text).toBe("Failed: <code>a &#60;= 1</code> and <code>b</code>.");
  });

  test("stays as it is where a name holds a backtick", () => {
    expect(prose("Failed: `a`b`.").text).toBe("Failed: `a`b`.");
  });
});

describe("JSON in a script element", () => {
  test("is the same value, and cannot end the element or open a comment", () => {
    fc.assert(
      fc.property(fc.array(text), (values) => {
        const { text: json } = jsonMarkup([...values, "</script><!-- ]]> \u2028\u2029 &lt;"]);
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual([...values, "</script><!-- ]]> \u2028\u2029 &lt;"]);
      }),
    );
  });
});
