import { expect, test } from "vitest";
import { TracerSessionError } from "../../../src/tracing/client/errors.ts";
import { readSession, refuseSession } from "../../../src/tracing/tracer/session.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

test("a project is its name, its id, or both; what is null is not sent", () => {
  expect(readSession({ session_name: "a", session_id: null })).toEqual({ session_name: "a" });
  expect(readSession({ session_name: "a", session_id: ID })).toEqual({ session_name: "a", session_id: ID });
});

test.each([
  [undefined, "missing"],
  ["a", "an object"],
  [{}, "neither session_name nor session_id"],
  [{ name: "a" }, '"name"'],
  [{ session_name: "  " }, "session_name"],
  [{ session_id: "a" }, "not a UUID"],
])("%j is refused, for another project would get the runs", (given, said) => {
  expect(() => readSession(given)).toThrow(TracerSessionError);
  expect(() => readSession(given)).toThrow(said);
});

test("a run names no project of its own", () => {
  refuseSession({ name: "a" });
  for (const field of ["session", "session_name", "session_id"]) {
    expect(() => {
      refuseSession({ [field]: undefined });
    }).toThrow(`\`${field}\``);
  }
});
