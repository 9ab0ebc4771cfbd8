import { describe, expect, test } from "vitest";
import { faults, read, readStep } from "../../options/step.ts";

const REVISION = "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11";

test("with revision-id the step only waits, and needs no source", async () => {
  const step = await readStep({ "revision-id": REVISION, timeout: "90s" }, { GITHUB_WORKSPACE: "" });
  expect(step.task).toBe("follow");
  expect(step.request).toEqual({
    target: { name: "agent" },
    revisionId: REVISION,
    timeoutMilliseconds: 90_000,
    pollCapMilliseconds: 10_000,
    onSuperseded: "fail",
    smokeTest: true,
  });
});

test("a switch that is off in other letters excludes nothing", async () => {
  const step = await read({ "rollback-to": REVISION, preview: "False", "dry-run": "FALSE" });
  expect(step.request.source).toEqual({ source: "revision", revision: REVISION });
  expect((await readStep({ "revision-id": REVISION, preview: "False", wait: "True" })).task).toBe("follow");
  // What is no switch at all is not passed over, where it has no effect either.
  expect(await faults({ "revision-id": REVISION, "dry-run": "yes" })).toEqual([expect.stringMatching(/^dry-run: /)]);
  expect(await faults({ "only-owner": "yes" })).toEqual([expect.stringMatching(/^only-owner: /)]);
});

test("whatever belongs to a deploy is a fault beside revision-id", async () => {
  const why = "cannot be combined with `revision-id`, which only waits for an existing revision";
  const given = { path: "agent", secrets: "A=1", wait: "false", "dry-run": "true", "deploy-record": "record.json" };
  expect(await faults({ "revision-id": REVISION, ...given })).toEqual(
    ["path", "secrets", "wait", "dry-run", "deploy-record"].map((input) => `${input}: ${why}`),
  );
});

test("a revision-id is a uuid", async () => {
  expect(await faults({ "revision-id": "latest" })).toEqual([
    'revision-id: "latest" is not a valid UUID; to deploy, leave it out or write `none`',
  ]);
});

describe("create: once", () => {
  const byHand = { GITHUB_EVENT_NAME: "workflow_dispatch", GITHUB_RUN_ATTEMPT: "1" };
  const otherwise = (what: string) =>
    "`create: once` counts as `auto` in this run: it creates without a list only in the first attempt of a run that is " +
    `started by hand (\`workflow_dispatch\`), and this is ${what}.`;

  test.each([
    ["in the first attempt of a run that is started by hand", byHand],
    ["outside of GitHub", { GITHUB_EVENT_NAME: "" }],
  ])("once holds %s", async (_where, env) => {
    const { request, notices } = await read({ create: "once" }, env);
    expect([request.create, notices]).toEqual(["once", []]);
  });

  test.each([
    ["attempt 2", { ...byHand, GITHUB_RUN_ATTEMPT: "2" }, 'attempt "2"'],
    ["an attempt that is not known", { ...byHand, GITHUB_RUN_ATTEMPT: "" }, "an attempt whose number is unknown"],
    ["a push", { ...byHand, GITHUB_EVENT_NAME: "push" }, 'a run of the event "push"'],
    ["a schedule", { ...byHand, GITHUB_EVENT_NAME: "schedule" }, 'a run of the event "schedule"'],
  ])("counts as auto in %s, with a notice", async (_where, env, what) => {
    const { request, notices } = await read({ create: "once" }, env);
    expect([request.create, notices]).toEqual(["auto", [otherwise(what)]]);
  });

  test("is one of three words, auto where it is not given, and never empty", async () => {
    expect(await faults({ create: "always" })).toEqual(['create: "always" is not valid (choose auto, once or never)']);
    expect(await faults({ create: "" })).toEqual([expect.stringMatching(/^create: is empty: /)]);
    expect((await read({})).request.create).toBe("auto");
    expect((await read({ create: "never" })).request.create).toBe("never");
  });

  test("belongs to a deploy of a source of today, and not to a preview", async () => {
    expect(await faults({ create: "once", "revision-id": REVISION })).toEqual([expect.stringMatching(/^create: /)]);
    expect(await faults({ create: "once", "rollback-to": REVISION })).toEqual([expect.stringMatching(/^create: /)]);
    expect(await faults({ create: "never", preview: "true", "github-token": "t" })).toContainEqual(
      "create: cannot be combined with `preview`, which is created where a list shows that there is none",
    );
  });
});

describe("rollback-to", () => {
  test.each(["previous", REVISION])("%s needs no source and no workspace", async (revision) => {
    const { task, request } = await read({ "rollback-to": revision, wait: "false" }, { GITHUB_WORKSPACE: "" });
    expect(task).toBe("deploy");
    expect(request).toMatchObject({
      target: { name: "agent" },
      source: { source: "revision", revision },
      sourceConfig: {},
      secrets: undefined,
      wait: false,
    });
  });

  test("excludes whatever else says what is deployed, and reports all of it at once", async () => {
    const why = "cannot be combined with `rollback-to`, which takes everything from an earlier revision";
    const given = {
      source: "github",
      path: "agent",
      "graph-config": "agent.json",
      include: "a",
      exclude: "b",
      "image-uri": "agent:1",
      "repo-ref": "main",
      "source-config": "a: 1",
      "install-command": "npm ci",
      "build-command": "npm run build",
      secrets: "A=1",
      "reserved-names": "B",
      "expected-digest": `sha256:${"a".repeat(64)}`,
      "max-size": "1MB",
    } as const;
    expect(await faults({ "rollback-to": "last", ...given })).toEqual([
      'rollback-to: "last" is neither `previous` nor a valid UUID; to deploy, leave it out or write `none`',
      ...Object.keys(given).map((input) => `${input}: ${why}`),
    ]);
    expect(await faults({ "rollback-to": "previous", "revision-id": REVISION })).toEqual([
      expect.stringMatching(/^rollback-to: cannot be combined with `revision-id`/),
    ]);
  });

  test("takes a record, which says what earlier revisions were made from", async () => {
    const { request } = await read({ "rollback-to": "previous", "deploy-record": ".graph-deploy/record.json" });
    expect(request).toMatchObject({ record: expect.stringMatching(/^\/.*\/\.graph-deploy\/record\.json$/) });
    expect(await faults({ "rollback-to": "previous", "deploy-record": "../record.json" })).toEqual([
      expect.stringMatching(/^deploy-record: /),
    ]);
    expect(await faults({ "image-uri": "agent:1", "deploy-record": "record.json" })).toEqual([
      "deploy-record: applies only to source internal_source; the source here is external_docker",
    ]);
  });

  test("refuses `previous` in a re-run, whose first attempt may have rolled back", async () => {
    const again = { GITHUB_RUN_ATTEMPT: "2" };
    expect(await faults({ "rollback-to": "previous" }, again)).toEqual([
      expect.stringMatching(/^rollback-to: `previous` is not safe in attempt 2/),
    ]);
    expect((await read({ "rollback-to": REVISION }, again)).request.source.source).toBe("revision");
    expect((await read({ "rollback-to": "previous", "dry-run": "true" }, again)).task).toBe("dry-run");
  });
});
