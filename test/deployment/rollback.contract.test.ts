import { describe, expect, test } from "vitest";
import { PREVIOUS } from "../../src/deployment/options.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { withRig, rig } from "./rig.ts";

const to = (revision: string): Partial<DeployRequest> => ({ source: { source: "revision", revision } });
const image = (imageUri: string): Partial<DeployRequest> => ({ source: { source: "external_docker", imageUri } });
const tag = (repoRef: string): Partial<DeployRequest> => ({
  source: { source: "github", repoRef, graphConfig: "graph.json" },
  sourceConfig: { build_on_push: false },
});

const ONE = `registry.example/agent@sha256:${"1".repeat(64)}`;
const TWO = `registry.example/agent@sha256:${"2".repeat(64)}`;

interface Listed {
  readonly resources?: readonly object[];
}

function withoutServing(json: Listed): object {
  const without = (deployment: object) => ({ ...deployment, active_revision_id: null });
  return json.resources === undefined ? without(json) : { ...json, resources: json.resources.map(without) };
}

/** A deployment with these revisions in their order, all of them live. */
async function deployed(...changes: readonly Partial<DeployRequest>[]) {
  const made = await rig();
  const ids: string[] = [];
  let deploymentId = "";
  for (const change of changes) {
    const result = await made.deploy(change);
    ids.push(result.revisionId);
    ({ deploymentId } = result);
  }
  const config = (id: string) =>
    made.service.revisions(deploymentId).find((revision) => revision.id === id)?.source_revision_config;
  const begin = made.requests().length;
  return { ...made, ids, deploymentId, config, since: () => made.requests().slice(begin) };
}

describe("a rollback", () => {
  test(
    "goes to the newest before the one that serves, also where the service lists the oldest first",
    { tags: "slow" },
    async () => {
      const images = ["1", "2", "3", "4"].map((digit) => `registry.example/agent@sha256:${digit.repeat(64)}`);
      const { deploy, config, service } = await deployed(...images.map(image));
      service.faults.add({
        match: { method: "GET", path: /\/revisions$/ },
        times: Infinity,
        do: { kind: "edit", edit: (json) => ({ resources: (json as { resources: unknown[] }).resources.reverse() }) },
      });
      // A service need not say which one serves.
      service.faults.add({
        match: { method: "GET", path: /^\/v2\/deployments(\/[^/]+)?$/ },
        times: Infinity,
        do: { kind: "edit", edit: (json) => withoutServing(json as Listed) },
      });
      const { revisionId } = await deploy(to(PREVIOUS));
      expect(config(revisionId)).toMatchObject({ image_uri: images[2] });
    },
  );

  test(
    "of an uploaded project sends the path of its tarball once, and waits for the revision of that update",
    { tags: "slow" },
    async () => {
      const { deploy, write, config, of, service, since, ...made } = await deployed({
        secrets: [{ name: "KEY", value: "value-of-the-first" }],
      });
      const first = made.ids[0] ?? "";
      await write({ "src/support.py": "graph = 3\n" });
      await deploy();
      const { revisionId, ...result } = await deploy(to(first));
      expect(result).toEqual({
        outcome: "deployed",
        deploymentId: made.deploymentId,
        created: false,
        url: expect.any(String) as string,
      });
      expect(config(revisionId)).toEqual(config(first));
      const [after] = service.deployments();
      expect(after).toMatchObject({ active_revision_id: revisionId, secrets: [{ name: "KEY" }] });
      expect(of("rollback")).toMatchObject([{ revision: { id: first } }]);
      const writes = since().filter((request) => !request.startsWith("GET "));
      expect(writes.filter((request) => request.startsWith("PATCH"))).toHaveLength(2);
      expect(writes.filter((request) => request.includes("upload-url") || request.startsWith("PUT"))).toHaveLength(2);
    },
  );

  test.each([
    ["an image", image(ONE), image(TWO), { image_uri: ONE }],
    ["a tag", tag("refs/tags/v1"), tag("refs/tags/v2"), { repo_ref: "refs/tags/v1", graph_config_path: "graph.json" }],
  ])("of %s is one update with the reference of before", { tags: "slow" }, async (_, before, after, expected) => {
    const { deploy, config, since, service, of } = await deployed(before, after);
    const { revisionId } = await deploy(to(PREVIOUS));
    expect(config(revisionId)).toMatchObject(expected);
    expect(since().filter((request) => !request.startsWith("GET "))).toEqual(["PATCH /v2/deployments/ID"]);
    const patch = service.requests.find(({ method }) => method === "PATCH");
    expect(JSON.stringify(patch)).not.toContain("secrets");
    expect(of("warning")).toEqual([]);
  });

  test("goes to any revision that was live, by its id", { tags: "slow" }, async () => {
    const { deploy, ids, config } = await deployed(image(ONE), image(TWO), image(`${TWO.slice(0, -1)}3`));
    const { revisionId } = await deploy(to(ids[0]?.toUpperCase() ?? ""));
    expect(config(revisionId)).toMatchObject({ image_uri: ONE });
  });

  test("twice with `previous` goes there and back", { tags: "slow" }, async () => {
    const { deploy, config } = await deployed(image(ONE), image(TWO));
    await deploy(to(PREVIOUS));
    const { revisionId } = await deploy(to(PREVIOUS));
    expect(config(revisionId)).toMatchObject({ image_uri: TWO });
  });

  test("to a tag of an image warns that it may name another image", { tags: "slow" }, async () => {
    const { deploy, of } = await deployed(image("registry.example/agent:1"), image("registry.example/agent:2"));
    await deploy(to(PREVIOUS));
    expect(of("warning")).toMatchObject([{ message: expect.stringContaining("has no digest") as string }]);
  });

  test("makes one revision when the response to its update is lost", { tags: "slow" }, async () => {
    const { deploy, service, deploymentId, config } = await deployed(image(ONE), image(TWO));
    service.faults.add({ match: { method: "PATCH" }, do: { kind: "reset", when: "after" } });
    const { revisionId } = await deploy(to(PREVIOUS));
    expect(service.revisions(deploymentId)).toHaveLength(3);
    expect(config(revisionId)).toMatchObject({ image_uri: ONE });
  });

  test("follows its own revision, and not another one that comes right after", { tags: "slow" }, async () => {
    const { deploy, service, ids } = await deployed(image(ONE), image(TWO));
    service.faults.conditions.foreignRevisions = 1;
    await expect(deploy(to(ids[0] ?? ""))).rejects.toMatchObject({ code: "SUPERSEDED" });
  });

  test("as a dry run sends nothing, and names the reference", async () => {
    const { dryRun, since, ids, of } = await deployed(image(ONE), image(TWO));
    const { change } = await dryRun(to(PREVIOUS));
    expect(change).toMatchObject({
      target: "update",
      source: "external_docker",
      fields: [{ name: "image_uri", before: TWO, after: ONE }],
    });
    expect(of("rollback")).toMatchObject([{ revision: { id: ids[0] }, from: ids[1] }]);
    expect(since().every((request) => request.startsWith("GET "))).toBe(true);
  });
});

describe("a rollback that is not possible writes nothing:", () => {
  test.each([
    ["no earlier revision", [image(ONE)], () => PREVIOUS],
    ["all earlier ones had the same source", [image(ONE), image(ONE)], () => PREVIOUS],
    ["the revision serves already", [image(ONE), image(TWO)], (ids: readonly string[]) => ids[1] ?? ""],
    ["no such revision", [image(ONE)], () => "00000000-0000-4000-8000-000000000000"],
  ])("%s", async (_, changes, revision) => {
    const { deploy, ids, since } = await deployed(...changes);
    await expect(deploy(to(revision(ids)))).rejects.toMatchObject({ code: "PLAN", reasons: ["ROLLBACK_REVISION"] });
    expect(since().every((request) => request.startsWith("GET "))).toBe(true);
  });

  test("the revision was never live", async () => {
    const { deploy, service, deploymentId } = await deployed(image(ONE));
    service.faults.nextRevision({ end: "DEPLOY_FAILED" });
    await expect(deploy(image(TWO))).rejects.toMatchObject({ code: "REVISION_FAILED" });
    const failed = service.revisions(deploymentId)[0]?.id ?? "";
    await expect(deploy(to(failed))).rejects.toThrow(`${failed} of deployment ${deploymentId} is DEPLOY_FAILED`);
  });

  test("it was built from a branch, whose head the service builds", { tags: "slow" }, async () => {
    const { deploy, ids, since } = await deployed(tag("main"), tag("refs/tags/v2"));
    await expect(deploy(to(ids[0] ?? ""))).rejects.toMatchObject({
      code: "PLAN",
      message: expect.stringContaining('branch "main"') as string,
      advice: expect.stringContaining("Revert") as string,
    });
    expect(since().every((request) => request.startsWith("GET "))).toBe(true);
  });

  withRig("there is no deployment of the name", async ({ deploy, requests }) => {
    await expect(deploy(to(PREVIOUS))).rejects.toMatchObject({ code: "PLAN", reasons: ["NAME_NOT_FOUND"] });
    expect(requests()).toEqual(["GET /v2/deployments"]);
  });

  test.each([
    ["has no list of revisions", { kind: "answer", status: 404, body: { detail: "Not Found" } }],
    [
      "has a list without an end",
      {
        kind: "edit",
        edit: () => ({ resources: [{ id: crypto.randomUUID(), status: "BUILD_FAILED" }] }),
      },
    ],
  ] as const)("the service %s", { tags: "slow" }, async (_, fault) => {
    const { deploy, service, since } = await deployed(image(ONE), image(TWO));
    service.faults.add({ times: 1_000, match: { method: "GET", path: /\/revisions$/ }, do: fault });
    await expect(deploy(to(PREVIOUS))).rejects.toMatchObject({ code: "PLAN", reasons: ["ROLLBACK_REVISION"] });
    expect(since().filter((request) => request.endsWith("/revisions")).length).toBeLessThanOrEqual(10);
  });
});

test("a service that takes no tarball twice refuses it with one sentence, and what is live stays", async () => {
  const { deploy, write, service, ids } = await deployed({});
  await write({ "src/support.py": "graph = 3\n" });
  const { revisionId } = await deploy();
  service.faults.conditions.tarballsServeOnce = true;
  const failure = deploy(to(ids[0] ?? ""));
  await expect(failure).rejects.toMatchObject({
    code: "APPLY",
    message: expect.stringContaining(`does not accept the source of revision ${ids[0] ?? ""} again`) as string,
    advice: expect.stringContaining("Check out the commit") as string,
  });
  expect(service.deployments()).toMatchObject([{ active_revision_id: revisionId, latest_revision_id: revisionId }]);
});
