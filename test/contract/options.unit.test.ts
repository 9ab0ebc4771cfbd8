import { describe, expect, test } from "vitest";
import { count, flag, line, lines } from "../../src/contract/option-kinds.ts";
import { checkOptions, kebabCase, option, spelt } from "../../src/contract/options.ts";

const TABLE = {
  rollbackTo: option(line, { about: "Goes back.", word: "none", excludes: "which takes everything from before" }),
  path: option(line, { about: "Directory.", default: ".", of: ["directory"], notWith: ["rollbackTo"] }),
  smokeInput: option(line, { about: "Input of a run." }),
  smokeGraph: option(line, { about: "Graph for `smokeInput`.", with: "smokeInput" }),
};

const faultsOf = (given: readonly string[], source?: string) =>
  checkOptions(TABLE, (name) => given.includes(name), source).map(
    ({ field, code, message }) => `${field} ${code} ${message}`,
  );

describe("the options that are given", () => {
  test("say nothing where they go together", () => {
    expect(faultsOf(["path", "smokeInput", "smokeGraph"], "directory")).toEqual([]);
    expect(faultsOf(["rollbackTo"], "image")).toEqual([]);
  });

  test("cannot be combined with one that excludes them, and it says why", () => {
    expect(faultsOf(["path", "rollbackTo"], "image")).toEqual([
      "path NOT_WITH cannot be combined with `rollbackTo`, which takes everything from before",
    ]);
  });

  test("need the option that they are for, and their source where it is known", () => {
    expect(faultsOf(["smokeGraph"])).toEqual(["smokeGraph WITHOUT has no effect without `smokeInput`"]);
    expect(faultsOf(["path"], "image")).toEqual([
      "path OF_SOURCE applies only to source directory; the source here is image",
    ]);
    expect(faultsOf(["path"])).toEqual([]);
  });
});

test("an empty text is the default, and no value where there is none", () => {
  expect(option(flag, { about: "", default: "true" }).parse("")).toEqual({ value: true });
  expect(option(lines, { about: "", default: "" }).parse("")).toEqual({ value: [] });
  expect(option(count(), { about: "" }).parse("")).toEqual({ value: undefined });
  expect(option(count(), { about: "" }).parse("0").fault).toBe('"0" must be a positive integer, or empty');
});

test("a sentence has the names of a door, also before a value, and leaves what is no name", () => {
  const spelling = kebabCase({ maxBytes: "max-size" });
  expect(spelt("Only with `smokeTest: false`; `maxBytes` and `build_on_push` stay `none`.", spelling)).toBe(
    "Only with `smoke-test: false`; `max-size` and `build_on_push` stay `none`.",
  );
});
