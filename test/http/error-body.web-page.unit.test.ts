import { describe, expect, test } from "vitest";
import { webPageOf } from "../../src/http/error-body.ts";

const answer = (body: string, type?: string) => ({
  headers: type === undefined ? {} : { "content-type": type },
  body: Buffer.from(body),
});

describe("a web page is known", () => {
  test.each([
    ["by its type, whatever it holds", answer("Sign in", "text/html; charset=utf-8"), ""],
    ["by its type in capitals", answer("<title>A</title>", "Text/HTML"), "A"],
    ["as XHTML", answer('<?xml version="1.0"?><html/>', "application/xhtml+xml"), ""],
    ["by its first bytes, whatever its type is", answer("<!doctype html><title>B</title>", "application/json"), "B"],
    ["by its first bytes behind white space and a byte order mark", answer("\uFEFF\r\n <HTML lang=en>"), ""],
    ["by a comment before it", answer("<!-- portal --><html><title\nid=t>C</title>"), "C"],
    [
      "with escapes in its title",
      answer("<title>A &amp;lt; &#66;&#x3e;&#10;&nope;</title>", "text/html"),
      "A &lt; B> &nope;",
    ],
  ])("%s", (_, page, title) => {
    expect(webPageOf(page)).toEqual({ title });
  });

  test.each([
    ["JSON", answer('{"detail":"<html>"}', "application/json")],
    ["text", answer("200 ok", "text/plain")],
    ["XML", answer("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "application/xml")],
    ["nothing", answer("")],
    ["nothing that is called a page, as Google's object store answers", answer("", "text/html; charset=UTF-8")],
  ])("%s is none", (_, other) => {
    expect(webPageOf(other)).toBeUndefined();
  });

  test("and its title is one short line, also of a page that does not end", () => {
    const page = webPageOf(answer(`<html><title> Sign\n\tin\u0007 ${"x".repeat(500)}`));
    expect(page?.title).toMatch(/^Sign in x{112}$/);
  });
});
