import { expect, test } from "vitest";
import { adviceAt, warningAt } from "../../src/contract/advice.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";

class Failure extends GraphDeployError {
  readonly code = "SPOOL";
}

test("the advice of every caller comes first, then that of the door; the same sentence stands once", () => {
  const error = new Failure("It failed.", { advice: "Free space." });
  expect(adviceAt({ SPOOL: "Set `spool`." }, error)).toBe("Free space. Set `spool`.");
  expect(adviceAt({ SPOOL: "Free space." }, error)).toBe("Free space.");
  expect(adviceAt({}, new Failure("It failed."))).toBe("");
});

test("the reasons of an error stand for its code, and a function sees the error", () => {
  const table = { SPOOL: "By its code.", NO_SCORES: (error: GraphDeployError) => `By ${error.message}` };
  expect(adviceAt(table, new Failure("its reason.", { reasons: ["NO_SCORES"] }))).toBe("By its reason.");
});

test("an error that says nothing of its own passes on what its cause calls for, and a circle ends", () => {
  const cause = new Failure("Inside.", { reasons: ["NO_SCORES"] });
  const outer = new Failure("Outside.", { cause });
  expect(adviceAt({ NO_SCORES: "Add a score." }, outer)).toBe("Add a score.");
  outer.cause = outer;
  expect(adviceAt({}, outer)).toBe("");
});

test("a name that every object has is no entry of a table", () => {
  expect(warningAt({}, { message: "Mind.", code: "constructor" })).toBe("Mind.");
  expect(warningAt({ OLD: "Update." }, { message: "Mind.", code: "OLD" })).toBe("Mind. Update.");
});
