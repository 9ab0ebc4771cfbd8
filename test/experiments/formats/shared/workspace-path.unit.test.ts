import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { FormatContext } from "../../../../src/experiments/formats/shared/format.ts";
import { workspacePaths } from "../../../../src/experiments/formats/shared/workspace-path.ts";

const workspace = resolve("/work");

function paths() {
  const warnings: string[] = [];
  const context: Pick<FormatContext, "warn" | "workspace"> = { workspace, warn: (sentence) => warnings.push(sentence) };
  return { warnings, pathOf: workspacePaths(context as FormatContext, "r.xml") };
}

test("a path in the workspace begins there, and a relative one stays as it is", () => {
  const { pathOf, warnings } = paths();
  expect(pathOf(resolve("/work/tests/a.py"))).toBe("tests/a.py");
  expect(pathOf("tests/a.py")).toBe("tests/a.py");
  expect(warnings).toEqual([]);
});

test.each(["/elsewhere/a.py", "C:\\a\\b.py", "\\\\share\\a.py"])(
  "%s stays as it is, with one warning a file",
  (path) => {
    const { pathOf, warnings } = paths();
    expect([pathOf(path), pathOf(path)]).toEqual([path, path]);
    expect(warnings).toEqual([expect.stringMatching(/^r\.xml /)]);
  },
);
