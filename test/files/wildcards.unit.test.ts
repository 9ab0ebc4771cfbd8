import { expect, test } from "vitest";
import { ANY_CHAR, Wildcards, type WildcardStep } from "../../src/files/wildcards.ts";

const literal = (text: string) =>
  Array.from(text, (char): WildcardStep => ({ kind: "char", code: char.codePointAt(0) ?? 0 }));
const run = (crosses: boolean): WildcardStep => ({ kind: "run", crosses });

test("a character beyond the first plane is one, and a slash is none that any stands for", () => {
  expect(new Wildcards([ANY_CHAR]).matches("🙂")).toBe(true);
  expect(new Wildcards([ANY_CHAR]).matches("/")).toBe(false);
  expect(new Wildcards(literal("🙂")).matches("🙂")).toBe(true);
});

test("a run stays in its directory unless it crosses them, and may be empty", () => {
  const within = new Wildcards([...literal("a"), run(false), ...literal("z")]);
  const across = new Wildcards([...literal("a"), run(true), ...literal("z")]);
  expect([within.matches("az"), within.matches("abz"), within.matches("a/z")]).toEqual([true, true, false]);
  expect([across.matches("az"), across.matches("a/b/z"), across.matches("a/b")]).toEqual([true, true, false]);
});

test("no steps match the empty text alone", () => {
  expect([new Wildcards([]).matches(""), new Wildcards([]).matches("a")]).toEqual([true, false]);
});

test("a pattern of many runs takes the steps times the characters at most", () => {
  const steps = Array.from({ length: 200 }, () => [run(true), ...literal("a")]).flat();
  expect(new Wildcards([...steps, ...literal("b")]).matches(`b${"a".repeat(5_000)}`)).toBe(false);
});
