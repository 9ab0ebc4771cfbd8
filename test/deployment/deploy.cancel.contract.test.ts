import { expect, test } from "vitest";
import type { FaultRule } from "../../src/local/index.ts";
import { withRig, rig, type Rig } from "./rig.ts";

const stall = (method: string, path: RegExp, when: "after" | "before" = "before"): FaultRule => ({
  times: Infinity,
  match: { server: "service", method, path },
  do: { kind: "stall", when },
});

/** Deploys, cancels once the service has seen the request that stalls, and answers the error. */
async function cancelledAt({ deploy, service, cancel }: Rig, rule: FaultRule): Promise<unknown> {
  const fault = service.faults.add(rule);
  const running = deploy().catch((caught: unknown) => caught);
  await expect.poll(() => fault.hits).toBe(1);
  cancel.abort();
  const error = await running;
  fault.remove();
  return error;
}

const saying = (text: RegExp) => expect.objectContaining({ message: expect.stringMatching(text) as string }) as unknown;

withRig("a cancel in the look-up says that nothing was written", async (parts) => {
  expect(await cancelledAt(parts, stall("GET", /deployments$/))).toEqual(saying(/; nothing was written\.$/));
});

withRig("a cancel in the create says that the deployment may be there", async (parts) => {
  expect(await cancelledAt(parts, stall("POST", /deployments$/, "after"))).toEqual(
    saying(/; support-agent may have been created\.$/),
  );
});

withRig("a cancel before the upload names the deployment, and says that no revision was started", async (parts) => {
  const error = await cancelledAt(parts, stall("POST", /upload-url$/));
  const id = parts.service.deployments()[0]?.id ?? "-";
  expect(error).toEqual(saying(new RegExp(`; deployment ${id} was created, and no revision of it was started\\.$`)));
});

test("a cancel of an update before its upload says that the deployment was not changed", { tags: "slow" }, async () => {
  const parts = await rig();
  const { deploymentId } = await parts.deploy();
  expect(await cancelledAt(parts, stall("PUT", /^\/objects\//))).toEqual(
    saying(new RegExp(`; deployment ${deploymentId} was not changed\\.$`)),
  );
});

withRig("a cancel in the update says what may continue", { tags: "slow" }, async (parts) => {
  const { deploymentId } = await parts.deploy();
  expect(await cancelledAt(parts, stall("PATCH", /./, "after"))).toEqual(
    saying(new RegExp(`; deployment ${deploymentId} may have been updated, and its revision may still be running`)),
  );
});

test("a cancel right after the update names the revision that its response named", { tags: "slow" }, async () => {
  const parts = await rig();
  const { deploymentId } = await parts.deploy();
  const error = await cancelledAt(parts, stall("GET", /\/revisions\/[^/]+$/));
  const revisionId = parts.service.revisions(deploymentId)[0]?.id ?? "-";
  expect(error).toMatchObject({
    deploymentId,
    revisionId,
    message: expect.stringContaining(`revision ${revisionId} of deployment ${deploymentId} is still running`) as string,
    advice: expect.stringContaining("Interrupt") as string,
  });
});

withRig("a cancel in the smoke test says that the revision is live, not that it can be stopped", async (parts) => {
  const error = await cancelledAt(parts, {
    times: Infinity,
    match: { server: "agent", path: "/ok" },
    do: { kind: "stall" },
  });
  const [revision] = parts.of("revision-started");
  expect(error).toMatchObject({
    message: expect.stringContaining(`revision ${revision?.revisionId ?? "-"} of deployment`) as string,
    advice: expect.not.stringContaining("Interrupt") as string,
  });
});

test.each([
  ["DEPLOYED", "is live, but was not checked to its end", { method: "GET", path: /\/deployments\/[^/]+$/ }],
  ["BUILD_FAILED", "ended as BUILD_FAILED", { path: /logs$/ }],
] as const)(
  "a cancel after the revision was %s does not say that it is still running",
  { tags: "slow" },
  async (end, said, match) => {
    const parts = await rig();
    if (end !== "DEPLOYED") parts.service.faults.nextRevision({ end });
    const error = await cancelledAt(parts, {
      times: Infinity,
      match: { server: "service", ...match },
      do: { kind: "stall" },
    });
    const [revision] = parts.of("revision-started");
    expect(error).toMatchObject({
      message: expect.stringContaining(
        `revision ${revision?.revisionId ?? "-"} of deployment ${revision?.deploymentId ?? "-"} ${said}.`,
      ) as string,
      advice: expect.not.stringContaining("Interrupt") as string,
    });
  },
);
