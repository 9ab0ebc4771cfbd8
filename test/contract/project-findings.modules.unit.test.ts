import { posix } from "node:path";
import { expect, test } from "vitest";
import { parseGraphConfig } from "../../src/contract/graph-config.ts";
import { moduleFinder } from "../../src/contract/project-findings.ts";
import type { ProjectFiles } from "../../src/contract/project-files.ts";

/** A finder in these files, and how often it looked. */
function finder(config: object, texts: Readonly<Record<string, string>>) {
  const parsed = parseGraphConfig(JSON.stringify({ graphs: { a: "a:g" }, ...config }));
  if (!parsed.ok) throw new Error(parsed.faults.join());
  let looks = 0;
  const files: ProjectFiles = {
    kindOf: (path) => {
      looks += 1;
      const at = posix.normalize(path);
      if (Object.hasOwn(texts, at)) return "file";
      return Object.keys(texts).some((file) => file.startsWith(`${at}/`)) ? "directory" : undefined;
    },
    read: (path) => texts[posix.normalize(path)],
    problemOf: () => ({ text: "does not exist" }),
    problemOfDirectory: () => undefined,
  };
  return { find: moduleFinder(parsed.config, files), looks: () => looks };
}

test("the directory of an earlier dependency wins, and src comes after it", () => {
  const texts = { "a/x.py": "", "a/src/x.py": "", "b/x.py": "", "b/src/y.py": "" };
  const { find } = finder({ dependencies: ["./a", "./b"] }, texts);
  expect(find("x")).toEqual({ state: "found", file: "a/x.py" });
  expect(find("y")).toEqual({ state: "found", file: "b/src/y.py" });
});

test("a directory is no module without its __init__.py", () => {
  const { find } = finder({ dependencies: ["."] }, { "desk/agent.py": "", "pack/__init__.py": "" });
  expect(find("desk")).toEqual({ state: "missing" });
  expect(find("pack")).toEqual({ state: "found", file: "pack/__init__.py" });
});

test("a name of the prototype of objects is a module like any other", () => {
  const { find } = finder({ dependencies: ["."] }, {});
  expect(find("constructor.__proto__")).toEqual({ state: "missing" });
});

test("packaging that names a directory above the dependency leads nowhere", () => {
  const texts = { "x.py": "", "a/pyproject.toml": 'packages = ["../", "..", "../x"]' };
  const { find } = finder({ dependencies: ["./a"] }, texts);
  expect(find("x")).toEqual({ state: "missing" });
});

test("many directories and long packaging files cost a bounded number of looks", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `"d${String(index)}"`);
  const texts = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`p${String(index)}/pyproject.toml`, `packages = [${names.join(",")}]`]),
  );
  const dependencies = Object.keys(texts).map((file) => `./${posix.dirname(file)}`);
  const { find, looks } = finder({ dependencies }, texts);
  expect(find("missing.module")).toEqual({ state: "missing" });
  expect(looks()).toBeLessThan(32 * (32 + 8));
});

test("a long packaging file of odd lines is read in a time that grows with its length", () => {
  for (const text of ["\n", " ", "=", '"', "a/", "a-"]) {
    const { find } = finder({ dependencies: ["."] }, { "pyproject.toml": text.repeat(100_000) });
    expect(find("x")).toEqual({ state: "missing" });
  }
});
