import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connect, deploy, dryRun, follow } from "../src/index.ts";
import { startLocalService } from "../src/local/index.ts";
import { writeFiles } from "./write-files.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const imageUri = "registry.example.com/agent:1";

async function world() {
  vi.stubEnv("GRAPH_DEPLOY_URL", undefined);
  vi.stubEnv("GRAPH_DEPLOY_API_KEY", undefined);
  const service = await startLocalService({ walkMilliseconds: 20 });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await service.close();
  });
  return { service, url: service.url };
}

const untyped = (work: unknown, ...given: readonly unknown[]) =>
  Reflect.apply(work as () => unknown, undefined, given) as Promise<unknown>;

describe("a revision that exists already", () => {
  test(
    "is followed by its id, with the defaults of a deploy, by options or with clients",
    { tags: "slow" },
    async () => {
      const { url } = await world();
      const started = await deploy({ name: "agent", imageUri, wait: false }, { url });
      const { deploymentId, revisionId } = started;
      const ended = { outcome: "deployed", deploymentId, revisionId };
      expect(await follow({ name: "agent", revisionId }, { url })).toMatchObject(ended);
      expect(await follow({ deploymentId, revisionId, smokeTest: false }, { url })).toMatchObject(ended);
      const service = connect({ url });
      onTestFinished(() => service.close());
      for (const target of [{ name: "agent" }, { deploymentId }])
        expect(await follow({ target, revisionId }, service)).toMatchObject(ended);
    },
  );

  test.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "nothing",
      [],
      [
        "the first argument must be an object",
        "`name` is missing; give it, or `deploymentId`",
        "`revisionId` is missing",
      ],
    ],
    ["an id that is none", [{ deploymentId: "7", revisionId: ID }], ["`deploymentId` is not a valid UUID"]],
    [
      "an id of a variable that is not set",
      [{ name: "a", revisionId: undefined }],
      [expect.stringMatching(/^`revisionId` is undefined: /)],
    ],
    [
      "a smoke run without the test",
      [{ name: "a", revisionId: ID, smokeTest: false, smokeRun: { input: {} } }],
      ["`smokeRun` needs the smoke test; remove `smokeTest: false`"],
    ],
    ["an unknown option", [{ name: "a", revisionId: ID, timeout: 5 }], ['"timeout" is not a known option']],
  ])("is not looked for in a call with %s", async (_what, given, faults) => {
    const { url, service } = await world();
    const [first, second = { url }] = given;
    await expect(untyped(follow, first, second)).rejects.toMatchObject({ code: "ARGUMENTS", faults });
    expect(service.requests).toEqual([]);
  });
});

describe("a dry run", () => {
  test("takes what a deploy takes, and writes nothing", async () => {
    const { url, service } = await world();
    expect(await dryRun({ name: "agent", imageUri }, { url })).toMatchObject({
      outcome: "dry-run",
      change: { target: "create", name: "agent" },
    });
    expect(service.deployments()).toEqual([]);
  });

  test("takes a request of its target and its source alone, with the clients alone", { tags: "slow" }, async () => {
    const { url, service } = await world();
    const directory = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-plain-")));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await writeFiles(directory, {
      "graph.json": JSON.stringify({ graphs: { support: "./agent.py:graph" }, dependencies: [".", "requests"] }),
      "agent.py": "graph = 1\n",
    });
    const clients = connect({ url });
    onTestFinished(() => clients.close());
    const target = { name: "agent" };
    for (const source of [
      { source: "internal_source", directory },
      { source: "external_docker", imageUri },
    ] as const) {
      expect(await dryRun({ target, source }, clients)).toMatchObject({ change: { target: "create" } });
    }
    expect(service.deployments()).toEqual([]);
    const source = { source: "internal_source", directory } as const;
    expect(await deploy({ target, source, secrets: undefined }, clients)).toMatchObject({ outcome: "deployed" });
  });

  test("of wrong arguments tells all of both", async () => {
    await expect(untyped(dryRun)).rejects.toMatchObject({
      code: "ARGUMENTS",
      faults: [
        "the first argument must be an object",
        "`name` is missing",
        "`url` is missing; give the address of the service, or set GRAPH_DEPLOY_URL",
        "`apiKey` is missing; give it, or set GRAPH_DEPLOY_API_KEY",
      ],
    });
    const request = { target: { name: "a" }, source: { source: "external_docker" }, wait: "yes", size: 1 };
    await expect(untyped(dryRun, request, { clock: {}, emit: 1 })).rejects.toMatchObject({
      code: "ARGUMENTS",
      faults: [
        "`source.imageUri` is missing",
        "`wait` must be true or false",
        '"size" is not a known option',
        "`controlPlane` is missing",
        "`agentServer` is missing",
        "`clock` must be a Clock, as systemClock is",
        "`emit` must be a function",
      ],
    });
  });
});
