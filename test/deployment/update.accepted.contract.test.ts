import { describe, expect, test } from "vitest";
import { deploy, type DeployEvent } from "../../src/index.ts";
import type { FaultAction } from "../../src/local/faults/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { rig } from "./rig.ts";

const REVISION = { method: "GET", path: /\/revisions\/[^/]+$/ } as const;
const FOREVER = Number.POSITIVE_INFINITY;

/** A deployment that is updated once more, after which something fails. */
async function updating() {
  const clock = new FastClock();
  const parts = await rig({}, undefined, clock);
  const { deploymentId } = await parts.deploy({ timeoutMilliseconds: 600_000 });
  const newest = () => parts.service.deployments()[0]?.latest_revision_id ?? "";
  return { ...parts, clock, deploymentId, newest };
}

const FAILURES: readonly (readonly [string, FaultAction])[] = [
  ["403", { kind: "answer", status: 403 }],
  ["401", { kind: "answer", status: 401 }],
  ["a truncated body", { kind: "truncate" }],
  ["503", { kind: "answer", status: 503 }],
  ["a web page", { kind: "answer", status: 200, headers: { "content-type": "text/html" }, body: "<html>Login</html>" }],
];

describe("an update that was accepted names its revision", () => {
  test.each(FAILURES)("when the first look at it gets %s", { tags: "slow" }, async (_name, action) => {
    const { deploy, service, deploymentId, newest, of } = await updating();
    const before = newest();
    service.faults.add({ match: REVISION, do: action, times: FOREVER });
    const error: unknown = await deploy({ timeoutMilliseconds: 3_600_000, pollCapMilliseconds: 10_000 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(newest()).not.toBe(before);
    expect(error).toMatchObject({
      code: "WAIT",
      deploymentId,
      revisionId: newest(),
      message: expect.stringContaining(
        `revision ${newest()} of deployment ${deploymentId} is building in the service, but it cannot be read: GET `,
      ),
    });
    expect(of("update-answered").at(-1)).toMatchObject({ deploymentId, revisionId: newest() });
  });

  test("when the deploy does not wait for it", async () => {
    const { deploy, service, newest } = await updating();
    service.faults.add({ match: REVISION, do: { kind: "answer", status: 403 }, times: FOREVER });
    await expect(deploy({ wait: false })).rejects.toMatchObject({ code: "WAIT", revisionId: expect.any(String) });
    expect(newest()).not.toBe("");
  });

  test("when the response to the update itself is cut", async () => {
    const { deploy, service, newest } = await updating();
    service.faults.add({ match: { method: "PATCH" }, do: { kind: "truncate" } });
    service.faults.add({ match: REVISION, do: { kind: "answer", status: 403 }, times: FOREVER });
    const error: unknown = await deploy({ pollCapMilliseconds: 10_000 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "WAIT", revisionId: newest() });
    expect(service.requests.filter(({ method }) => method === "PATCH")).toHaveLength(2);
  });

  test("when the response to it says nothing of its source", async () => {
    const { deploy, service, newest } = await updating();
    service.faults.add({
      match: { method: "PATCH" },
      do: { kind: "edit", edit: (json) => ({ ...(json as object), source_revision_config: undefined }) },
    });
    service.faults.add({ match: REVISION, do: { kind: "answer", status: 403 }, times: FOREVER });
    const error: unknown = await deploy({ pollCapMilliseconds: 10_000 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "WAIT", revisionId: newest() });
  });

  test("when the run is cancelled before it could be read", async () => {
    const { deploy, service, cancel, newest, deploymentId } = await updating();
    const stalled = service.faults.add({ match: REVISION, do: { kind: "stall" } });
    const ended = deploy().catch((thrown: unknown) => thrown);
    await expect.poll(() => stalled.hits).toBe(1);
    cancel.abort();
    expect(await ended).toMatchObject({ outcome: "cancelled", revisionId: newest(), deploymentId });
  });

  test("and a first revision that came with the create is named, too", async () => {
    const { deploy, service, clock } = await rigOfImages();
    service.faults.add({ match: REVISION, do: { kind: "answer", status: 403 }, times: FOREVER });
    const error: unknown = await deploy().catch((thrown: unknown) => thrown);
    const { id, latest_revision_id: revisionId } = service.deployments()[0] ?? {};
    expect(error).toMatchObject({ code: "WAIT", deploymentId: id, revisionId });
    expect(clock.now()).toBeLessThan(60_000);
  });
});

async function rigOfImages() {
  const clock = new FastClock();
  const parts = await rig({}, undefined, clock);
  const source = { source: "external_docker", imageUri: "registry.example/agent:1.0" } as const;
  return { ...parts, clock, deploy: () => parts.deploy({ source }) };
}

test("an update whose response names no revision says that one is building", { tags: "slow" }, async () => {
  const { deploy, service, deploymentId } = await updating();
  const old = service.deployments()[0]?.latest_revision_id;
  service.faults.add({
    match: { method: "PATCH" },
    do: { kind: "edit", edit: (json) => ({ ...(json as object), latest_revision_id: old }) },
  });
  service.faults.add({
    match: { method: "GET", path: /revisions/ },
    do: { kind: "answer", status: 403 },
    times: FOREVER,
  });
  await expect(deploy()).rejects.toMatchObject({
    code: "WAIT",
    deploymentId,
    message: expect.stringContaining(
      "has accepted the update, and the new revision is building in the service, but its id",
    ),
  });
});

test("an outage of five minutes right after the update is survived", { tags: "slow" }, async () => {
  const { request, deps, service, clock, newest } = await updating();
  let away: ReturnType<typeof service.faults.add> | undefined;
  let since = 0;
  const emit = ({ type }: DeployEvent) => {
    if (type === "update-answered") {
      away = service.faults.add({ match: { method: "GET" }, do: { kind: "reset" }, times: FOREVER });
      since = clock.now();
    }
    if (clock.now() - since >= 300_000) away?.remove();
  };
  const patient = request({ timeoutMilliseconds: 3_600_000, pollCapMilliseconds: 1_000 });
  const ended = await deploy(patient, { ...deps, emit });
  expect(ended).toMatchObject({ outcome: "deployed", revisionId: newest() });
  expect(clock.now() - since).toBeGreaterThan(300_000);
});

describe("a deploy that does not wait", () => {
  test.each([
    ["BUILD_FAILED", "build-failed"],
    ["CREATE_FAILED", "deploy-failed"],
    ["INTERRUPTED", "interrupted"],
  ])("is red if its first look says %s", { tags: "slow" }, async (status, outcome) => {
    const { deploy, service } = await updating();
    service.faults.add({
      match: REVISION,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), status }) },
      times: FOREVER,
    });
    await expect(deploy({ wait: false })).rejects.toMatchObject({ outcome });
  });

  test.each(["BUILDING", "DEPLOYED", "UNKNOWN"])("is started if it says %s", { tags: "slow" }, async (status) => {
    const { deploy, service } = await updating();
    service.faults.add({
      match: REVISION,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), status }) },
      times: FOREVER,
    });
    expect(await deploy({ wait: false })).toMatchObject({ outcome: "started" });
  });
});
