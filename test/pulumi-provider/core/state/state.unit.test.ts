import { expect, test } from "vitest";
import { checkStateVersion, STATE_VERSION } from "../../../../pulumi-provider/core/state/internals.ts";
import { meaningful } from "../../../../pulumi-provider/core/state/state.ts";

test("null and what is the engine's mean nothing", () => {
  expect(meaningful({ a: null, b: undefined, __defaults: [], c: 0, d: "" })).toEqual({ c: 0, d: "" });
});

test("state of a later version is refused by its name, and that of an earlier one is read", () => {
  checkStateVersion({});
  checkStateVersion({ stateVersion: STATE_VERSION });
  expect(() => {
    checkStateVersion({ stateVersion: STATE_VERSION + 1, name: "support" });
  }).toThrow("state of support");
});
