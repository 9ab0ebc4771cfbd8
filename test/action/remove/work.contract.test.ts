import { testWith } from "../../test-with.ts";
import { describe, expect, test, vi } from "vitest";
import { sectionsOf } from "../../../action/github/comment/body.ts";
import { previewName } from "../../../src/deployment/preview-name.ts";
import { noDelete, noList } from "../../../src/local/index.ts";
import { deleteDuringPause } from "../../deployment/rig.ts";
import { stateOf } from "../../github/deployments.ts";
import { pullRequestEvent } from "../../github/events.ts";
import { forbidden, meanwhile, refused } from "../../github/faults.ts";
import { rig, scheduled } from "../preview-rig.ts";

/** A pull request with its preview, closed. */
async function closed(number = 7) {
  const found = await rig();
  const { pulls, make, github } = found;
  pulls.open({ number });
  const id = await make(`support-pr-${String(number)}-c709b1`);
  pulls.close(number);
  return { ...found, id, event: pullRequestEvent(github.state, number, "closed") };
}
const withClosed = testWith(closed);

describe("the preview of one pull request", () => {
  test("goes when it is closed, with its traces, and nothing else does", { tags: "slow" }, async () => {
    const { run, event, names, make, service } = await closed();
    for (const name of ["support", "support-pr-70", "support-pr-7-pr-7", "x-support-pr-7"]) await make(name);
    const { removed, error } = await run(event);
    expect(error).toBeUndefined();
    expect(removed).toEqual(["support-pr-7-c709b1 closed"]);
    expect(names()).toEqual(["support", "support-pr-7-pr-7", "support-pr-70", "x-support-pr-7"]);
    const deletes = service.requests.filter(({ method }) => method === "DELETE");
    expect(deletes.map(({ query }) => query.get("delete_tracing_project"))).toEqual(["true"]);
  });

  withClosed("of the input comes before that of the event", async ({ run, event, names, make, pulls }) => {
    pulls.open({ number: 8 });
    await make("support-pr-8-c709b1");
    pulls.close(8);
    expect((await run(event, { "pull-request": "8" })).removed).toEqual(["support-pr-8-c709b1 closed"]);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test("stays while it is open, also when the event says that it was closed", async () => {
    const { run, event, names, pulls } = await closed();
    pulls.reopen(7);
    expect(await run(event)).toMatchObject({ removed: [], kept: ["support-pr-7-c709b1 open"], error: undefined });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test("stays when it is opened again between the plan and the delete", async () => {
    const { run, event, names, pulls, atSecondLook } = await closed();
    atSecondLook(() => {
      pulls.reopen(7);
    });
    expect(await run(event)).toMatchObject({ removed: [], kept: ["support-pr-7-c709b1 open"] });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test.each([
    ["an outage", refused(503)],
    ["no right", forbidden("pull_requests=read")],
    ["a sign-in page", refused(200, "Sign in")],
    ["a 404 to a token that reads nothing", refused(404)],
  ])("stays when its state cannot be read: %s", async (_, fault) => {
    const { run, event, names, github } = await closed();
    github.faults.add({ path: /\/pulls/ }, fault, Infinity);
    const { removed, error } = await run(event);
    expect(removed).toEqual([]);
    expect(error).toMatchObject({ code: "UNKNOWN_STATE" });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  withClosed("names the permission that is missing", async ({ run, event, github }) => {
    github.faults.add({ path: /\/pulls/ }, forbidden("pull_requests=read"), Infinity);
    const { error } = await run(event);
    expect(error).toMatchObject({ advice: expect.stringContaining("`pull-requests: read`") });
  });

  withClosed("of a pull request that GitHub does not have goes", async ({ run, make, names }) => {
    await make("support-pr-99-c709b1");
    expect((await run(scheduled(), { "pull-request": "99", all: "false" })).removed).toEqual([
      "support-pr-99-c709b1 closed",
    ]);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  withClosed("that does not exist is a success, or an error where that is asked for", async ({ run, event }) => {
    await run(event);
    expect(await run(event)).toMatchObject({ removed: [], failed: [], error: undefined });
    expect((await run(event, { "if-missing": "fail" })).error).toMatchObject({ code: "NOT_REMOVED" });
  });

  test("that does not exist has its records read before the look at the pull request, so that those of a run that opens it again stay", async () => {
    const { run, event, github } = await closed();
    await run(event);
    const before = github.requests.length;
    await run(event);
    const asked = github.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const lookAt = asked.findIndex((request) => /^GET .*\/pulls\/7$/.test(request));
    const lastRead = asked.findLastIndex((request) => /^GET .*\/deployments$/.test(request));
    expect(lastRead).toBeGreaterThanOrEqual(0);
    expect(lookAt).toBeGreaterThan(lastRead);
  });

  test("that the service takes its time with is waited for", async () => {
    const { run, event, names, id: deploymentId, ...found } = await closed();
    deleteDuringPause({ deploymentId, ...found });
    expect((await run(event)).removed).toEqual(["support-pr-7-c709b1 closed"]);
    expect(names()).toEqual([]);
  });

  withClosed("that is not gone within the timeout is a failure, with its reason", async ({ run, event, service }) => {
    service.faults.conditions.deleteMilliseconds = 600_000;
    const { failed, error } = await run(event, { timeout: "1s" });
    expect(failed).toEqual([expect.stringMatching(/^support-pr-7-c709b1 .*still deleting/)]);
    expect(error).toMatchObject({ code: "NOT_REMOVED" });
  });

  withClosed("is only shown in a dry run", async ({ run, event, names, service }) => {
    expect((await run(event, { "dry-run": "true" })).removed).toEqual(["support-pr-7-c709b1 closed"]);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
    expect(service.requests.every(({ method }) => method !== "DELETE")).toBe(true);
  });

  withClosed("stays at a service without a delete, with one warning", async ({ run, event, names, service }) => {
    service.faults.add(noDelete());
    const { kept, warnings, error } = await run(event);
    expect({ kept, error }).toEqual({ kept: ["support-pr-7-c709b1 cannot-delete"], error: undefined });
    expect(warnings).toEqual([expect.stringContaining("support-pr-7-c709b1")]);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });
});

describe("whose a deployment with a plain name is", () => {
  const NAME = "support-pr-7";
  const HOUR = 3_600_000;
  const FAILED_EARLY = { state: "error", description: "failed, 2 s" };
  const FAILED_LATE = { state: "failure", description: "build failed, revision 0a1b-2c, 2 s" };

  interface Given extends Partial<Parameters<Awaited<ReturnType<typeof rig>>["record"]>[0]> {
    /** When the record was made, in hours from the deployment on. */
    readonly hours?: number;
  }

  /** A closed pull request, a deployment with a plain name of its preview, and these deployment records, which say that it went live. */
  async function plain(...given: readonly Given[]) {
    let now = new Date();
    const found = await rig({ now: () => now });
    const { pulls, make, github, record } = found;
    pulls.open({ number: 7 });
    const id = await make(NAME);
    pulls.close(7);
    for (const { hours = -1, ...more } of given) {
      now = new Date(Date.now() + hours * HOUR);
      await record({ name: NAME, status: { state: "success" }, ...more });
    }
    now = new Date();
    return { ...found, id, event: pullRequestEvent(github.state, 7, "closed") };
  }

  test.each<[string, Given[], Parameters<Awaited<ReturnType<typeof rig>>["run"]>[1]?]>([
    ["an earlier version recorded it before it was made", [{}]],
    ["an earlier version recorded it before it was made, and again later", [{}, { hours: 1 }]],
    ["it was recorded as the preview of the pull request", [{ payload: { preview: 7 }, hours: 1 }]],
    ["the deploy failed after it had made a revision", [{ payload: { preview: 7 }, status: FAILED_LATE }]],
    ["an earlier version failed after it had made a revision", [{ status: FAILED_LATE }]],
    [
      "an earlier version recorded it in both environments, and it is the only owner",
      [{ environment: "production" }, {}],
      { "only-owner": "true" },
    ],
    ["the step is the only owner", [], { "only-owner": "true" }],
    ["an earlier version recorded it in the environment of the input", [{ environment: "pr" }], { environment: "pr" }],
  ])("this repository's: %s", { tags: "slow" }, async (_, given, inputs = {}) => {
    const { run, event, names, github } = await plain(...given, { name: "support-pr-70" });
    const { removed, error } = await run(event, inputs);
    expect({ removed, error, names: names() }).toEqual({
      ...{ removed: ["support-pr-7 closed"], error: undefined, names: [] },
    });
    expect(github.state.deployments.all.map(({ task }) => task)).toEqual(["deploy:support-pr-70"]);
  });

  test("this repository's, and its pull request is opened again during the last look at the records: it stays", async () => {
    const { run, event, names, pulls, github } = await plain({});
    const statuses = { method: "GET", path: /\/statuses$/ };
    github.faults.add(statuses, {});
    const reopen = meanwhile(() => {
      pulls.reopen(7);
    });
    github.faults.add(statuses, reopen);
    expect(await run(event)).toMatchObject({ removed: [], kept: ["support-pr-7 open"] });
    expect(names()).toEqual(["support-pr-7"]);
  });

  test.each<[string, Given[], Parameters<Awaited<ReturnType<typeof rig>>["run"]>[1]?]>([
    ["there is no record", []],
    ["there is a record of another name", [{ name: "support-pr-70", status: { state: "in_progress" } }]],
    ["a person made it, and an earlier version took it over", [{ hours: 1 }, { hours: 2 }]],
    ["a workflow deploys it for good", [{ environment: "production" }]],
    ["a workflow deploys it for good, to the same environment", [{}, { payload: { preview: false } }]],
    ["that also counts for the only owner", [{ payload: { preview: false } }], { "only-owner": "true" }],
    [
      "an earlier version deployed it for good, and that also counts for the only owner",
      [{ environment: "production" }],
      { "only-owner": "true" },
    ],
    ["the deploy that recorded it made nothing", [{ payload: { preview: 7 }, status: FAILED_EARLY }]],
    ["the deploy of an earlier version made nothing", [{ status: FAILED_EARLY }]],
    ["it is the preview of another number", [{ payload: { preview: 8 } }]],
    ["the record is of another service", [{ payload: { service: "0123456789abcdef" } }]],
  ])("another's, and it stays, also in a sweep: %s", async (_, given, inputs = {}) => {
    const { run, event, names, github } = await plain(...given);
    const records = github.state.deployments.all.length;
    for (const when of [event, scheduled()]) {
      const { kept, removed, error, warnings } = await run(when, inputs);
      expect({ kept, removed, error }).toEqual({ kept: [`${NAME} not-owned`], removed: [], error: undefined });
      const advice = "only-owner" in inputs ? "a workflow deploys them without `preview`" : "Set `only-owner: true`";
      expect(warnings).toEqual([expect.stringContaining(advice)]);
    }
    expect(names()).toEqual([NAME]);
    expect(github.state.deployments.all).toHaveLength(records);
  });

  test("not known where the service does not say when it was made: it is named, and stays", async () => {
    const { run, event, names, service } = await plain({});
    const untimed = (json: unknown): unknown =>
      JSON.parse(JSON.stringify(json), (key, value: unknown) => (key === "created_at" ? undefined : value));
    service.faults.add({
      match: { method: "GET", path: /^\/v2\/deployments/ },
      times: Infinity,
      do: { kind: "edit", edit: untimed },
    });
    const { kept, removed, warnings } = await run(event);
    expect({ kept, removed }).toEqual({ kept: [`${NAME} undated`], removed: [] });
    expect(warnings).toEqual([expect.stringContaining(NAME)]);
    expect(names()).toEqual([NAME]);
  });

  test("another's where the service leaves out the zone of a time that is before the record, wherever the runner is", async () => {
    vi.stubEnv("TZ", "America/New_York");
    const { run, event, names, service } = await plain({ hours: 1 });
    const unzoned = (json: unknown): unknown =>
      JSON.parse(JSON.stringify(json).replaceAll(/(T\d\d:\d\d:\d\d[.\d]*)(?:Z|\+00:00)/g, "$1"));
    service.faults.add({
      match: { method: "GET", path: /^\/v2\/deployments/ },
      times: Infinity,
      do: { kind: "edit", edit: unzoned },
    });
    expect((await run(event)).kept).toEqual([`${NAME} not-owned`]);
    expect(names()).toEqual([NAME]);
  });

  test("not known when the records cannot be read; a warning names the permission", async () => {
    const { run, event, github } = await plain({});
    github.faults.add({ path: /\/deployments/ }, forbidden("deployments=read"), Infinity);
    const { kept, warnings } = await run(event);
    expect(kept).toEqual([`${NAME} not-owned`]);
    expect(warnings[0]).toContain("`deployments: read`");
  });

  test("does not matter to a preview with a unique name, which goes without any right to records", async () => {
    const { run, event, names, github } = await closed();
    github.faults.add({ path: /\/deployments/ }, forbidden("deployments=read"), Infinity);
    const { removed, warnings, error } = await run(event);
    expect({ removed, error, names: names() }).toEqual({
      ...{ removed: ["support-pr-7-c709b1 closed"], error: undefined, names: [] },
    });
    expect(warnings).toEqual([expect.stringContaining("`deployments: read`")]);
  });

  test("does not change by the preview of another repository, of a deployment with the same name", async () => {
    const { run, event, make, names } = await closed();
    const other = previewName({ stem: "support", limit: 63, repository: "42" }, 7);
    await make(other);
    for (const when of [event, scheduled()]) await run(when);
    expect(names()).toEqual([other]);
  });
});

test.each<[string, (found: Awaited<ReturnType<typeof rig>>) => Promise<object>, string]>([
  [
    "another tenant",
    ({ service }) => {
      // The local service has one tenant.
      const nothing = { kind: "edit", edit: () => ({ resources: [] }) } as const;
      service.faults.add({ match: { method: "GET", path: "/v2/deployments" }, times: Infinity, do: nothing });
      return Promise.resolve({ "tenant-id": "another" });
    },
    "deployed with another `tenant-id`.",
  ],
  [
    "another address",
    async ({ other }) => ({ "control-plane-url": (await other()).url }),
    "at another `control-plane-url`.",
  ],
  [
    "both",
    async ({ other }) => ({ "control-plane-url": (await other()).url, "tenant-id": "another" }),
    "at another `control-plane-url` and with another `tenant-id`.",
  ],
])(
  "a removal at another service than that of the deploy says what differs, and marks nothing as removed: %s",
  async (_, change, text) => {
    const found = await rig();
    const { pulls, github, deploy, run } = found;
    pulls.open({ number: 7 });
    const shown = { environment: "preview", comment: "true" };
    await deploy(pullRequestEvent(github.state, 7, "opened"), shown);
    pulls.close(7);
    const inputs = await change(found);
    for (const event of [pullRequestEvent(github.state, 7, "closed"), scheduled()]) {
      const { events, removed, error } = await run(event, inputs);
      const told = events.flatMap((one) => (one.type === "warning" || one.type === "notice" ? [one] : []));
      // A sweep of one of two services meets the previews of the other each time.
      const type = event.env["GITHUB_EVENT_NAME"] === "schedule" ? "notice" : "warning";
      expect({ told, removed, error }).toEqual({
        ...{ told: [{ type, message: expect.stringContaining(text) }], removed: [], error: undefined },
      });
      expect(told[0]?.message).toContain("If that is not intended, set the same here.");
    }
    expect(github.state.comments.list(7)[0]?.body).toContain("is live");
    expect(github.state.deployments.all).toHaveLength(1);
  },
);

describe("all previews", () => {
  /** Pull requests 1 to 3, of which 2 is open, each with a preview. */
  async function three() {
    const found = await rig();
    for (const number of [1, 2, 3]) {
      found.pulls.open({ number });
      await found.make(`support-pr-${String(number)}-c709b1`);
    }
    for (const name of ["support", "support-2-pr-1", "support-pr-x"]) await found.make(name);
    found.pulls.close(1);
    found.pulls.close(3);
    return found;
  }
  const OTHERS = ["support", "support-2-pr-1", "support-pr-x"];

  test.each(["schedule", "workflow_dispatch"] as const)("of closed pull requests go by %s", async (event) => {
    const { run, names } = await three();
    const { removed, kept, error } = await run(scheduled(event));
    expect({ removed, kept, error }).toEqual({
      removed: ["support-pr-1-c709b1 closed", "support-pr-3-c709b1 closed"],
      kept: ["support-pr-2-c709b1 open"],
      error: undefined,
    });
    expect(names()).toEqual([...OTHERS, "support-pr-2-c709b1"].toSorted());
  });

  test("that are too many go, the oldest first", async () => {
    const { run, names, pulls } = await three();
    pulls.reopen(1);
    pulls.reopen(3);
    expect((await run(scheduled(), { "max-count": "1" })).removed).toEqual([
      "support-pr-1-c709b1 count",
      "support-pr-2-c709b1 count",
    ]);
    expect(names()).toEqual([...OTHERS, "support-pr-3-c709b1"].toSorted());
  });

  test("stay when one pull request cannot be read: half an answer removes nothing", async () => {
    const { run, names, github } = await three();
    github.faults.add({ method: "GET", path: /\/pulls\/2$/ }, refused(502), Infinity);
    const { removed, error } = await run(scheduled());
    expect(removed).toEqual([]);
    expect(error).toMatchObject({ code: "UNKNOWN_STATE" });
    expect(names()).toHaveLength(6);
  });

  test.each([
    ["breaks off", { kind: "answer", status: 503 } as const],
    ["is refused", { kind: "answer", status: 403 } as const],
  ])("stay when the list of deployments %s", async (_, fault) => {
    const { run, names, service } = await three();
    service.faults.add({ match: { method: "GET", path: "/v2/deployments" }, skip: 1, times: Infinity, do: fault });
    const { removed, error } = await run(scheduled());
    expect(removed).toEqual([]);
    expect(error).toMatchObject({ code: "UNKNOWN_STATE" });
    expect(names()).toHaveLength(6);
  });

  test("cannot be found at a service without a list", async () => {
    const { run, names, service } = await three();
    service.faults.add(noList());
    expect((await run(scheduled())).error).toMatchObject({ code: "UNKNOWN_STATE" });
    expect(names()).toHaveLength(6);
  });

  test("go one by one: the failure of one is reported, and the others are removed", async () => {
    const { run, names, service, controlPlane } = await three();
    const first = await controlPlane.findByName("support-pr-1-c709b1");
    const path = `/v2/deployments/${first?.id ?? ""}`;
    service.faults.add({ match: { method: "DELETE", path }, times: Infinity, do: { kind: "answer", status: 403 } });
    const { removed, failed, error } = await run(scheduled());
    expect(removed).toEqual(["support-pr-3-c709b1 closed"]);
    expect(failed).toEqual([expect.stringMatching(/^support-pr-1-c709b1 .*403/)]);
    expect(error).toMatchObject({ code: "NOT_REMOVED" });
    expect(names()).toEqual([...OTHERS, "support-pr-1-c709b1", "support-pr-2-c709b1"].toSorted());
  });

  test("stay that were deployed again since they counted as too many", async () => {
    const { run, github, controlPlane, pulls, names } = await three();
    pulls.reopen(1);
    pulls.reopen(3);
    const first = await controlPlane.findByName("support-pr-1-c709b1");
    const again = meanwhile(async () => {
      const config = { source_revision_config: { image_uri: "registry/agent:2" } };
      await controlPlane.patch(first?.id ?? "", config, { source: "external_docker" });
    });
    github.faults.add({ method: "GET", path: /\/pulls\/1$/ }, again);
    const { removed, kept } = await run(scheduled(), { "max-count": "2" });
    expect({ removed, kept: kept.length }).toEqual({ removed: [], kept: 3 });
    expect(names()).toContain("support-pr-1-c709b1");
  });
});

describe("records whose preview is gone", () => {
  /** A closed pull request whose preview was removed, and whose record was not listed then. */
  async function left(environment = "preview") {
    const found = await rig();
    const { pulls, github, deploy, run } = found;
    const records = () => github.state.deployments.all.map((record) => `${record.task} ${stateOf(record) ?? ""}`);
    pulls.open({ number: 7 });
    github.state.deployments.lag.lists = Infinity;
    await deploy(pullRequestEvent(github.state, 7, "opened"), { environment });
    pulls.close(7);
    expect((await run(pullRequestEvent(github.state, 7, "closed"))).removed).toEqual(["support-pr-7-c709b1 closed"]);
    expect(records()).toEqual(["deploy:support-pr-7-c709b1 success"]);
    await run(scheduled(), { environment });
    expect(records()).toHaveLength(1);
    github.state.deployments.lag.settle();
    return { ...found, records };
  }

  test.each([
    ["in the usual environment", "preview", {}],
    ["in the one of the input", "pr", { environment: "pr" }],
  ])("go by the next schedule: %s", async (_, environment, inputs) => {
    const { run, records } = await left(environment);
    const { events, warnings, error } = await run(scheduled(), inputs);
    expect({ records: records(), warnings, error }).toEqual({ records: [], warnings: [], error: undefined });
    const preview = { name: "support-pr-7-c709b1", pullRequest: 7 };
    expect(events).toContainEqual({ type: "records-deleted", preview, count: 1 });
  });

  test.each<[string, (found: Awaited<ReturnType<typeof left>>) => unknown, object?]>([
    ["are only shown in a dry run", () => undefined, { "dry-run": "true" }],
    ["stay while the pull request is open", ({ pulls }) => pulls.reopen(7)],
    [
      "stay when the preview is made again meanwhile",
      ({ github, make }) => {
        const made = meanwhile(async () => {
          await make("support-pr-7-c709b1");
        });
        github.faults.add({ method: "GET", path: /\/deployments$/ }, made);
      },
    ],
    ["stay that are of another service", () => undefined, { "tenant-id": "another-tenant" }],
    ["stay that are of another name", () => undefined, { name: "other" }],
    ["stay that are in another environment", () => undefined, { environment: "production" }],
    [
      "stay when nobody knows whether it is open",
      ({ github }) => github.faults.add({ path: /\/pulls/ }, refused(502), Infinity),
    ],
    [
      "stay when nobody knows whether there is a deployment",
      ({ service }) => {
        // The list of the previews is the first.
        const answer = { kind: "answer", status: 403 } as const;
        service.faults.add({ match: { method: "GET", path: "/v2/deployments" }, skip: 1, times: Infinity, do: answer });
      },
    ],
  ])("%s", async (_, change, inputs = {}) => {
    const found = await left();
    await change(found);
    expect((await found.run(scheduled(), { "only-owner": "false", ...inputs })).error).toBeUndefined();
    expect(found.records()).toEqual(["deploy:support-pr-7-c709b1 success"]);
  });

  test.each([
    ["of a unique name go, although their deploy never ended", "support-pr-7-c709b1", 0, 0],
    ["of a plain name stay for a day while their deploy may run, which they prove to be ours", "support-pr-7", 23, 1],
    ["of a plain name go after a day, although their deploy never ended", "support-pr-7", 25, 0],
  ])("%s", async (_, name, hours, left) => {
    const { run, github, pulls, record } = await rig({ now: () => new Date(Date.now() - hours * 3_600_000) });
    pulls.open({ number: 7 });
    pulls.close(7);
    await record({ name });
    await run(scheduled());
    expect(github.state.deployments.all).toHaveLength(left);
  });
});

test.each([
  ["a fork", { headRepository: "stranger/octo-repo" }],
  ["Dependabot", { user: "dependabot[bot]" }],
])("a run that gets no secrets of %s removes nothing, and is green", async (_, given) => {
  const { run, pulls, github, make, service, names } = await rig();
  pulls.open({ number: 7, ...given });
  await make("support-pr-7-c709b1");
  pulls.close(7);
  const before = service.requests.length;
  const event = pullRequestEvent(github.state, 7, "closed");
  const { removed, error } = await run(event, { "api-key": "", "github-token": "" });
  expect({ removed, error }).toEqual({ removed: [], error: undefined });
  expect(names()).toEqual(["support-pr-7-c709b1"]);
  expect(service.requests).toHaveLength(before);
  expect(github.requests).toEqual([]);
});

test("a section with a name of its own is marked as removed", async () => {
  const { run, deploy, pulls, github } = await rig();
  pulls.open({ number: 7 });
  await deploy(pullRequestEvent(github.state, 7, "opened"), { comment: "true", "comment-key": "agents in the EU" });
  const comment = () => github.state.comments.list(7).map(({ body }) => / is (live|removed)/.exec(body)?.[1]);
  pulls.close(7);
  const event = pullRequestEvent(github.state, 7, "closed");
  await run(event);
  expect(comment()).toEqual(["live"]);
  expect((await run(event, { "comment-key": "agents in the EU" })).error).toBeUndefined();
  expect(comment()).toEqual(["removed"]);
});

test.each([
  ["the deploy names its section by its default", { "comment-key": "support" }, {}],
  ["the removal does", {}, { "comment-key": "support" }],
])("a section is marked as removed, and live again, where only %s", async (_, atDeploy, atRemoval) => {
  const { run, deploy, pulls, github } = await rig();
  pulls.open({ number: 7 });
  const states = () =>
    github.state.comments.list(7).flatMap(({ body }) => sectionsOf(body).map(({ facts }) => facts.state));
  await deploy(pullRequestEvent(github.state, 7, "opened"), { comment: "true", ...atDeploy });
  expect(states()).toEqual(["live"]);
  pulls.close(7);
  await run(pullRequestEvent(github.state, 7, "closed"), atRemoval);
  expect(states()).toEqual(["removed"]);
  pulls.reopen(7);
  await deploy(pullRequestEvent(github.state, 7, "reopened"), { comment: "true", ...atDeploy });
  expect(states()).toEqual(["live"]);
});

test(
  "opening, pushing, closing, opening again and closing leave one comment that follows, and no deployment or record",
  { tags: "slow" },
  async () => {
    const { run, deploy, pulls, github, names } = await rig();
    pulls.open({ number: 7 });
    const event = (action: "closed" | "opened" | "reopened" | "synchronize") =>
      pullRequestEvent(github.state, 7, action);
    const shown = { environment: "preview", comment: "true" };
    const removed = async () => {
      pulls.close(7);
      return (await run(event("closed"), { "only-owner": "false" })).removed;
    };
    const comment = () =>
      github.state.comments.list(7).map(({ body }) => /support-pr-7-c709b1 is (live|removed)/.exec(body)?.[1]);

    await deploy(event("opened"), shown);
    pulls.push(7);
    expect((await deploy(event("synchronize"), { ...shown, "image-uri": "registry/agent:2" })).outcome).toBe(
      "deployed",
    );
    expect({ comment: comment(), names: names() }).toEqual({ comment: ["live"], names: ["support-pr-7-c709b1"] });
    expect(await removed()).toEqual(["support-pr-7-c709b1 closed"]);
    expect({ comment: comment(), names: names() }).toEqual({ comment: ["removed"], names: [] });
    pulls.reopen(7);
    expect((await deploy(event("reopened"), shown)).outcome).toBe("deployed");
    expect({ comment: comment(), names: names() }).toEqual({ comment: ["live"], names: ["support-pr-7-c709b1"] });
    expect(await removed()).toEqual(["support-pr-7-c709b1 closed"]);
    expect({ comment: comment(), names: names() }).toEqual({ comment: ["removed"], names: [] });
    expect(github.state.deployments.all).toEqual([]);
  },
);

test("two services with one name have a section each, and so has each removal", { tags: "slow" }, async () => {
  const { run, deploy, other, pulls, github } = await rig();
  pulls.open({ number: 7 });
  const there = { "control-plane-url": (await other()).url };
  const shown = { environment: "preview", comment: "true" };
  const event = pullRequestEvent(github.state, 7, "opened");
  for (const inputs of [{}, there]) await deploy(event, { ...shown, ...inputs });
  const states = () =>
    github.state.comments
      .list(7)
      .map(({ body }) => [...body.matchAll(/^### .* is (live|removed)/gm)].map(([, state]) => state));
  expect(states()).toEqual([["live", "live"]]);
  pulls.close(7);
  await run(pullRequestEvent(github.state, 7, "closed"), there);
  expect(states()[0]?.toSorted()).toEqual(["live", "removed"]);
  await run(pullRequestEvent(github.state, 7, "closed"));
  expect(states()).toEqual([["removed", "removed"]]);
});

test.each([
  ["that an earlier version wrote", {}, true],
  ["with a key of its own", { "comment-key": "agents" }, false],
])("a section %s, of another service, stays as it is", async (_, keyed, isEarlier) => {
  const { run, deploy, other, pulls, github } = await rig();
  pulls.open({ number: 7 });
  const shown = { environment: "preview", comment: "true" };
  await deploy(pullRequestEvent(github.state, 7, "opened"), { ...shown, ...keyed });
  const [comment] = github.state.comments.list(7);
  const unnamed = (comment?.body ?? "").replaceAll(/"service":"[^"]*",?/g, "");
  expect(unnamed === comment?.body).toBe(!isEarlier);
  github.state.comments.edit(comment?.id ?? 0, unnamed);
  pulls.close(7);
  const there = { "control-plane-url": (await other()).url };
  const { error } = await run(pullRequestEvent(github.state, 7, "closed"), { ...there, ...keyed });
  expect({ error, body: github.state.comments.list(7)[0]?.body }).toEqual({ error: undefined, body: unnamed });
  await run(pullRequestEvent(github.state, 7, "closed"), keyed);
  expect(github.state.comments.list(7)[0]?.body).toContain("is removed");
});
