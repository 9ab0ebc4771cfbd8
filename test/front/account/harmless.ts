import { expect } from "vitest";
import { SECRET } from "./hostile-text.ts";
import { commandIn, runnerLines } from "./runner-commands.ts";

/** Expects a log whose only commands are its own: so many errors, closed groups, and no more warnings than are kept. */
export function expectHarmlessLog(lines: readonly string[], errors: number): void {
  const commands = lines.filter((line) => line.startsWith("::")).map(commandIn);
  const count = (name: string) => commands.filter((command) => command?.name === name).length;
  expect(count("error")).toBe(errors);
  expect(count("group")).toBe(count("endgroup"));
  expect(count("warning")).toBeLessThanOrEqual(9);
  expect(count("error") + count("group") * 2 + count("warning") + count("notice") + count("debug")).toBe(
    commands.length,
  );
  for (const line of lines) {
    expect(runnerLines(line)).toHaveLength(1);
    expect(line).not.toContain(SECRET);
    if (!line.startsWith("::")) expect(commandIn(line)).toBeUndefined();
  }
}

// Every tag that a summary itself writes; what is left must hold none.
const OWN_TAGS = /<\/?(?:details|summary|pre|code)>|<br>|<https?:\/\/[^\s<>|`]*>/g;

/** Expects markdown with no tag, link or mention of others, no secret, and tables that keep their columns. */
export function expectHarmlessMarkdown(text: string): void {
  expect(text).not.toContain(SECRET);
  const prose = text
    .replace(/<pre>[^]*?<\/pre>/g, "")
    .replace(/(?<!\\)`[^`\n]*`/g, "")
    .replace(OWN_TAGS, "");
  expect(text.replace(OWN_TAGS, "")).not.toMatch(/[<>]/);
  expect(prose).not.toMatch(/(?<!\\)[`[\]~]/);
  expect(prose).not.toMatch(/@[a-z0-9]/i);
  for (const table of text.matchAll(/(?:^\|.*\n)+/gm)) {
    const columns = table[0]
      .trimEnd()
      .split("\n")
      .map((line) => line.match(/\|/g)?.length);
    expect(new Set(columns).size).toBe(1);
  }
}
