import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { rig } from "./rig.ts";

const CREATE = { method: "POST", path: /\/v2\/deployments$/ };

/** The error of a first deploy whose creates all end so. */
async function failing(action: FaultRule["do"]): Promise<unknown> {
  const { deploy, service } = await rig({}, undefined, new FastClock());
  service.faults.add({ times: Infinity, match: CREATE, do: action });
  const error: unknown = await deploy({ timeoutMilliseconds: 3_600_000 }).catch((caught: unknown) => caught);
  expect(service.deployments()).toEqual([]);
  return error;
}

describe("a create that fails", () => {
  test("for certain names the deployment, and keeps the advice of its cause", async () => {
    expect(await failing({ kind: "answer", status: 422 })).toMatchObject({
      code: "APPLY",
      message: expect.stringMatching(/^"support-agent" was not created: POST .* 422/),
      cause: { code: "HTTP_STATUS", status: 422 },
      advice: expect.stringContaining("run again"),
    });
  });

  test("with its line cut each time leaves open whether it was created", async () => {
    expect(await failing({ kind: "reset" })).toMatchObject({
      code: "APPLY",
      message: expect.stringMatching(/^"support-agent" may or may not have been created: POST /),
    });
  });

  test("because the name is taken keeps the error that names it", async () => {
    expect(await failing({ kind: "answer", status: 409 })).toMatchObject({ code: "NAME_TAKEN" });
  });
});

test("a service that gives a new deployment another name costs a warning with both names", async () => {
  const { deploy, service, of } = await rig();
  service.faults.add({
    match: CREATE,
    do: { kind: "edit", edit: (json) => ({ ...(json as object), name: "support-agent-2" }) },
  });
  const { deploymentId } = await deploy();
  expect(of("warning").map(({ message }) => message)).toEqual([
    `The service named deployment ${deploymentId} "support-agent-2", not "support-agent": the next run finds it by that name or by its id only.`,
  ]);
});
