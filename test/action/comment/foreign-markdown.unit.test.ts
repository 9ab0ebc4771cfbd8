import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defuseMarkdown } from "../../../action/comment/foreign-markdown.ts";
import { markdownText } from "../../../front/account/markdown.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import { hostileText } from "../../front/account/hostile-text.ts";
import "../../property-runs.ts";

const POLICY = { server: "https://github.com", repository: "octo-org/octo-repo" };
const defused = (text: string) => defuseMarkdown(text, POLICY);

test.each([
  ["### ❌ Regressed: `correct` fell"],
  ["**<https://agent.example>** · revision `7c1a64e2` · deployed in 1 min 33 s"],
  ["| Score | Mean |\n|---|---|\n| accuracy | high |"],
  ["<details><summary>3 rows with an error</summary>\n\n- `eval/results.jsonl, line 3`\n\n</details>"],
  ["workflow run <https://github.com/octo-org/octo-repo/actions/runs/7/attempts/1>"],
  ["_12 more lines are left out here_"],
  ["<code>a&#124;b</code> and \\*plain\\* text &lt;b&gt;"],
  ["<pre>\na &lt; b\n</pre>"],
])("what reports are made of stays %s", (text) => {
  expect(defused(text)).toBe(text);
});

describe("what could harm does not", () => {
  test.each([
    ["<!-- graph-deploy:end -->", ""],
    ["a <!-- b --> c", "a &lt;!-- b --&gt; c"],
    ["<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"],
    ["![x](https://evil.example/a.png)", "x (`https://evil.example/a.png`)"],
    ["[good.example](https://evil.example/)", "good.example (<https://evil.example>)"],
    ["[x](javascript:alert)", "x (`javascript:alert`)"],
    ["https://github.com/a/b/issues/1", "`https://github.com/a/b/issues/1`"],
    [
      "https://github.com/octo-org/octo-repo/actions/runs/../../issues/1",
      "`https://github.com/octo-org/octo-repo/actions/runs/../../issues/1`",
    ],
    ["@team &#64;me \\@you", "@&#8203;team @&#8203;me @&#8203;you"],
    ["a/b#12 GH-3", "a/b#&#8203;12 GH-&#8203;3"],
    ["<details><summary>@me #1</summary>", "<details><summary>@&#8203;me #&#8203;1</summary>\n\n</details>"],
    ["</details></details>", "&lt;/details&gt;&lt;/details&gt;"],
    ["```\n</pre>\n<script>", "<pre>\n&lt;/pre&gt;\n&lt;script&gt;\n</pre>"],
    ["> quoted", "&gt; quoted"],
  ])("%s", (text, markdown) => {
    expect(defused(text)).toBe(markdown);
  });

  test("no text of any kind leaves HTML, a marker or a mention", () => {
    const lines = fc.array(fc.oneof(hostileText, fc.constantFrom("<details>", "<pre>", "```", "</details>", "| a |")), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, (some) => {
        const markdown = defused(some.join("\n"));
        const rest = markdown
          .replaceAll(/<(\/?(details|summary|pre|code)|br|https?:\/\/[^\s<>]*)>/g, "")
          .replaceAll(/`[^`\n]*`/g, "");
        expect(rest).not.toMatch(/[<>]/);
        expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
        expect(markdown.match(/<pre>/g)?.length).toBe(markdown.match(/<\/pre>/g)?.length);
        const outside = rest.replaceAll(/<pre>[^]*?<\/pre>/g, "");
        if (!markdown.includes("<pre>")) expect(outside).not.toMatch(/@(?!&#8203;)/);
      }),
    );
  });

  test("plain text comes out as it would be written", () => {
    const line = hostileText
      .map((text) => new ForeignText().line(text))
      .filter((text) => !/[`_*]|https?:|\d[.)] |^[-+#] /.test(text));
    fc.assert(
      fc.property(line, (text) => {
        const markdown = markdownText(text);
        fc.pre(!markdown.startsWith("|") && markdown.trim() === markdown);
        expect(defused(markdown)).toBe(markdown);
      }),
    );
  });
});
