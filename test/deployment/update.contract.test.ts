import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { NoRevisionError } from "../../src/index.ts";
import { uploadRefused } from "../../src/local/faults/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { withRig, rig } from "./rig.ts";

test(
  "an update sends the secrets that it has, and no field of secrets where it has none",
  { tags: "slow" },
  async () => {
    const { deploy, service } = await rig();
    const patch = () => service.requests.findLast(({ method }) => method === "PATCH")?.json;
    await deploy();
    const secrets = [{ name: "MODEL_API_KEY", value: "sk-second-value" }];
    await deploy({ secrets });
    expect(patch()).toMatchObject({ secrets });
    await deploy();
    expect(patch()).not.toHaveProperty("secrets");
  },
);

describe("an update that fails names the deployment", () => {
  withRig("an upload that is refused twice", { tags: "slow" }, async ({ deploy, service, requests, spool }) => {
    service.faults.add(uploadRefused(2));
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    const [deployment] = service.deployments();
    expect(error).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^Deployment ${deployment?.id ?? ""} was created, but has no revision of this source: PUT .* returned 403`,
        ),
      ),
      advice: expect.stringContaining(`the next run updates deployment ${deployment?.id ?? ""}`),
    });
    expect(requests().filter((request) => request.endsWith("/upload-url"))).toHaveLength(2);
    expect(await readdir(spool)).toEqual([]);
    expect(await deploy()).toMatchObject({ outcome: "deployed", created: false, deploymentId: deployment?.id });
  });

  withRig("an update whose line was cut, which is not called undone", async ({ deploy, service }) => {
    const { deploymentId } = await deploy();
    service.faults.add({ match: { method: "PATCH" }, do: { kind: "reset", when: "after" } });
    service.faults.add({
      match: { method: "GET", path: `/v2/deployments/${deploymentId}` },
      skip: 1,
      times: 9,
      do: { kind: "answer", status: 403 },
    });
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "APPLY",
      message: expect.stringMatching(
        new RegExp(`^Deployment ${deploymentId} may or may not have been updated: PATCH `),
      ),
      advice: expect.stringContaining(`the next run updates deployment ${deploymentId}`),
    });
    expect(service.revisions(deploymentId)).toHaveLength(3);
  });

  withRig("an upload URL that has expired is renewed once", async ({ deploy, service }) => {
    service.faults.add(uploadRefused(1));
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });

  test("an update that makes no revision", async () => {
    const { deploy, service } = await rig({}, undefined, new FastClock());
    await deploy();
    service.faults.conditions.patchesWithoutRevision = 1;
    await expect(deploy({ pollCapMilliseconds: 5_000 })).rejects.toThrow(NoRevisionError);
  });
});
