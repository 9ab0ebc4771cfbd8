import { expect, test } from "vitest";
import { logTail, logTitle } from "../../src/deployment/ending.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";

const text = new ForeignText((raw) => raw.replaceAll("hunter-2", "***"));
const lines = (...messages: readonly string[]) => messages.map((message) => ({ message }));

test("an entry may have several lines, and its last line break makes none", () => {
  expect(logTail(lines("a\nb\n", "c \u001b[31mhunter-2\u001b[0m\n\n"), text)).toEqual(["a", "b", "c ***"]);
});

test("a long log shows its last lines, also of one long entry", () => {
  const many = Array.from({ length: 250 }, (_, index) => String(index));
  expect(logTail(lines(many.join("\n")), text)).toEqual(many.slice(-100));
  expect(logTail(lines(...many), text)).toEqual(many.slice(-100));
});

test("the title counts the lines that are shown", () => {
  expect([logTitle("build", 1), logTitle("deploy", 30)]).toEqual(["Build log, last line", "Deploy log, last 30 lines"]);
});
