import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { DEPLOY_ACTION_INPUTS } from "../action/deploy/options.ts";
import { parseDuration } from "../src/text/duration.ts";
import { DEPLOY_DEFAULTS } from "../src/deployment/request.ts";
import {
  connect,
  deploy,
  dryRun,
  follow,
  RollbackUnclearError,
  systemClock,
  type DeployEvent,
  type DeployProject,
  type DeployRequest,
} from "../src/index.ts";
import { startLocalService, type LocalServiceOptions } from "../src/local/index.ts";
import { writeFiles } from "./write-files.ts";

const FILES = {
  "graph.json": JSON.stringify({ graphs: { support: "./agent.py:graph" }, dependencies: [".", "requests"] }),
  "agent.py": "graph = 1\n",
};

async function world(options: LocalServiceOptions = {}, files: Readonly<Record<string, string>> = FILES) {
  const service = await startLocalService({ walkMilliseconds: 20, keepBodies: true, ...options });
  const root = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-project-")));
  const [path, spoolDirectory] = [join(root, "project"), join(root, "spool")];
  await mkdir(spoolDirectory);
  await writeFiles(path, files);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await service.close();
    await rm(root, { recursive: true, force: true });
  });
  const events: DeployEvent[] = [];
  return {
    service,
    path,
    spoolDirectory,
    events,
    run: (project: DeployProject) =>
      deploy(project, { url: service.url, spoolDirectory, emit: (event) => events.push(event) }),
  };
}

test("a folder is deployed by its name and path, with the defaults of the action", { tags: "slow" }, async () => {
  const { run, path, service, events, spoolDirectory } = await world();
  const result = await run({ name: "support-agent", path });
  expect(result).toMatchObject({ outcome: "deployed", created: true, url: expect.stringMatching(/^http:/) });
  expect(service.deployments()).toMatchObject([{ id: result.deploymentId, name: "support-agent" }]);
  expect(events.map(({ type }) => type)).toContain("agent-answered");
  expect(await readdir(spoolDirectory)).toEqual([]);
});

test(
  "what looks wrong in a folder is told, and what cannot be built is refused before anything is sent",
  { tags: "slow" },
  async () => {
    const config = { graphs: { support: "agents.support:graph" }, dependencies: [".", "requests"] };
    const odd = await world({}, { "graph.json": JSON.stringify(config) });
    expect(await odd.run({ name: "support-agent", path: odd.path })).toMatchObject({ outcome: "deployed" });
    const warnings = odd.events.flatMap((event) => (event.type === "source-read" ? event.tree.warnings : []));
    expect(warnings).toEqual([expect.stringContaining("the module agents.support was not found")]);

    const broken = await world({}, { "graph.json": JSON.stringify({ graphs: { support: "./agent.py:graph" } }) });
    await expect(broken.run({ name: "support-agent", path: broken.path })).rejects.toMatchObject({
      code: "SOURCE_TREE",
      faults: [expect.stringContaining("does not exist"), expect.stringContaining("lists no dependencies")],
    });
    expect(broken.service.requests).toEqual([]);
  },
);

test("a folder is found from the working directory, and is it when no path is given", { tags: "slow" }, async () => {
  const { run, path, events } = await world();
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
  });
  process.chdir(dirname(path));
  await run({ name: "support-agent", path: "project" });
  process.chdir(path);
  await run({ name: "support-agent" });
  const digests = events.flatMap((event) => (event.type === "source-packed" ? [event.archive.digest] : []));
  expect(new Set(digests).size).toBe(1);
  expect(digests).toHaveLength(2);
});

test("an image is deployed, with secrets and settings", async () => {
  const { run, service } = await world();
  const image = {
    name: "support-agent",
    imageUri: "registry.example.com/agent:1",
    secrets: { MODEL_KEY: "sk-123456" },
  };
  const { deploymentId } = await run({ ...image, wait: false });
  expect(service.deployments()).toMatchObject([{ id: deploymentId, source: "external_docker" }]);
  const create = service.requests.find(({ method, path }) => method === "POST" && path === "/v2/deployments");
  expect(create?.json).toMatchObject({ secrets: [{ name: "MODEL_KEY", value: "sk-123456" }] });
});

test("an earlier revision is deployed again, and only what has the expected digest", { tags: "slow" }, async () => {
  const { run, service } = await world();
  const image = (digit: string) => `registry.example.com/agent@sha256:${digit.repeat(64)}`;
  const [first, second] = [image("1"), image("2")];
  for (const imageUri of [first, second]) await run({ name: "support-agent", imageUri });
  const { deploymentId, revisionId } = await run({ name: "support-agent", rollbackTo: "previous" });
  expect(service.revisions(deploymentId)[0]).toMatchObject({
    id: revisionId,
    source_revision_config: { image_uri: first },
  });
  const sent = service.requests.length;
  const expectedDigest = `sha256:${"1".repeat(64)}`;
  await expect(run({ name: "support-agent", imageUri: second, expectedDigest })).rejects.toMatchObject({
    faults: [expect.stringMatching(/^`expectedDigest` is sha256:1+, but the image has sha256:2+$/)],
  });
  expect(service.requests).toHaveLength(sent);
});

test("a request that leaves nothing open is carried out as before, with clients of the caller", async () => {
  const { service, spoolDirectory } = await world();
  const connection = connect({ url: service.url });
  onTestFinished(() => connection.close());
  const request = {
    target: { name: "support-agent" },
    source: { source: "external_docker", imageUri: "registry.example.com/agent:1" },
    sourceConfig: {},
    secrets: undefined,
    wait: false,
    timeoutMilliseconds: 60_000,
    pollCapMilliseconds: 10,
    onSuperseded: "fail",
    smokeTest: false,
  } as const;
  const deps = { clock: systemClock, spoolDirectory, signal: new AbortController().signal, emit: () => undefined };
  expect(await deploy(request, { ...connection, ...deps })).toMatchObject({ outcome: "started" });
  const call = (...given: unknown[]) => Reflect.apply(deploy, undefined, given) as Promise<unknown>;
  await expect(call(request)).rejects.toMatchObject({
    code: "ARGUMENTS",
    faults: expect.arrayContaining(["`controlPlane` is missing"]),
  });
  await expect(call({ target: {} }, { ...connection, ...deps })).rejects.toMatchObject({
    code: "ARGUMENTS",
    faults: expect.arrayContaining(["`source` is missing", "`target` has neither name nor id"]),
  });
});

const LEFT_OUT =
  "is undefined: the variable or result that it hands on was probably not set; leave it out where there is none";

describe("an argument that decides what is deployed, or where", () => {
  const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const faultsOf = async (call: Promise<unknown>) => {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ARGUMENTS" });
    return z.object({ faults: z.array(z.string()) }).parse(error).faults;
  };

  test.each(["deploymentId", "path", "imageUri", "repoRef", "rollbackTo", "expectedDigest"])(
    "of a project may be left out, and is an error as undefined or empty: %s",
    async (argument) => {
      const { service, path, spoolDirectory } = await world();
      const call = (value: string | undefined) => {
        const project = { name: "support-agent", ...(argument === "path" ? {} : { path }), [argument]: value };
        return faultsOf(
          Reflect.apply(deploy, undefined, [project, { url: service.url, spoolDirectory }]) as Promise<unknown>,
        );
      };
      expect(await call(undefined)).toEqual([`\`${argument}\` ${LEFT_OUT}`]);
      for (const empty of ["", " "]) expect(await call(empty)).toEqual([`\`${argument}\` is empty`]);
      expect(service.requests).toEqual([]);
    },
  );

  test("is also `create`, which decides whether a deployment may be created", async () => {
    const { service, path, spoolDirectory } = await world();
    const call = (create: string | undefined) => {
      const given = [
        { name: "support-agent", path, create },
        { url: service.url, spoolDirectory },
      ];
      return faultsOf(Reflect.apply(deploy, undefined, given) as Promise<unknown>);
    };
    expect(await call(undefined)).toEqual([`\`create\` ${LEFT_OUT}`]);
    expect(await call("")).toEqual(["`create` must be auto or once or never"]);
    expect(service.requests).toEqual([]);
  });

  test("of a request is as one of a project, in a deploy, a dry run and a wait", async () => {
    const { service, spoolDirectory } = await world();
    const connection = connect({ url: service.url });
    onTestFinished(() => connection.close());
    const signal = new AbortController().signal;
    const deps = { ...connection, clock: systemClock, spoolDirectory, signal, emit: () => undefined };
    const target = { name: "support-agent" };
    const patience = {
      timeoutMilliseconds: 9,
      pollCapMilliseconds: 9,
      onSuperseded: "fail",
      smokeTest: false,
    } as const;
    const source = { source: "external_docker", imageUri: "registry.example.com/agent:1" } as const;
    const request: DeployRequest = { target, source, sourceConfig: {}, secrets: undefined, wait: false, ...patience };
    const wait = { target, revisionId: ID, ...patience };
    const call = (called: typeof deploy | typeof dryRun | typeof follow, given: object, more: object) =>
      faultsOf(Reflect.apply(called, undefined, [{ ...given, ...more }, deps]) as Promise<unknown>);
    for (const called of [deploy, dryRun]) {
      for (const [more, fault] of [
        [{ target: { ...target, deploymentId: undefined } }, `\`target.deploymentId\` ${LEFT_OUT}`],
        [{ target: { ...target, deploymentId: "" } }, "`target.deploymentId` is empty"],
        [{ target: {} }, "`target` has neither name nor id"],
        [{ source: { ...source, imageUri: undefined } }, "`source.imageUri` is missing"],
        [{ source: { source: "github", repoRef: "" } }, "`source.repoRef` is empty"],
        [{ source: { source: "revision", revision: " " } }, "`source.revision` is empty"],
        [{ source: { source: "internal_source", directory: "" } }, "`source.directory` is empty"],
        [{ source: { source: "gitlab" } }, "`source.source` must be an object whose source is internal_source,"],
        [{ expectedDigest: undefined }, `\`expectedDigest\` ${LEFT_OUT}`],
        [{ create: undefined }, `\`create\` ${LEFT_OUT}`],
        [{ create: "" }, "`create` must be auto or once or never"],
      ] as const) {
        expect(await call(called, request, more)).toEqual([expect.stringContaining(fault)]);
      }
    }
    expect(await call(follow, wait, { revisionId: "" })).toEqual(["`revisionId` is empty"]);
    expect(await call(follow, wait, { revisionId: undefined })).toEqual(["`revisionId` is missing"]);
    expect(await call(follow, wait, { target: { name: "a", deploymentId: undefined } })).toHaveLength(1);
    expect(service.requests).toEqual([]);
    expect(await dryRun({ ...request, timeoutMilliseconds: 60_000 }, deps)).toMatchObject({
      outcome: "dry-run",
      change: { target: "create" },
    });
  });
});

test(
  "the previous directory is found in the record of the deploys, also after a re-run of the bad one",
  { tags: "slow" },
  async () => {
    const { run, service, path, spoolDirectory } = await world();
    const record = join(spoolDirectory, "..", "record.json");
    const { deploymentId, revisionId: good } = await run({ name: "support-agent", path, record });
    await writeFiles(path, { "agent.py": "graph = 0 / 0\n" });
    for (const value of ["one-value", "another-value"]) {
      await run({ name: "support-agent", path, record, secrets: { KEY: value } });
    }
    await expect(run({ name: "support-agent", rollbackTo: "previous" })).rejects.toBeInstanceOf(RollbackUnclearError);
    const { revisionId } = await run({ name: "support-agent", rollbackTo: "previous", record });
    const pathOf = (id: string) =>
      service.revisions(deploymentId).find((revision) => revision.id === id)?.source_revision_config
        .source_tarball_path;
    expect(pathOf(revisionId)).toBe(pathOf(good));
  },
);

describe("arguments of a deploy", () => {
  const faultsOf = async (...given: unknown[]) => {
    const called = Reflect.apply(deploy, undefined, given) as Promise<unknown>;
    const error: unknown = await called.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ARGUMENTS" });
    return z.object({ faults: z.array(z.string()) }).parse(error).faults;
  };

  test("that are missing are reported in one sentence", async () => {
    vi.stubEnv("GRAPH_DEPLOY_URL", undefined);
    vi.stubEnv("GRAPH_DEPLOY_API_KEY", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const missing = [
      "`url` is missing; give the address of the service, or set GRAPH_DEPLOY_URL",
      "`apiKey` is missing; give it, or set GRAPH_DEPLOY_API_KEY",
    ];
    const [first, second] = ["the first argument must be an object", "the second argument must be an object"];
    missing.unshift("`name` is missing");
    expect(await faultsOf()).toEqual([first, ...missing]);
    expect(await faultsOf({})).toEqual(missing);
    expect(await faultsOf(null, null)).toEqual([first, second, ...missing]);
    expect(await faultsOf("support-agent")).toEqual([first, ...missing]);
    const unsafe = { url: "http://control.example.com" };
    expect(await faultsOf({ name: "support-agent" }, unsafe)).toEqual([
      expect.stringMatching(/^`url`: The address of control.example.com uses http/),
      missing[2],
    ]);
  });

  test("that are wrong are reported together, and nothing is sent", async () => {
    const { service } = await world();
    const project = {
      name: 7,
      paths: ".",
      timeoutMilliseconds: "30m",
      secrets: { MODEL_KEY: undefined },
      onSuperseded: "ignore",
      graphConfig: "../graph.json",
    };
    expect(await faultsOf(project, { url: service.url, apikey: "x" })).toEqual([
      "`name` must be a text",
      "`graphConfig` is outside the project",
      `\`secrets.MODEL_KEY\` ${LEFT_OUT}`,
      "`timeoutMilliseconds` must be a number of milliseconds",
      "`onSuperseded` must be fail or succeed",
      '"paths" is not a known option',
      '"apikey" is not a known option',
    ]);
    expect(await faultsOf({ name: "a" }, { url: service.url, signal: new AbortController() })).toEqual([
      "`signal` must be an AbortSignal",
    ]);
    const untyped = { name: "support-agent", sourceConfig: { build_on_push: "yes", install_command: 1 } };
    expect(await faultsOf(untyped, { url: service.url })).toEqual([
      "`sourceConfig.build_on_push` must be true or false, without quotes",
      "`sourceConfig.install_command` must be text",
    ]);
    expect(service.requests).toEqual([]);
  });

  test("that contradict each other are reported together", async () => {
    const { service } = await world();
    const project = {
      path: ".",
      imageUri: "registry.example.com/agent:1",
      secrets: { PATH: "/bin", "MODEL-KEY": "x", EMPTY: "" },
      smokeRun: { input: {}, expect: ["$.answer"] },
      smokeTest: false,
      wait: false,
    };
    expect(await faultsOf(project, { url: service.url })).toEqual([
      "`name` is missing",
      "`path` applies only to source internal_source; the source here is external_docker",
      expect.stringMatching(/^`smokeRun.expect` "\$.answer" /),
      "`smokeRun` needs the smoke test; remove `smokeTest: false`",
      "`smokeRun` needs a deploy that waits; remove `wait: false`",
      "`secrets.PATH` is set by the platform itself",
      '`secrets`: "MODEL-KEY" is not a valid name of a variable',
      "`secrets.EMPTY` is empty, which usually means the secret is not set; leave it out if that is intended",
    ]);
    const earlier = { name: "support-agent", rollbackTo: "last", path: ".", secrets: {}, imageUri: "a" };
    expect(await faultsOf(earlier, { url: service.url })).toContain(
      "`rollbackTo` is neither `previous` nor a valid UUID",
    );
    expect(await faultsOf({ ...earlier, rollbackTo: "previous" }, { url: service.url })).toEqual(
      ["path", "imageUri", "secrets"].map(
        (field) =>
          `\`${field}\` cannot be combined with \`rollbackTo\`, which takes everything from an earlier revision`,
      ),
    );
    const tag = { name: "support-agent", repoRef: "refs/tags/v1", graphConfig: "../graph.json", imageUri: "a b" };
    expect(await faultsOf(tag, { url: service.url })).toEqual([
      "`graphConfig` is outside the project",
      "`imageUri` contains whitespace",
      "`sourceConfig.build_on_push` must be false when repo_ref is a tag, because tags are immutable",
    ]);
    expect(service.requests).toEqual([]);
  });

  test("that are not given come from the environment", { tags: "slow" }, async () => {
    const { service, path, spoolDirectory } = await world({ apiKey: "key-of-the-environment" });
    vi.stubEnv("GRAPH_DEPLOY_URL", service.url);
    vi.stubEnv("GRAPH_DEPLOY_API_KEY", "key-of-the-environment");
    const project = { name: "support-agent", path };
    expect(await deploy(project, { spoolDirectory })).toMatchObject({ outcome: "deployed" });
    await expect(deploy(project, { apiKey: "another" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});

test("the defaults are those of the action", () => {
  expect(DEPLOY_DEFAULTS).toMatchObject({
    path: DEPLOY_ACTION_INPUTS.defaults.path,
    graphConfig: DEPLOY_ACTION_INPUTS.defaults["graph-config"],
    wait: JSON.parse(DEPLOY_ACTION_INPUTS.defaults.wait),
    timeoutMilliseconds: parseDuration(DEPLOY_ACTION_INPUTS.defaults.timeout),
    pollCapMilliseconds: parseDuration(DEPLOY_ACTION_INPUTS.defaults["poll-interval"]),
    onSuperseded: DEPLOY_ACTION_INPUTS.defaults["on-superseded"],
    smokeTest: JSON.parse(DEPLOY_ACTION_INPUTS.defaults["smoke-test"]),
  });
  expect(`${String(DEPLOY_DEFAULTS.maxBytes / 1024 / 1024)}MiB`).toBe(DEPLOY_ACTION_INPUTS.defaults["max-size"]);
});

test("an environment in which no certificate is checked has a warning", { tags: "slow" }, async () => {
  const { run, path, events } = await world();
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  await run({ name: "support-agent", path });
  expect(events.filter(({ type }) => type === "warning")).toEqual([
    { type: "warning", message: expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is 0/) },
  ]);
});
