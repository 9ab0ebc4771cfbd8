import { expect, test } from "vitest";
import { escapeHtml } from "../../src/text/html.ts";

test("no character of a text acts in an element or in an attribute", () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    "&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;&#60;/a&#62;",
  );
});
