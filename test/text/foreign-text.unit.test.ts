import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, ForeignText } from "../../src/text/foreign-text.ts";
import { hostileText } from "../front/account/hostile-text.ts";

const SECRET = "s3cr3t-value";
const text = new ForeignText((raw) => raw.replaceAll(SECRET, "***"));

describe("a text from outside on one line", () => {
  it("loses colours, links and other escape sequences of terminals", () => {
    expect(text.line("\u001b[31mred\u001b[0m \u001b]8;;http://evil\u0007link\u001b]8;;\u0007")).toBe("red link");
  });

  it("loses characters that turn or hide what is read", () => {
    expect(text.line("invoice\u202Egpj.exe\u200b\u0000\u2066")).toBe("invoicegpj.exe");
  });

  it("folds every kind of line break into a blank", () => {
    expect(text.line("a\r\nb\rc\nd\u2028e\u0085f\vg")).toBe("a b c d e f g");
  });

  it("keeps the letters, accents and signs of people", () => {
    const said = "Größe: 文字 – naïve (50 %) std::vector<int> 🙂";
    expect(text.line(said)).toBe(said);
  });

  it("shows no secret, not even one that was split by invisible characters", () => {
    expect(text.line("key s3cr3t-\u200bvalue and s3cr3t-\u001b[0mvalue")).toBe("key *** and ***");
  });

  it("cuts after the secrets are out, so that no half of one stays", () => {
    expect(text.line(`${"x".repeat(15)}${SECRET}`, 20)).toBe(`${"x".repeat(15)}***`);
  });

  it("is cut without half a character", () => {
    expect(cut("ab🙂cd", 4)).toBe("ab…");
    expect(cut("abcd", 4)).toBe("abcd");
    expect(cut("abcde", 4)).toBe("abc…");
  });

  it("is always one line of visible characters within its limit", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 40 }), (raw, most) => {
        const line = text.line(raw, most);
        expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(line.length).toBeLessThanOrEqual(most);
        expect(line).not.toContain(SECRET);
      }),
    );
  });
});

describe("a text from outside line by line", () => {
  it("keeps the blanks that indent it", () => {
    expect(text.lines("if x:\n    pass\n\tdone  \n")).toEqual(["if x:", "    pass", "  done", ""]);
  });

  it("has no line break within a line", () => {
    fc.assert(
      fc.property(hostileText, (raw) => {
        for (const line of text.lines(raw)) expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it("shows no secret that spans several lines", () => {
    const pem = new ForeignText((raw) => raw.replaceAll("BEGIN\nabc\nEND", "***"));
    expect(pem.lines("x\nBEGIN\nabc\nEND\ny")).toEqual(["x", "***", "y"]);
    expect(pem.line("x BEGIN\nabc\nEND")).toBe("x ***");
  });
});
