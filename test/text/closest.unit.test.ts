import { expect, test } from "vitest";
import { closest } from "../../src/text/closest.ts";

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
