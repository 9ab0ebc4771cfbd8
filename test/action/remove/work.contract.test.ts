import { describe, expect, test } from "vitest";
import { noDelete, noList } from "../../../src/local/index.ts";
import { stateOf } from "../../github/deployments.ts";
import { pullRequestEvent } from "../../github/events.ts";
import { forbidden, meanwhile, refused } from "../../github/faults.ts";
import { rig, scheduled } from "../preview-rig.ts";

const STATE = { method: "GET", path: /\/pulls\/\d+$/ };

/** A pull request with its preview, closed. */
async function closed(number = 7) {
  const found = await rig();
  const { pulls, make, github } = found;
  pulls.open({ number });
  const id = await make(`support-pr-${String(number)}`);
  pulls.close(number);
  return { ...found, id, event: pullRequestEvent(github.state, number, "closed") };
}

describe("the preview of one pull request", () => {
  test("goes when it is closed, with its traces, and nothing else does", async () => {
    const { run, event, names, make, service } = await closed();
    for (const name of ["support", "support-pr-70", "support-pr-7-pr-7", "x-support-pr-7"]) await make(name);
    const { removed, error } = await run(event);
    expect(error).toBeUndefined();
    expect(removed).toEqual(["support-pr-7 closed"]);
    expect(names()).toEqual(["support", "support-pr-7-pr-7", "support-pr-70", "x-support-pr-7"]);
    const deletes = service.requests.filter(({ method }) => method === "DELETE");
    expect(deletes.map(({ query }) => query.get("delete_tracing_project"))).toEqual(["true"]);
  });

  test("of the input comes before that of the event", async () => {
    const { run, event, names, make, pulls } = await closed();
    pulls.open({ number: 8 });
    await make("support-pr-8");
    pulls.close(8);
    expect((await run(event, { "pull-request": "8" })).removed).toEqual(["support-pr-8 closed"]);
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("stays while it is open, also when the event says that it was closed", async () => {
    const { run, event, names, pulls } = await closed();
    pulls.reopen(7);
    expect(await run(event)).toMatchObject({ removed: [], kept: ["support-pr-7 open"], error: undefined });
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("stays when it is opened again between the plan and the delete", async () => {
    const { run, event, names, pulls, github } = await closed();
    github.faults.add(STATE, {});
    const reopen = meanwhile(() => {
      pulls.reopen(7);
    });
    github.faults.add(STATE, reopen);
    expect(await run(event)).toMatchObject({ removed: [], kept: ["support-pr-7 open"] });
    expect(names()).toEqual(["support-pr-7"]);
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
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("names the permission that is missing", async () => {
    const { run, event, github } = await closed();
    github.faults.add({ path: /\/pulls/ }, forbidden("pull_requests=read"), Infinity);
    const { error } = await run(event);
    expect(error).toMatchObject({ advice: expect.stringContaining("`pull-requests: read`") });
  });

  test("of a pull request that GitHub does not have goes", async () => {
    const { run, make, names } = await closed();
    await make("support-pr-99");
    expect((await run(scheduled(), { "pull-request": "99", all: "false" })).removed).toEqual(["support-pr-99 closed"]);
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("that does not exist is a success, or an error where that is asked for", async () => {
    const { run, event } = await closed();
    await run(event);
    expect(await run(event)).toMatchObject({ removed: [], failed: [], error: undefined });
    expect((await run(event, { "if-missing": "fail" })).error).toMatchObject({ code: "NOT_REMOVED" });
  });

  test("that the service takes its time with is waited for", async () => {
    const { run, event, names, service } = await closed();
    service.faults.conditions.deleteMilliseconds = 700;
    expect((await run(event)).removed).toEqual(["support-pr-7 closed"]);
    expect(names()).toEqual([]);
  });

  test("that is not gone within the timeout is a failure, with its reason", async () => {
    const { run, event, service } = await closed();
    service.faults.conditions.deleteMilliseconds = 600_000;
    const { failed, error } = await run(event, { timeout: "1s" });
    expect(failed).toEqual([expect.stringMatching(/^support-pr-7 .*still deleting/)]);
    expect(error).toMatchObject({ code: "NOT_REMOVED" });
  });

  test("is only shown in a dry run", async () => {
    const { run, event, names, service } = await closed();
    expect((await run(event, { "dry-run": "true" })).removed).toEqual(["support-pr-7 closed"]);
    expect(names()).toEqual(["support-pr-7"]);
    expect(service.requests.every(({ method }) => method !== "DELETE")).toBe(true);
  });

  test("stays at a service without a delete, with one warning", async () => {
    const { run, event, names, service } = await closed();
    service.faults.add(noDelete());
    const { kept, warnings, error } = await run(event);
    expect({ kept, error }).toEqual({ kept: ["support-pr-7 cannot-delete"], error: undefined });
    expect(warnings).toEqual([expect.stringContaining("support-pr-7")]);
    expect(names()).toEqual(["support-pr-7"]);
  });
});

describe("who owns a preview", () => {
  /** A deployment record as a deploy with `environment` makes it. */
  const record = ({ github }: Awaited<ReturnType<typeof closed>>, name: string, payload = {}) => {
    const { headSha } = github.state.pulls.find(7);
    const url = `${github.url}/repos/${github.state.name}/deployments`;
    const body = { ref: headSha, task: `deploy:${name}`, environment: "preview", payload, auto_merge: false };
    return fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${github.token}`, "user-agent": "test" },
      body: JSON.stringify({ ...body, required_contexts: [] }),
    });
  };

  test("is not known without a record: it stays", async () => {
    const { run, event, names } = await closed();
    const { kept, removed, warnings } = await run(event, { "only-owner": "false" });
    expect({ kept, removed }).toEqual({ kept: ["support-pr-7 not-owned"], removed: [] });
    expect(warnings).toEqual([expect.stringContaining("`only-owner: true`")]);
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("is this repository when it has a record of the name, which goes with the preview", async () => {
    const found = await closed();
    await record(found, "support-pr-70");
    expect((await found.run(found.event, { "only-owner": "false" })).kept).toEqual(["support-pr-7 not-owned"]);
    await record(found, "support-pr-7");
    expect((await found.run(found.event, { "only-owner": "false" })).removed).toEqual(["support-pr-7 closed"]);
    expect(found.github.state.deployments.all.map(({ task }) => task)).toEqual(["deploy:support-pr-70"]);
  });

  test("is not known by a record of another service, which has a deployment of that name too", async () => {
    const found = await closed();
    await record(found, "support-pr-7", { service: "0123456789abcdef" });
    expect((await found.run(found.event, { "only-owner": "false" })).kept).toEqual(["support-pr-7 not-owned"]);
    expect((await found.run(found.event)).removed).toEqual(["support-pr-7 closed"]);
    expect(found.github.state.deployments.all).toHaveLength(1);
  });

  test("is not known when the records cannot be read; a warning names the permission", async () => {
    const found = await closed();
    await record(found, "support-pr-7");
    found.github.faults.add({ path: /\/deployments/ }, forbidden("deployments=read"), Infinity);
    const { kept, warnings } = await found.run(found.event, { "only-owner": "false" });
    expect(kept).toEqual(["support-pr-7 not-owned"]);
    expect(warnings[0]).toContain("`deployments: read`");
  });

  test("does not matter to records that cannot be deleted: a warning, and the preview is gone", async () => {
    const found = await closed();
    await record(found, "support-pr-7");
    found.github.faults.add({ method: "POST", path: /\/statuses$/ }, forbidden("deployments=write"), Infinity);
    const { removed, warnings, error } = await found.run(found.event);
    expect({ removed, error }).toEqual({ removed: ["support-pr-7 closed"], error: undefined });
    expect(warnings).toEqual([expect.stringContaining("`deployments: write`")]);
  });
});

describe("all previews", () => {
  /** Pull requests 1 to 3, of which 2 is open, each with a preview. */
  async function three() {
    const found = await rig();
    for (const number of [1, 2, 3]) {
      found.pulls.open({ number });
      await found.make(`support-pr-${String(number)}`);
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
      removed: ["support-pr-1 closed", "support-pr-3 closed"],
      kept: ["support-pr-2 open"],
      error: undefined,
    });
    expect(names()).toEqual([...OTHERS, "support-pr-2"].toSorted());
  });

  test("that are too many go, the oldest first", async () => {
    const { run, names, pulls } = await three();
    pulls.reopen(1);
    pulls.reopen(3);
    expect((await run(scheduled(), { "max-count": "1" })).removed).toEqual([
      "support-pr-1 count",
      "support-pr-2 count",
    ]);
    expect(names()).toEqual([...OTHERS, "support-pr-3"].toSorted());
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
    const first = await controlPlane.findByName("support-pr-1");
    const path = `/v2/deployments/${first?.id ?? ""}`;
    service.faults.add({ match: { method: "DELETE", path }, times: Infinity, do: { kind: "answer", status: 403 } });
    const { removed, failed, error } = await run(scheduled());
    expect(removed).toEqual(["support-pr-3 closed"]);
    expect(failed).toEqual([expect.stringMatching(/^support-pr-1 .*403/)]);
    expect(error).toMatchObject({ code: "NOT_REMOVED" });
    expect(names()).toEqual([...OTHERS, "support-pr-1", "support-pr-2"].toSorted());
  });

  test("stay that were deployed again since they counted as too many", async () => {
    const { run, github, controlPlane, pulls, names } = await three();
    pulls.reopen(1);
    pulls.reopen(3);
    const first = await controlPlane.findByName("support-pr-1");
    const again = meanwhile(async () => {
      const config = { source_revision_config: { image_uri: "registry/agent:2" } };
      await controlPlane.patch(first?.id ?? "", config, { source: "external_docker" });
    });
    github.faults.add({ method: "GET", path: /\/pulls\/1$/ }, again);
    const { removed, kept } = await run(scheduled(), { "max-count": "2" });
    expect({ removed, kept: kept.length }).toEqual({ removed: [], kept: 3 });
    expect(names()).toContain("support-pr-1");
  });
});

describe("records whose preview is gone", () => {
  /** A closed pull request whose preview was removed, and whose record was not listed then. */
  async function left(environment = "preview") {
    const found = await rig();
    const { pulls, github, deploy, run } = found;
    const records = () => github.state.deployments.all.map((record) => `${record.task} ${stateOf(record) ?? ""}`);
    pulls.open({ number: 7 });
    github.state.deployments.lag.lists = 3;
    await deploy(pullRequestEvent(github.state, 7, "opened"), { environment });
    pulls.close(7);
    expect((await run(pullRequestEvent(github.state, 7, "closed"))).removed).toEqual(["support-pr-7 closed"]);
    expect(records()).toEqual(["deploy:support-pr-7 success"]);
    // One more list in which it is not.
    await run(scheduled(), { environment });
    return { ...found, records };
  }

  test.each([
    ["in the usual environment", "preview", {}],
    ["in the one of the input", "pr", { environment: "pr" }],
  ])("go by the next schedule: %s", async (_, environment, inputs) => {
    const { run, records } = await left(environment);
    const { events, warnings, error } = await run(scheduled(), inputs);
    expect({ records: records(), warnings, error }).toEqual({ records: [], warnings: [], error: undefined });
    const preview = { name: "support-pr-7", pullRequest: 7 };
    expect(events).toContainEqual({ type: "records-deleted", preview, count: 1 });
  });

  test.each<[string, (found: Awaited<ReturnType<typeof left>>) => unknown, object?]>([
    ["are only shown in a dry run", () => undefined, { "dry-run": "true" }],
    ["stay while the pull request is open", ({ pulls }) => pulls.reopen(7)],
    [
      "stay when the preview is made again meanwhile",
      ({ github, make }) => {
        const made = meanwhile(async () => {
          await make("support-pr-7");
        });
        github.faults.add({ method: "GET", path: /\/statuses$/ }, made);
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
    expect(found.records()).toEqual(["deploy:support-pr-7 success"]);
  });

  test.each([
    ["stay for a day while their deploy may run", 23, 1],
    ["go after a day, although their deploy never ended", 25, 0],
  ])("%s", async (_, hours, left) => {
    const { run, github, pulls } = await rig({ now: () => new Date(Date.now() - hours * 3_600_000) });
    const { headSha } = pulls.open({ number: 7 });
    pulls.close(7);
    await fetch(`${github.url}/repos/${github.state.name}/deployments`, {
      method: "POST",
      headers: { authorization: `Bearer ${github.token}`, "user-agent": "test" },
      body: JSON.stringify({
        ...{ ref: headSha, task: "deploy:support-pr-7", environment: "preview" },
        ...{ auto_merge: false, required_contexts: [] },
      }),
    });
    await run(scheduled());
    expect(github.state.deployments.all).toHaveLength(left);
  });
});

describe("a run that gets no secrets", () => {
  test.each([
    ["a fork", { headRepository: "stranger/octo-repo" }],
    ["Dependabot", { user: "dependabot[bot]" }],
  ])("of %s removes nothing, and is green", async (_, given) => {
    const { run, pulls, github, make, service, names } = await rig();
    pulls.open({ number: 7, ...given });
    await make("support-pr-7");
    pulls.close(7);
    const before = service.requests.length;
    const event = pullRequestEvent(github.state, 7, "closed");
    const { removed, error } = await run(event, { "api-key": "", "github-token": "" });
    expect({ removed, error }).toEqual({ removed: [], error: undefined });
    expect(names()).toEqual(["support-pr-7"]);
    expect(service.requests).toHaveLength(before);
    expect(github.requests).toEqual([]);
  });
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

test("opening, pushing, closing, opening again and closing leave one comment that follows, and no deployment or record", async () => {
  const { run, deploy, pulls, github, names } = await rig();
  pulls.open({ number: 7 });
  const event = (action: "closed" | "opened" | "reopened" | "synchronize") => pullRequestEvent(github.state, 7, action);
  const shown = { environment: "preview", comment: "true" };
  const removed = async () => {
    pulls.close(7);
    return (await run(event("closed"), { "only-owner": "false" })).removed;
  };
  const comment = () =>
    github.state.comments.list(7).map(({ body }) => /support-pr-7 is (live|removed)/.exec(body)?.[1]);

  await deploy(event("opened"), shown);
  pulls.push(7);
  expect((await deploy(event("synchronize"), { ...shown, "image-uri": "registry/agent:2" })).outcome).toBe("deployed");
  expect({ comment: comment(), names: names() }).toEqual({ comment: ["live"], names: ["support-pr-7"] });
  expect(await removed()).toEqual(["support-pr-7 closed"]);
  expect({ comment: comment(), names: names() }).toEqual({ comment: ["removed"], names: [] });
  pulls.reopen(7);
  expect((await deploy(event("reopened"), shown)).outcome).toBe("deployed");
  expect({ comment: comment(), names: names() }).toEqual({ comment: ["live"], names: ["support-pr-7"] });
  expect(await removed()).toEqual(["support-pr-7 closed"]);
  expect({ comment: comment(), names: names() }).toEqual({ comment: ["removed"], names: [] });
  expect(github.state.deployments.all).toEqual([]);
});
