import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect, deploy, dryRun, type DeployEvent, type DeployRequest, type DeployResult } from "../../src/index.ts";
import { ContractService } from "../wire/contract-service.ts";
import { FastClock } from "../wire/clocks.ts";
import { serialise, type Fault } from "../wire/faults.ts";
import { writeFiles } from "../write-files.ts";

const CREATE = "POST /v2/deployments";
const WRITES = /^(?:POST|PATCH|PUT) /;
type Silences = NonNullable<Parameters<(typeof ContractService)["start"]>[0]>;

/** A service that keeps the contract and may differ where it is silent, and runs that deploy to it. */
async function runs(silences: Silences = {}, whenLive?: () => void) {
  const clock = new FastClock();
  const service = await ContractService.start({ now: () => clock.now(), ...silences });
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-create-"));
  const record = join(directory, ".graph-deploy", "record.json");
  await writeFiles(directory, {
    "graph.json": '{ "dependencies": ["."], "graphs": { "a": "./a.py:graph" } }',
    "a.py": "graph = 1\n",
  });
  const connection = connect({
    url: service.front.url,
    apiKey: "key-0123456789",
    allowHttp: true,
    clock,
    random: () => 0,
  });
  onTestFinished(async () => {
    await connection.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const events: DeployEvent[] = [];
  const deps = {
    ...connection,
    clock,
    spoolDirectory: tmpdir(),
    signal: new AbortController().signal,
    emit: (event: DeployEvent) => {
      events.push(event);
      if (event.type === "revision-live") whenLive?.();
    },
  };
  const image = (tag: number) =>
    ({ source: "external_docker", imageUri: `agent@sha256:${String(tag).repeat(64)}` }) as const;
  const project = {
    source: "internal_source",
    directory,
    graphConfig: "graph.json",
    include: [],
    exclude: [],
    maxBytes: 1_000_000,
  } as const;
  const request = (change: Partial<DeployRequest> = {}): DeployRequest => ({
    target: { name: "support" },
    source: image(1),
    sourceConfig: {},
    secrets: undefined,
    wait: true,
    timeoutMilliseconds: 60_000,
    pollCapMilliseconds: 1_000,
    onSuperseded: "fail",
    smokeTest: false,
    ...change,
  });
  const run = (change?: Partial<DeployRequest>) => deploy(request(change), deps);
  const ends = (...attempts: readonly Promise<DeployResult>[]) => Promise.allSettled(attempts);
  return {
    service,
    clock,
    run,
    ends,
    image,
    project,
    record,
    events,
    dry: (change?: Partial<DeployRequest>) => dryRun(request(change), deps),
  };
}

describe("at a service with exactly the endpoints of the contract", () => {
  test.each<[string, Silences]>([
    ["no list", {}],
    ["a list that has another shape", { list: "unreadable" }],
  ])("and %s, three runs create nothing, and say why before the first write", async (_what, silences) => {
    const { service, run } = await runs(silences);
    for (let tag = 1; tag <= 3; tag += 1) {
      await expect(run()).rejects.toMatchObject({
        code: "PLAN",
        reasons: ["EXISTENCE_UNKNOWN"],
        message: expect.stringMatching(
          /^"support" was not created, because it may exist\. .*no list.*GET http/,
        ) as string,
      });
    }
    expect(service.deployments).toEqual([]);
    expect(service.requests().filter((request) => WRITES.test(request))).toEqual([]);
  });

  test("and a list without names, the second run creates nothing, because the one it shows may be ours", async () => {
    const { service, run } = await runs({ list: "nameless" });
    expect(await run()).toMatchObject({ created: true });
    await expect(run()).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    await expect(run()).rejects.toThrow(`it lists deployment ${service.deployments[0]?.id ?? ""} without a name`);
    expect(service.deployments).toHaveLength(1);
  });

  test("`once` creates, and asks to keep the id, by which the next two runs update the same deployment", async () => {
    const { service, run, image, events } = await runs();
    const { deploymentId, created } = await run({ create: "once" });
    expect(created).toBe(true);
    expect(events).toContainEqual({
      type: "warning",
      code: "FOUND_BY_ID_ONLY",
      message: `Deployment ${deploymentId} was created, and this service has no list: only its id leads to it.`,
    });
    for (const tag of [2, 3]) {
      expect(await run({ target: { name: "support", deploymentId }, source: image(tag) })).toMatchObject({
        deploymentId,
        created: false,
      });
    }
    expect(service.deployments.map(({ revisions }) => revisions.length)).toEqual([3]);
    expect(service.requests().filter((request) => request === CREATE)).toHaveLength(1);
  });

  test("a first revision that may not be read is named with the deployment, whose id the next run needs", async () => {
    const { service, run } = await runs();
    service.front.script({ method: "GET", path: /\/revisions\// }, answering(403, { detail: "Not allowed." }), 9);
    const error: unknown = await run({ create: "once" }).catch((caught: unknown) => caught);
    const id = service.deployments[0]?.id ?? "";
    expect(error).toMatchObject({
      code: "WAIT",
      deploymentId: id,
      revisionId: service.deployments[0]?.revisions[0]?.id,
      message: expect.stringMatching(
        new RegExp(`of deployment ${id} is building in the service, but it cannot be read: GET .* returned 403`),
      ) as string,
      advice: expect.stringContaining(`the next run updates deployment ${id} if it has this id.`) as string,
    });
  });

  test.each([true, false])(
    "the id of a record leads to the deployment, where names are hidden: %s",
    async (hidesNames) => {
      const { service, run, project, record } = await runs({ hidesNames });
      const { deploymentId } = await run({ create: "once", source: project, record });
      expect(existsSync(record)).toBe(true);
      const again = { source: project, record, secrets: [{ name: "A_KEY", value: "changed-value" }] };
      expect(await run(again)).toMatchObject({ deploymentId, created: false, outcome: "deployed" });
      expect(await run(again)).toMatchObject({ deploymentId, created: false, outcome: "unchanged" });
      expect(service.deployments).toHaveLength(1);
    },
  );

  test("the id of a record that is of another name is not used, although no response has a name", async () => {
    const { service, run, project, record } = await runs({ hidesNames: true });
    await run({ create: "once", source: project, record });
    const other = run({ target: { name: "billing" }, source: project, record });
    await expect(other).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    expect(service.deployments.map(({ revisions }) => revisions.length)).toEqual([2]);
  });

  test("a preview is red with a sentence that fits, and creates nothing", async () => {
    const { service, run } = await runs();
    await expect(run({ isTemporary: true, target: { name: "support-pr-7" } })).rejects.toMatchObject({
      reasons: ["PREVIEW_UNLISTED"],
      message: expect.stringMatching(/^The preview "support-pr-7" was not created/) as string,
      advice: "A preview is found by its name alone, so it needs a service that lists deployments.",
    });
    expect(service.deployments).toEqual([]);
  });

  test("a rollback and a wait say that the name cannot be found, and not that there is no such deployment", async () => {
    const { run } = await runs();
    await expect(run({ source: { source: "revision", revision: "previous" } })).rejects.toMatchObject({
      reasons: ["LIST_UNSUPPORTED"],
      message: expect.stringMatching(/^"support" cannot be found by its name\. This service has no list/) as string,
    });
  });

  test("a dry run ends as the run would, and says where nothing proves that the name is free", async () => {
    const { service, dry } = await runs();
    await expect(dry()).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    expect((await dry({ create: "once" })).change).toMatchObject({ target: "create", isUnlisted: true });
    expect(service.requests().filter((request) => WRITES.test(request))).toEqual([]);
  });
});

describe("at a service with a list", () => {
  test("`auto` creates once, and three runs make one deployment", async () => {
    const { service, run, image, dry } = await runs({ list: "named" });
    expect((await dry()).change).toMatchObject({ target: "create", isUnlisted: false });
    for (const tag of [1, 2, 3]) await run({ source: image(tag) });
    expect(service.deployments.map(({ revisions }) => revisions.length)).toEqual([3]);
  });

  test("`never` creates nothing where there is none, and updates what there is", async () => {
    const { service, run, image } = await runs({ list: "named" });
    await expect(run({ create: "never" })).rejects.toMatchObject({
      message: 'No deployment is named "support", and this deploy must not create one.',
      reasons: ["CREATE_NEVER"],
    });
    expect(service.deployments).toEqual([]);
    await run();
    expect(await run({ create: "never", source: image(2) })).toMatchObject({ created: false });
  });

  test("that takes a name twice, four first deploys at once are all red, with every id", async () => {
    const { service, run, ends } = await runs({ list: "named", createsTogether: 4 });
    const results = await ends(run(), run(), run(), run());
    const made = service.deployments.map(({ id }) => id);
    expect(made).toHaveLength(4);
    for (const result of results) {
      expect(result).toMatchObject({ reason: { code: "APPLY", reasons: ["NAME_TWICE"] } });
      const { message } = (result as PromiseRejectedResult).reason as Error;
      for (const id of made) expect(message).toContain(id);
    }
    // No run went on to a second revision.
    expect(service.deployments.map(({ revisions }) => revisions.length)).toEqual([1, 1, 1, 1]);
  });

  test("that takes a name twice and lags, four first deploys at once are all red once they are live", async () => {
    const { service, run, ends, events } = await runs({
      list: "named",
      createsTogether: 4,
      listLagMilliseconds: 500,
    });
    const results = await ends(run(), run(), run(), run());
    expect(service.deployments).toHaveLength(4);
    for (const result of results) expect(result).toMatchObject({ reason: { reasons: ["NAME_TWICE"] } });
    // Each run's pauses move the one clock.
    expect(events.filter(({ type }) => type === "revision-live").length).toBeGreaterThan(0);
  });

  test("that shows a second one late is still asked where the checks of the agent outlast the timeout", async () => {
    const { service, clock, run, events } = await runs({ list: "named" }, () => {
      for (const made of [...service.deployments]) service.deployments.push({ ...made, id: randomUUID() });
      clock.pass(600_000);
    });
    await expect(run()).rejects.toMatchObject({ code: "APPLY", reasons: ["NAME_TWICE"] });
    expect(events.map(({ type }) => type)).toContain("revision-live");
  });

  test("that fails after the create costs a warning, because the deployment was created", async () => {
    const { service, run, events } = await runs({ list: "named" });
    const { front } = service;
    front.script(
      { method: "POST", path: /^\/v2\/deployments$/ },
      {
        processed: true,
        act: ({ socket, answer: sent }) => {
          front.script({ method: "GET", path: /^\/v2\/deployments$/ }, answering(403, { detail: "Not now." }), 9);
          socket.end(serialise(sent ?? { status: 500 }));
        },
      },
    );
    expect(await run()).toMatchObject({ created: true, outcome: "deployed" });
    const warnings = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
    expect(warnings[0]).toMatch(
      /^Whether another run has created a second deployment named "support" is not known: GET /,
    );
  });
});

test("what a list gives for a name and is named otherwise is not updated", async () => {
  const { service, run } = await runs({ list: "named" });
  await run();
  const [made] = service.deployments;
  const one = { method: "GET", path: /^\/v2\/deployments\/[^/]+$/ };
  service.front.script(one, answering(200, { id: made?.id, name: "billing" }));
  const before = service.requests().length;
  await expect(run()).rejects.toMatchObject({
    message: `"support" cannot be looked up: The list of deployments gives deployment ${made?.id ?? ""} for the name "support", but that deployment is named "billing"`,
  });
  expect(
    service
      .requests()
      .slice(before)
      .filter((request) => WRITES.test(request)),
  ).toEqual([]);
});

function answering(status: number, body: object): Fault {
  return { processed: false, act: ({ socket }) => void socket.end(serialise({ status, body })) };
}
