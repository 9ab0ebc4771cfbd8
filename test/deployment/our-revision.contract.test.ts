import { describe, expect, test } from "vitest";
import * as z from "zod";
import { SupersededError } from "../../src/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { withRig, rig } from "./rig.ts";

const MISSING = { kind: "answer", status: 404, body: { detail: "Deployment not found" } } as const;
const Sent = z.object({ source_revision_config: z.object({ source_tarball_path: z.string() }) });

test(
  "a deploy waits for the revision of its own tarball when the answer names another run's",
  { tags: "slow" },
  async () => {
    const { deploy, service, of } = await rig();
    const { deploymentId } = await deploy();
    service.faults.conditions.foreignRevisions = 1;
    service.faults.add({
      match: { method: "PATCH" },
      do: {
        kind: "edit",
        edit: (json) => ({ ...(json as object), latest_revision_id: service.revisions(deploymentId)[0]?.id }),
      },
    });
    await expect(deploy()).rejects.toThrow(SupersededError);
    const patch = service.requests.findLast(({ method }) => method === "PATCH");
    const { source_tarball_path: path } = Sent.parse(patch?.json).source_revision_config;
    const [foreign, ours] = service.revisions(deploymentId);
    expect(ours?.source_revision_config.source_tarball_path).toBe(path);
    expect(foreign?.source_revision_config.source_tarball_path).not.toBe(path);
    expect(of("revision-started").at(-1)).toMatchObject({ deploymentId, revisionId: ours?.id });
  },
);

withRig("a revision that cannot be read yet is read a moment later", { tags: "slow" }, async ({ deploy, service }) => {
  const path = /\/revisions\/[^/]+$/;
  service.faults.add({ match: { path }, do: { kind: "answer", status: 404, body: { detail: "not found" } } });
  expect(await deploy()).toMatchObject({ outcome: "deployed", created: true });
});

describe("a service whose replica does not know a new deployment for half a minute", () => {
  const lag = async (match: { readonly method: string; readonly path: RegExp }, times: number) => {
    const parts = await rig({}, undefined, new FastClock());
    const handle = parts.service.faults.add({ match, times, do: MISSING });
    return { ...parts, handle };
  };

  test.each([
    ["upload-url", { method: "POST", path: /\/upload-url$/ }],
    ["PATCH", { method: "PATCH", path: /\/deployments\/[^/]+$/ }],
  ])("is asked again when %s answers 404, and gets one revision of the source", async (_what, match) => {
    const { deploy, service, handle } = await lag(match, 6);
    expect(await deploy()).toMatchObject({ outcome: "deployed", created: true });
    expect(handle.hits).toBe(6);
    expect(service.revisions(service.deployments()[0]?.id ?? "")).toHaveLength(2);
  });

  test.each([
    ["upload-url", { method: "POST", path: /\/upload-url$/ }],
    ["PATCH", { method: "PATCH", path: /\/deployments\/[^/]+$/ }],
  ])("is asked for a minute at most: %s", async (_what, match) => {
    const { deploy, handle } = await lag(match, Infinity);
    await expect(deploy()).rejects.toMatchObject({ code: "APPLY", message: expect.stringContaining("404") });
    expect(handle.hits).toBeGreaterThan(5);
    expect(handle.hits).toBeLessThan(60);
  });
});

withRig("a 404 for a deployment that was there before is an error at once", async ({ deploy, service }) => {
  await deploy();
  const match = { method: "PATCH", path: /\/deployments\/[^/]+$/ };
  service.faults.add({ match, times: Infinity, do: MISSING });
  await expect(deploy()).rejects.toMatchObject({ code: "APPLY", message: expect.stringContaining("404") });
  expect(service.requests.filter(({ method }) => method === "PATCH")).toHaveLength(2);
});
