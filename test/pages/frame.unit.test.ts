import { expect, test } from "vitest";
import { frame, RELOAD_SCRIPT } from "../../src/pages/frame.ts";
import { markup } from "../../src/pages/markup.ts";

const REQUEST = {
  title: "<i>",
  style: "p { margin: 0; }",
  skip: { to: "main", text: "Skip" },
  body: markup`<p>Text</p>`,
};

test("a page without a script says nothing of what may run, and escapes its title", () => {
  const page = frame(REQUEST);
  expect(page).toContain("<title>&#60;i&#62;</title>\n<style>p { margin: 0; }</style>");
  expect(page).toContain('<a class="skip" href="#main">Skip</a>\n<p>Text</p>');
  expect(page).not.toMatch(/<script|http-equiv/);
});

test("a page with a script allows that one before anything else stands in it", () => {
  const page = frame({ ...REQUEST, script: "let a = '<';" });
  expect(page).toContain("<script>let a = '<';</script>");
  expect(page.indexOf("script-src &#39;sha256-")).toBeLessThan(page.indexOf("<style>"));
});

test("a page in progress loads itself again, also without scripts", () => {
  const page = frame({ ...REQUEST, isInProgress: true });
  expect(page).toContain('<noscript><meta http-equiv="refresh" content="2"></noscript>');
  expect(page).toContain(`<script>${RELOAD_SCRIPT}</script>`);
});
