import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import {
  codeSpan,
  htmlText,
  markdownDetails,
  markdownSentence,
  markdownTable,
  markdownText,
  preformatted,
  webLink,
} from "../../../front/account/markdown.ts";
import { hostileText } from "./hostile-text.ts";

const clean = new ForeignText();
const hostileLine = hostileText.map((text) => clean.line(text));

describe("text in markdown", () => {
  it.each([
    ["support-agent", "support-agent"],
    ["BUILD_FAILED", "BUILD_FAILED"],
    ["_x_ *x* ~~x~~ `x`", "\\_x\\_ \\*x\\* \\~\\~x\\~\\~ \\`x\\`"],
    ["a | b \\| c", "a &#124; b &#92;&#124; c"],
    ["<b>&lt;", "&lt;b&gt;&amp;lt;"],
    ["[x](y) ![x](y) [^1]", "\\[x\\](y) !\\[x\\](y) \\[^1\\]"],
    ["thanks @me, see #12 and GH-3", "thanks @&#8203;me, see #&#8203;12 and GH-&#8203;3"],
    ["https://a.b www.a.b a@b.c", "https&#58;//a.b www&#46;a.b a@&#8203;b.c"],
    ["$x$", "&#36;x&#36;"],
    ["# x", "\\# x"],
    ["- x", "\\- x"],
    ["12. x", "12\\. x"],
    ["=== ", "\\=== "],
    ["closing #", "closing \\#"],
  ])("writes %s as %s", (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });

  it("leaves nothing that could begin a construct, whatever the text", () => {
    fc.assert(
      fc.property(hostileLine, (text) => {
        const rest = markdownText(text).replace(/\\[`*~[\]_\-+=#.)]|&(?:amp|lt|gt|#[0-9]+);/g, "");
        expect(rest).not.toMatch(/[<>&|`*~[\]\\$]|(?:^|[^A-Za-z0-9])_|_(?:$|[^A-Za-z0-9])/);
        expect(rest).not.toMatch(/www\.|:\/\//i);
        expect(markdownText(text)).not.toMatch(/@(?!&#8203;)|(?<!&)#(?=[0-9])/);
      }),
    );
  });
});

describe("a sentence in markdown", () => {
  it("shows what stands in backticks as code", () => {
    expect(markdownSentence("Set `on-superseded: succeed` for *it*.")).toBe(
      "Set `on-superseded: succeed` for \\*it\\*.",
    );
  });

  it("shows a backtick without its twin as a backtick", () => {
    expect(markdownSentence("a ` b <i>")).toBe("a \\` b &lt;i&gt;");
  });
});

describe("code in markdown", () => {
  it.each([
    ["graph_config_path", "`graph_config_path`"],
    ["@me #12 *x*", "`@me #12 *x*`"],
    ["a`b", "<code>a&#96;b</code>"],
    ["a|b", "<code>a&#124;b</code>"],
    ["</code><b>", "<code>&#60;&#47;code&#62;&#60;b&#62;</code>"],
    ["", ""],
  ])("writes %s as %s", (text, markdown) => {
    expect(codeSpan(text)).toBe(markdown);
  });

  it("cannot be ended by what it holds, whatever the text", () => {
    fc.assert(
      fc.property(hostileLine, (text) => {
        const span = codeSpan(text);
        if (text !== "") expect(span).toMatch(/^(?:`[^`<>&|\\]+`|<code>(?:[\p{L}\p{N} -]|&#[0-9]+;)+<\/code>)$/u);
      }),
    );
  });
});

describe("a link", () => {
  it.each([
    ["https://support-agent.example", "<https://support-agent.example>"],
    ["https://support-agent.example/", "<https://support-agent.example>"],
    ["http://127.0.0.1:8123/a?b=1&c=2", "<http://127.0.0.1:8123/a?b=1&c=2>"],
    ["https://a.b/<x>|`y`", "<https://a.b/%3Cx%3E%7C%60y%60>"],
    ["https://a.b/?x=&lt;", "<https://a.b/?x=&lt%3B>"],
  ])("leads to a web address: %s", (address, markdown) => {
    expect(webLink(address)).toBe(markdown);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://a@b.c", "//a.b", "no address"])(
    "never leads to %s",
    (address) => {
      expect(webLink(address)).toBe(codeSpan(address));
    },
  );

  it("holds nothing that ends it, whatever the address", () => {
    fc.assert(
      fc.property(hostileLine, (text) => {
        const link = webLink(`https://a.b/${text}`);
        expect(link).toMatch(/^<https:\/\/a\.b[^\s<>|`\\]*>$/);
      }),
    );
  });
});

it("a table keeps its columns, whatever stands in its cells", () => {
  fc.assert(
    fc.property(hostileLine, hostileLine, hostileLine, (one, two, three) => {
      const cells = [markdownText(one), codeSpan(two), markdownSentence(three)];
      const lines = markdownTable(["A", "B", "C"], [cells, ["1"]]).split("\n");
      expect(lines).toHaveLength(4);
      for (const line of lines) expect(line.match(/\|/g)).toHaveLength(4);
    }),
  );
});

describe("a closed part", () => {
  it("holds its lines as they are, and nothing that ends it", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (title, body) => {
        const part = markdownDetails(clean.line(title), preformatted(clean.lines(body)));
        const tags = part.match(/<[^>]*>/g);
        expect(tags).toEqual(["<details>", "<summary>", "</summary>", "<pre>", "</pre>", "</details>"]);
        expect(part.replace(/<\/?(?:details|summary|pre)>/g, "")).not.toContain("<");
      }),
    );
  });

  it("shows a log as it was", () => {
    expect(preformatted(["if a < b:", '  say("it\'s")'])).toBe(
      "<pre>\nif a &lt; b:\n  say(&quot;it&#39;s&quot;)\n</pre>",
    );
  });

  it("has text that is safe in the value of an attribute", () => {
    expect(htmlText(`"'<>&`)).toBe("&quot;&#39;&lt;&gt;&amp;");
  });
});
