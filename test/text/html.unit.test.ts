import { expect, test } from "vitest";
import { unescapeHtml } from "../../src/text/html.ts";

test("what a server escaped reads as it was, and what is no character stays", () => {
  expect(unescapeHtml("&lt;b&gt; &amp;amp; &#39;x&#x27; &nbsp;|")).toBe("<b> &amp; 'x'  |");
  expect(unescapeHtml("&nothing; &#999999999; &#x110000; &constructor;")).toBe(
    "&nothing; &#999999999; &#x110000; &constructor;",
  );
});
