import { runnerScreen } from "../../../action/host.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { longGroup, type Block } from "../../../front/account/part.ts";
import { Printer } from "../../../front/account/printer.ts";
import { expectHarmlessLog } from "./harmless.ts";
import { hostileText, SECRET } from "./hostile-text.ts";
import { commandIn, runnerLines } from "./runner-commands.ts";

const redact = (text: string) => text.replaceAll(SECRET, "***");

function printed(debug: boolean, print: (printer: Printer) => void): readonly string[] {
  const lines: string[] = [];
  print(new Printer({ screen: runnerScreen((line) => lines.push(line), debug), redact }));
  return lines;
}

type Texts = readonly [string, string, string];

// Each way to print, with as many errors as it shows.
const WAYS: readonly (readonly [string, (...texts: Texts) => readonly Block[], number])[] = [
  ["a line", (text) => [{ label: "", text }], 0],
  ["a line with a label", (text) => [{ label: "Label", text }], 0],
  ["lines", (...lines) => [{ label: "Label", lines }], 0],
  ["items", (...items) => [{ label: "Label", items }], 0],
  ["a line with a time", (text) => [{ at: 5_000, text }], 0],
  ["a sentence", (sentence) => [{ sentence }], 0],
  ["a block", (...copied) => [{ copied }], 0],
  [
    "pairs",
    (one, two, three) => [
      {
        pairs: [
          [one, two],
          [three, one],
        ],
      },
    ],
    0,
  ],
  ["a group", (group, ...lines) => [{ group, lines }], 0],
  ["a long group", (title, ...texts) => [longGroup(title, texts)], 0],
  ["warnings", (warning, title, file) => [{ warning, frame: { title, file, line: 1 } }], 0],
  ["an error", (title, error, file) => [{ error, frame: { title, file } }], 1],
  ["a debug line", (debugging) => [{ debugging }], 0],
];

test.each(WAYS)("a hostile text in %s does nothing in the log", (_way, blocksOf, errors) => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (...texts) => {
      expectHarmlessLog(
        printed(true, (printer) => printer.put(...blocksOf(...texts))),
        errors,
      );
    }),
  );
});

test("a hostile text in a notice is only its text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [line = "", ...others] = printed(false, (printer) => printer.put({ notice: text }));
      expect(others).toEqual([]);
      expect(runnerLines(line)).toHaveLength(1);
      expect(line).not.toContain(SECRET);
      expect(commandIn(line)).toMatchObject({ name: "notice", properties: {} });
    }),
  );
});

test("more warnings than a runner keeps are lines, and a warning stands once", () => {
  const lines = printed(false, (printer) => {
    for (let time = 0; time < 2; time += 1)
      for (let at = 0; at < 12; at += 1) printer.put({ warning: `w${String(at)}` });
  });
  expect(lines.map((line) => commandIn(line)?.name)).toEqual([
    ...Array.from({ length: 9 }, () => "warning"),
    ...Array.from({ length: 3 }, () => undefined),
  ]);
});
