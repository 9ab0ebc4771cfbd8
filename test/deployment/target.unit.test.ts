import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/contract/deployment.ts";
import { NoListError } from "../../src/control-plane/errors.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { findTarget, nameOf } from "../../src/deployment/target.ts";
import { HttpStatusError } from "../../src/http/errors.ts";
import { SimulatedClock } from "../wire/clocks.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const NAMED: Deployment = { id: ID, name: "a" };
const KNOWN = { id: ID, name: "a" };
const status = (code: number) => new HttpStatusError(code, [], { target: "GET /x" });

/** A service that answers so to a look by the id and to one by the name. */
function service(byId: Deployment | Error, byName: Deployment | Error | undefined) {
  const asked: string[] = [];
  const answer = <Found>(what: string, found: Found | Error) => {
    asked.push(what);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const controlPlane = { get: () => answer("id", byId), findByName: () => answer("name", byName) };
  const surroundings = { clock: new SimulatedClock(), signal: new AbortController().signal };
  return { asked, deps: { ...surroundings, controlPlane } as unknown as DeployDeps };
}

describe("the target of a deploy", () => {
  test("that an earlier run knew is looked up by its id alone", async () => {
    const { asked, deps } = service(NAMED, undefined);
    expect([await findTarget({ name: "a" }, deps, KNOWN), asked]).toEqual([{ deployment: NAMED }, ["id"]]);
  });

  test.each([
    ["has another name by now", { id: ID, name: "b" }],
    ["is gone", status(404)],
    ["may not be seen", status(403)],
  ])("that an earlier run knew and %s is looked up by its name", async (_what, byId) => {
    const { asked, deps } = service(byId, NAMED);
    expect([await findTarget({ name: "a" }, deps, KNOWN), asked]).toEqual([{ deployment: NAMED }, ["id", "name"]]);
  });

  test.each([
    ["does not exist", status(404), "DEPLOYMENT_NOT_FOUND"],
    ["has another name", { id: ID, name: "b" }, "NAME_MISMATCH"],
  ])("that is named by its id and %s is an error", async (_what, byId, reason) => {
    const { deps } = service(byId, undefined);
    await expect(findTarget({ deploymentId: ID, name: "a" }, deps)).rejects.toMatchObject({ reasons: [reason] });
  });

  test("that an earlier run knew counts as it where the service gives no name, if it was of the same name", async () => {
    const nameless = { id: ID };
    const { asked, deps } = service(nameless, undefined);
    expect([await findTarget({ name: "a" }, deps, KNOWN), asked]).toEqual([{ deployment: nameless }, ["id"]]);
    expect(await findTarget({ name: "b" }, deps, KNOWN)).toEqual({ deployment: undefined });
  });

  test("may exist where no list shows it", async () => {
    const unlisted = new NoListError("a", "GET /x returned 404", { kind: "missing" });
    expect(await findTarget({ name: "a" }, service(NAMED, unlisted).deps)).toEqual({ deployment: undefined, unlisted });
  });

  test("that cannot be looked up is an error with the name", async () => {
    await expect(findTarget({ name: "a" }, service(NAMED, status(500)).deps)).rejects.toThrow(
      /"a" cannot be looked up/,
    );
  });

  test.each([
    [{ name: "a" }, undefined, "a"],
    [{ deploymentId: ID, name: "a" }, { id: ID, name: "b" }, "a"],
    [{ deploymentId: ID }, { id: ID, name: "b" }, "b"],
    [{ deploymentId: ID }, undefined, ID],
  ])("%j of which there is %j is called %s", (target, existing, name) => {
    expect(nameOf(target, existing)).toBe(name);
  });
});
