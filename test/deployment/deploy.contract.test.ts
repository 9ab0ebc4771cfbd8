import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { VerifyError } from "../../src/index.ts";
import { uploadUrlOnlyUnderV2 } from "../../src/local/faults/faults.ts";
import { withRig, rig } from "./rig.ts";

const UPLOAD = [
  "POST /deployments/ID/upload-url",
  expect.stringMatching(/^PUT \/objects\//),
  "PATCH /v2/deployments/ID",
];

withRig("a key that the service refuses has a code of its own", async ({ deploy, service, requests }) => {
  service.faults.add({ times: Infinity, match: {}, do: { kind: "answer", status: 401 } });
  await expect(deploy()).rejects.toMatchObject({ code: "UNAUTHORIZED", advice: expect.stringContaining("API key") });
  expect(requests()).toEqual(["GET /v2/deployments"]);
});

describe("a first deploy", () => {
  test("creates the deployment, uploads, patches, waits for that revision and asks the agent", async () => {
    const { deploy, service, requests, of } = await rig();
    const result = await deploy();
    expect(result).toMatchObject({ outcome: "deployed", created: true, url: expect.stringMatching(/^http:\/\/127/) });
    const [deployment, ...others] = service.deployments();
    expect(others).toEqual([]);
    expect(deployment).toMatchObject({
      id: result.deploymentId,
      name: "support-agent",
      latest_revision_id: result.revisionId,
    });
    const sent = requests();
    // The name is looked for before the create, after it, and at the end.
    const list = "GET /v2/deployments";
    expect(sent.slice(0, 7)).toEqual([list, `POST /v2/deployments`, list, list, ...UPLOAD]);
    expect(sent.slice(-2)).toEqual([list, list]);
    expect(sent.slice(7, -2).every((request) => request.startsWith("GET /v2/deployments/ID"))).toBe(true);
    expect(
      of("revision-status")
        .map(({ revision }) => revision.status)
        .at(-1),
    ).toBe("DEPLOYED");
    expect(of("agent-answered")[0]?.graphs).toEqual({ served: 2, expected: 2 });
    expect(of("ended")).toMatchObject([{ outcome: "deployed", error: undefined }]);
  });

  withRig("makes one revision besides the placeholder of the create, which is skipped", async ({ deploy, service }) => {
    const { deploymentId, revisionId } = await deploy();
    const statuses = service.revisions(deploymentId).map(({ id, status }) => [id === revisionId, status]);
    expect(statuses).toEqual([
      [true, "DEPLOYED"],
      [false, "SKIPPED"],
    ]);
  });

  test("sends the secrets with the create and not again with the patch of the same run", async () => {
    const { deploy, service } = await rig();
    const secrets = [{ name: "MODEL_API_KEY", value: "sk-very-secret-value" }];
    await deploy({ secrets });
    const bodies = service.requests.filter(({ method, json }) => method !== "GET" && json !== undefined);
    const sent = bodies.map(({ method, json }) => [method, (json as { secrets?: unknown }).secrets]);
    expect(sent).toContainEqual(["POST", secrets]);
    expect(sent).toContainEqual(["PATCH", undefined]);
  });

  withRig("leaves nothing in the spool folder", async ({ deploy, spool }) => {
    await deploy();
    expect(await readdir(spool)).toEqual([]);
  });

  withRig("continues without waiting when it is told to, and ends as started", async ({ deploy, requests }) => {
    expect(await deploy({ wait: false })).toMatchObject({ outcome: "started", url: undefined });
    expect(requests().filter((request) => request === "GET /v2/deployments/ID/revisions/ID")).toHaveLength(1);
  });

  withRig("is green when the service asks for the upload URL under /v2 only", async ({ deploy, service, requests }) => {
    service.faults.add(uploadUrlOnlyUnderV2());
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
    expect(requests()).toContain("POST /v2/deployments/ID/upload-url");
  });

  withRig("sends no create because of a list that was away for a moment", async ({ deploy, service, requests, of }) => {
    const first = await deploy();
    const list = { method: "GET", path: /\/v2\/deployments$/ };
    service.faults.add({ match: list, do: { kind: "answer", status: 404, body: "default backend - 404" } });
    expect(await deploy()).toMatchObject({ deploymentId: first.deploymentId, created: false });
    expect(requests().filter((request) => request === "POST /v2/deployments")).toHaveLength(1);
    expect(of("warning")).toEqual([]);
  });

  test("at a wrong path of the service fails with the advice to check the address, and creates nothing", async () => {
    const { deploy, service } = await rig();
    service.faults.add({ times: Infinity, match: { path: /\/v2\/deployments$/ }, do: { kind: "answer", status: 404 } });
    await expect(deploy()).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    const error: unknown = await deploy({ create: "once" }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "PLAN", advice: expect.stringContaining("path prefix") as string });
    expect(service.deployments()).toEqual([]);
  });

  withRig("two at once make one deployment, and both end green or superseded", async ({ deploy, service }) => {
    const results = await Promise.all([deploy({ onSuperseded: "succeed" }), deploy({ onSuperseded: "succeed" })]);
    expect(service.deployments()).toHaveLength(1);
    expect(results.map(({ created }) => created).sort()).toEqual([false, true]);
    expect(results.some(({ outcome }) => outcome === "deployed")).toBe(true);
  });
});

describe("a later deploy", () => {
  withRig("adds one revision to the same deployment", async ({ deploy, service, write, requests }) => {
    const first = await deploy();
    const before = requests().length;
    await write({ "src/support.py": "graph = 3\n" });
    const second = await deploy();
    expect(second).toMatchObject({
      outcome: "deployed",
      created: false,
      deploymentId: first.deploymentId,
      url: first.url,
    });
    expect(second.revisionId).not.toBe(first.revisionId);
    expect(service.revisions(first.deploymentId)).toHaveLength(3);
    expect(requests().slice(before)).not.toContain("POST /v2/deployments");
  });

  withRig("sends no secrets and no configuration that has not changed", async ({ deploy, service }) => {
    await deploy({ secrets: [{ name: "A", value: "first-value" }], sourceConfig: { install_command: "npm ci" } });
    const { deploymentId } = await deploy({ sourceConfig: { install_command: "npm ci" } });
    const deployment = service.deployments().find(({ id }) => id === deploymentId);
    expect(deployment?.secrets.map(({ name }) => name)).toEqual(["A"]);
    const patches = service.requests.filter(({ method }) => method === "PATCH");
    expect(patches.map(({ json }) => json)).toEqual([
      { source_revision_config: { source_tarball_path: expect.any(String) } },
      { source_revision_config: { source_tarball_path: expect.any(String) } },
    ]);
  });

  withRig("finds the deployment by its id, whatever its name", async ({ deploy }) => {
    const { deploymentId } = await deploy();
    expect(await deploy({ target: { deploymentId } })).toMatchObject({ deploymentId, created: false });
  });
});

describe("before anything is written", () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const writes = (requests: readonly string[]) => requests.filter((request) => !request.startsWith("GET "));

  withRig("an id that does not exist is refused, and nothing is created", async ({ deploy, requests }) => {
    const refused = deploy({ target: { deploymentId: id, name: "support-agent" } });
    await expect(refused).rejects.toMatchObject({ code: "PLAN", message: `Deployment ${id} does not exist.` });
    expect(writes(requests())).toEqual([]);
  });

  withRig("an id whose deployment has another name is refused", async ({ deploy }) => {
    const { deploymentId } = await deploy();
    await expect(deploy({ target: { deploymentId, name: "other" } })).rejects.toThrow(
      `Deployment ${deploymentId} is named "support-agent", not "other".`,
    );
  });

  withRig("a deployment of another source is refused", async ({ deploy, requests }) => {
    await deploy({ source: { source: "external_docker", imageUri: "registry/agent:1" }, smokeTest: false });
    const before = writes(requests()).length;
    await expect(deploy()).rejects.toThrow(/has the source external_docker, which cannot become internal_source/);
    expect(writes(requests())).toHaveLength(before);
  });

  test("a source that cannot be packed is refused", async () => {
    const { deploy, requests } = await rig(
      {},
      { "graph.json": '{"graphs": {"a": "./missing.py:graph"}, "dependencies": ["."]}' },
    );
    await expect(deploy()).rejects.toThrow("missing.py");
    expect(requests()).toEqual([]);
  });

  withRig("a tag without build_on_push false is refused", async ({ deploy, requests }) => {
    const source = { source: "github", repoRef: "refs/tags/v1", graphConfig: "graph.json" } as const;
    await expect(deploy({ source })).rejects.toThrow("source_config.build_on_push: must be false");
    expect(writes(requests())).toEqual([]);
  });
});

describe("other sources", () => {
  withRig("an image is created with its image_uri and patched with the next", async ({ deploy, service }) => {
    const first = await deploy({
      source: { source: "external_docker", imageUri: "registry/agent:1" },
      smokeTest: false,
    });
    const second = await deploy({
      source: { source: "external_docker", imageUri: "registry/agent:2" },
      smokeTest: false,
    });
    expect(second).toMatchObject({ deploymentId: first.deploymentId, created: false, outcome: "deployed" });
    expect(
      service.revisions(first.deploymentId).map(({ source_revision_config }) => source_revision_config.image_uri),
    ).toEqual(["registry/agent:2", "registry/agent:1"]);
  });

  withRig("the same branch again makes a new revision", async ({ deploy, service }) => {
    const source = { source: "github", repoRef: "main", graphConfig: "graph.json" } as const;
    const { deploymentId } = await deploy({ source, smokeTest: false });
    await deploy({ source, smokeTest: false });
    expect(service.revisions(deploymentId)).toHaveLength(2);
  });
});

withRig("an agent that does not let us in fails the deploy", async ({ deploy, service }) => {
  service.faults.add({ match: { server: "agent" }, do: { kind: "answer", status: 401 } });
  const error: unknown = await deploy().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(VerifyError);
  expect(error).toMatchObject({ outcome: "failed", reasons: ["AGENT_UNHEALTHY"] });
});
