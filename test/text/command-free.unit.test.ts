import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandFree, logLine } from "../../src/text/command-free.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";
import { hostileText } from "../front/account/hostile-text.ts";
import { commandIn } from "../front/account/runner-commands.ts";

const text = new ForeignText((raw) => raw);

describe("a line for the runner", () => {
  it("shows a workflow command with a blank in it", () => {
    expect(commandFree("  ::add-mask::x")).toBe("  : :add-mask::x");
    expect(commandFree("log: ##[group]x ##[endgroup]")).toBe("log: ## [group]x ## [endgroup]");
  });

  it("keeps colons and hashes that are no command", () => {
    const harmless = "std::vector a::b:: # ## [x] #[derive(Debug)]";
    expect(commandFree(harmless)).toBe(harmless);
  });

  it("is never one that the runner executes", () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom("", " ", "Label   ", "\u00a0"), (raw, before) => {
        expect(commandIn(commandFree(`${before}${text.line(raw)}`))).toBeUndefined();
        for (const line of text.lines(raw)) expect(commandIn(commandFree(before + line))).toBeUndefined();
      }),
    );
  });

  it("would be found by this check if it were not defused", () => {
    expect(commandIn(" \u200b::error::x")).toMatchObject({ name: "error", data: "x" });
    expect(commandIn("a #\u00ad#[add-mask]x")).toMatchObject({ name: "add-mask", data: "x" });
  });

  it("of a log is one line, without what a terminal or the runner obeys", () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom("", "agent: "), (raw, before) => {
        const line = logLine(before + raw);
        expect(commandIn(line)).toBeUndefined();
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(logLine(line)).toBe(line);
      }),
    );
  });
});
