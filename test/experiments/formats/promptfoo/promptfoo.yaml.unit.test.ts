import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { refusalOf } from "../reading.ts";
import { FIXTURES, storedFile } from "../stored-file.ts";

describe("promptfoo as YAML", () => {
  const whole = readFileSync(join(FIXTURES, "promptfoo/promptfoo.yaml"), "utf8");

  test("is refused with what to write in its place where it is no YAML", async () => {
    const message = await refusalOf(promptfoo, storedFile(`${whole}\n  - [`));
    expect(message).toContain("is not valid YAML: line");
  });

  test("is refused where it is too large, before it is parsed", async () => {
    const message = await refusalOf(promptfoo, storedFile(`${whole}# ${"x".repeat(8 * 1024 * 1024)}`));
    expect(message).toContain("larger than 8 MiB");
  });

  test("is refused where aliases make more of it than it is", async () => {
    const levels = Array.from({ length: 30 }, (_, level) => {
      const before = level === 0 ? "x" : `*a${String(level - 1)}, *a${String(level - 1)}`;
      return `b${String(level)}: &a${String(level)} [${before}]`;
    });
    expect(await refusalOf(promptfoo, storedFile(`${whole}${levels.join("\n")}\n`))).toContain("is too large");
  });
});
