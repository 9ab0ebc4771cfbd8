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
  [{ session_id: " " }, "empty session_id"],
  [{ session_id: 7 }, "empty session_id"],
])("%j is refused, for another project would get the runs", (given, said) => {
  expect(() => readSession(given)).toThrow(TracerSessionError);
  expect(() => readSession(given)).toThrow(said);
});

test("an id that is not a UUID is taken as it is, with a warning", () => {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  expect(readSession({ session_id: "Support/Agent" }, warn)).toEqual({ session_id: "Support/Agent" });
  readSession({ session_id: ID }, warn);
  expect(warnings).toEqual([expect.stringMatching(/^The `session_id` of a Tracer is not a UUID/)]);
});

test("a run names no project of its own", () => {
  refuseSession({ name: "a" });
  for (const field of ["session", "session_name", "session_id"]) {
    expect(() => {
      refuseSession({ [field]: undefined });
    }).toThrow(`\`${field}\``);
  }
});
