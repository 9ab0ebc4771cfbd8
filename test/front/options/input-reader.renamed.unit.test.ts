import { hostOf } from "../hosted.ts";
import { describe, expect, test } from "vitest";
import { InputReader } from "../../../front/options/input-reader.ts";
import { DECLARED_INPUTS } from "../../../scripts/declared-inputs.ts";
import { inputVariables } from "./step.ts";

const DECLARED = {
  defaults: { "body-path": "", body: "", size: "5", count: "5" },
  neverEmpty: {},
  renamed: { body: "body-path", count: "size" },
} as const;
const readerOf = (inputs: Partial<Record<keyof typeof DECLARED.defaults, string>>) =>
  new InputReader(hostOf(inputVariables({ ...DECLARED.defaults, ...inputs })), DECLARED);

describe("an input under its old name", () => {
  test("is read as the new one, with a warning", () => {
    const reader = readerOf({ body: " a.md ", count: "7" });
    expect([reader.text("body-path"), reader.count("size"), reader.isChanged("size")]).toEqual(["a.md", 7, true]);
    expect(reader.faults).toEqual([]);
    expect(reader.warnings).toEqual([
      "The input `body` is now called `body-path`. The old name still works; rename it.",
      "The input `count` is now called `size`. The old name still works; rename it.",
    ]);
  });

  test("is named in the errors about it, as the workflow has it", () => {
    const reader = readerOf({ count: "many" });
    reader.count("size");
    expect(reader.faults.map(({ input }) => input)).toEqual(["count"]);
  });

  test("is an error beside the new one", () => {
    const reader = readerOf({ body: "a.md", "body-path": "b.md" });
    expect(reader.text("body-path")).toBe("b.md");
    expect(reader.faults).toEqual([
      { input: "body", message: "is the old name of `body-path`, which is set too; remove `body`" },
    ]);
    expect(reader.warnings).toEqual([]);
  });

  test("says nothing where only the new one is written", () => {
    const reader = readerOf({ "body-path": "b.md", size: "6" });
    expect([reader.text("body-path"), reader.count("size")]).toEqual(["b.md", 6]);
    expect([reader.warnings, reader.faults]).toEqual([[], []]);
  });
});

test("each old name and each new one is an input of its action", () => {
  for (const { defaults, renamed = {} } of DECLARED_INPUTS.values()) {
    for (const [old, now] of Object.entries(renamed))
      expect(Object.keys(defaults)).toEqual(expect.arrayContaining([old, now]));
  }
});
