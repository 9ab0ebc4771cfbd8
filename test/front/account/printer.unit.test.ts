import { runnerScreen } from "../../../action/host.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Printer } from "../../../front/account/printer.ts";
import { expectHarmlessLog } from "./harmless.ts";
import { SECRET } from "./hostile-deploy.ts";
import { hostileText } from "./hostile-text.ts";
import { commandIn, runnerLines } from "./runner-commands.ts";

const redact = (text: string) => text.replaceAll(SECRET, "***");

function printed(debug: boolean, print: (printer: Printer) => void): readonly string[] {
  const lines: string[] = [];
  print(new Printer({ screen: runnerScreen((line) => lines.push(line), debug), redact, debug }));
  return lines;
}

type Texts = readonly [string, string, string];

// Each way to print, with as many errors as it shows.
const WAYS: readonly (readonly [string, (printer: Printer, texts: Texts) => void, number])[] = [
  ["a line", (printer, [text]) => printer.line("", text), 0],
  ["a line with a label", (printer, [text]) => printer.line("Label", text), 0],
  ["lines", (printer, texts) => printer.lines("Label", texts), 0],
  ["items", (printer, texts) => printer.items("Label", texts), 0],
  ["a line with a time", (printer, [text]) => printer.at(5_000, text), 0],
  ["a sentence", (printer, [text]) => printer.sentence(text), 0],
  ["a block", (printer, texts) => printer.block(texts), 0],
  [
    "pairs",
    (printer, [one, two, three]) =>
      printer.pairs([
        [one, two],
        [three, one],
      ]),
    0,
  ],
  ["a group", (printer, [title, ...texts]) => printer.group(title, texts), 0],
  ["a long group", (printer, [title, ...texts]) => printer.longGroup(title, texts), 0],
  ["warnings", (printer, [text, title, file]) => printer.warning(text, { title, file, line: 1 }), 0],
  ["an error", (printer, [title, text, file]) => printer.error(title, text, { file, line: 1 }), 1],
  ["a debug line", (printer, [text]) => printer.debugging(text), 0],
];

test.each(WAYS)("a hostile text in %s does nothing in the log", (_way, print, errors) => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (...texts) => {
      expectHarmlessLog(
        printed(true, (printer) => print(printer, texts)),
        errors,
      );
    }),
  );
});

test("a hostile text in a notice is only its text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [line = "", ...others] = printed(false, (printer) => printer.notice(text));
      expect(others).toEqual([]);
      expect(runnerLines(line)).toHaveLength(1);
      expect(line).not.toContain(SECRET);
      expect(commandIn(line)).toMatchObject({ name: "notice", properties: {} });
    }),
  );
});

test("more warnings than a runner keeps are lines, and a warning stands once", () => {
  const lines = printed(false, (printer) => {
    for (let time = 0; time < 2; time += 1) for (let at = 0; at < 12; at += 1) printer.warning(`w${String(at)}`);
  });
  expect(lines.map((line) => commandIn(line)?.name)).toEqual([
    ...Array.from({ length: 9 }, () => "warning"),
    ...Array.from({ length: 3 }, () => undefined),
  ]);
});
