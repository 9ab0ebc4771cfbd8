import { expect, test } from "vitest";
import { closest, closestInDirectory } from "../../src/text/closest.ts";

const KNOWN = ["install_command", "build_command", "build_on_push"];

test.each([
  ["instal_command", "install_command"],
  ["Build_Comand", "build_command"],
  ["buildOnPush", "build_on_push"],
  ["resource_spec", undefined],
  ["", undefined],
  ["install_command".repeat(10), undefined],
])("nearest to %j is %s", (name, near) => {
  expect(closest(name, KNOWN)).toBe(near);
});

test("a short name has one edit at most", () => {
  expect([closest("ab", ["ac"]), closest("ab", ["cd"])]).toEqual(["ac", undefined]);
});

test("of the names in a directory the first 1,000 in their order are compared", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `a${String(at).padStart(4, "0")}`);
  expect(closestInDirectory("baseline.csv", ["baselines.csv", ...names.slice(1)])).toBe("baselines.csv");
  expect(closestInDirectory("baseline.csv", ["baselines.csv", ...names])).toBeUndefined();
});
