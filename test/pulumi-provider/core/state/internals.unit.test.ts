import { expect, test } from "vitest";
import { HIDDEN, internalsOf, withInternals } from "../../../../pulumi-provider/core/state/internals.ts";

const EARLIER = {
  name: "a",
  stateVersion: 1,
  holder: "h",
  adopted: true,
  drift: ["x"],
  pending: "wait",
  status: "DEPLOYED",
};

test("the internals of a state are one property, which Pulumi does not show", () => {
  const state = withInternals({ name: "a", status: "DEPLOYED" }, { holder: "h", adopted: false, pending: undefined });
  expect(state).toEqual({ name: "a", status: "DEPLOYED", [HIDDEN]: { holder: "h", adopted: false } });
  expect(HIDDEN).toMatch(/^__/);
});

test("an earlier version wrote them among the properties: they are read, and gathered when the state is written", () => {
  expect(internalsOf(EARLIER)).toMatchObject({ stateVersion: 1, holder: "h", adopted: true, pending: "wait" });
  expect(withInternals(EARLIER, { stateVersion: 2, pending: undefined })).toEqual({
    name: "a",
    status: "DEPLOYED",
    [HIDDEN]: { stateVersion: 2, holder: "h", adopted: true, drift: ["x"] },
  });
});

test("what is written stays beside what is written next to it", () => {
  const state = withInternals(withInternals({}, { holder: "h" }), { adopted: true });
  expect(internalsOf(state)).toEqual({ holder: "h", adopted: true });
});
