import { testWith } from "../../test-with.ts";
import { summaryOf } from "../../../front/account/account.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deployStep } from "../../../front/steps/deploy/step.ts";
import { noDelete } from "../../../src/local/index.ts";
import { deleteDuringPause } from "../../deployment/rig.ts";
import { stateOf } from "../../github/deployments.ts";
import { pullRequestEvent, pushEvent } from "../../github/events.ts";
import { forbidden, meanwhile, refused, type Fault } from "../../github/faults.ts";
import { BOT } from "../../github/tokens.ts";
import { rig, scheduled } from "../preview-rig.ts";

const STATE = { method: "GET", path: /\/pulls\/\d+$/ };

/** An open pull request, and the event of its opening. */
async function opened(number = 7) {
  const found = await rig();
  found.pulls.open({ number });
  return { ...found, event: pullRequestEvent(found.github.state, number, "opened") };
}
const withOpened = testWith(opened);

describe("a preview", () => {
  test("is deployed under the number of its pull request, with no secrets but the given ones", async () => {
    const { deploy, event, names, service } = await opened();
    const { outcome, outputs, error } = await deploy(event, { secrets: "A=1" });
    expect({ outcome, error }).toEqual({ outcome: "deployed", error: undefined });
    expect(outputs).toMatchObject({ preview: "support-pr-7-c709b1", "pull-request": "7", created: "true" });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
    const create = service.requests.find(({ method, path }) => method === "POST" && path === "/v2/deployments");
    expect(create?.json).toMatchObject({ name: "support-pr-7-c709b1", secrets: [{ name: "A", value: "1" }] });
  });

  withOpened("is updated by the next push", async ({ deploy, event, names, pulls, github }) => {
    await deploy(event);
    pulls.push(7);
    const next = await deploy(pullRequestEvent(github.state, 7, "synchronize"), { "image-uri": "registry/agent:2" });
    expect(next).toMatchObject({ outcome: "deployed", outputs: { created: "false" } });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  withOpened("of a push is that of the pull request whose head it is", async ({ deploy, pulls, github }) => {
    const { headRef, headSha } = pulls.find(7);
    expect((await deploy(pushEvent(github.state, headRef, headSha))).outputs["preview"]).toBe("support-pr-7-c709b1");
  });

  withOpened("has a name within the limit of the service", async ({ deploy, event, names }) => {
    await deploy(event, { name: "an-agent-with-a-long-name", "preview-name-limit": "21" });
    expect(names()).toEqual([expect.stringMatching(/^an-agent-pr-7-[0-9a-f]{6}$/)]);
    expect(names()[0]?.length).toBeLessThanOrEqual(21);
  });

  withOpened("is only planned in a dry run", async ({ deploy, event, names, service }) => {
    expect(await deploy(event, { "dry-run": "true" })).toMatchObject({
      outcome: "dry-run",
      facts: { name: "support-pr-7-c709b1" },
    });
    expect(names()).toEqual([]);
    expect(service.requests.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("a deployment that others made", () => {
  const PLAIN = { "preview-name": "plain", environment: "preview" };
  const writes = (found: Awaited<ReturnType<typeof opened>>) =>
    found.service.requests.filter(({ method }) => method !== "GET").length;

  test("by hand, under the plain name, stays as it is: the preview has another name", async () => {
    const { deploy, run, event, names, make, pulls, github, service } = await opened();
    const id = await make("support-pr-7");
    expect((await deploy(event, { environment: "preview" })).outcome).toBe("deployed");
    expect(service.revisions(id)).toHaveLength(1);
    pulls.close(7);
    await run(pullRequestEvent(github.state, 7, "closed"));
    expect(names()).toEqual(["support-pr-7"]);
  });

  withOpened("under a plain name is not updated: one sentence, nothing sent, no record", async (found) => {
    const { deploy, event, make, github, service } = found;
    const id = await make("support-pr-7");
    const before = writes(found);
    const { outcome, error } = await deploy(event, PLAIN);
    expect({ outcome, writes: writes(found) - before }).toEqual({ outcome: "failed", writes: 0 });
    expect(error).toMatchObject({ code: "PLAN", advice: expect.stringContaining("`only-owner: true`") });
    expect(github.state.deployments.all).toEqual([]);
    expect(service.revisions(id)).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["with `only-owner`", { ...PLAIN, "only-owner": "true", "image-uri": "registry/agent:2" }],
  ])("under a plain name is updated %s", async (_, inputs) => {
    const { deploy, event, make, names, service } = await opened();
    const id = await make("support-pr-7");
    expect((await deploy(event, inputs)).outcome).toBe("deployed");
    expect({ names: names(), revisions: service.revisions(id).length }).toEqual({
      names: ["support-pr-7"],
      revisions: 2,
    });
  });

  withOpened("under a plain name is not updated where GitHub does not show the records", async (found) => {
    await found.deploy(found.event, PLAIN);
    const before = writes(found);
    found.github.faults.add({ method: "GET", path: /\/deployments$/ }, forbidden("deployments=read"), Infinity);
    const { outcome, error } = await found.deploy(found.event, { ...PLAIN, "image-uri": "registry/agent:2" });
    expect({ outcome, writes: writes(found) - before }).toEqual({ outcome: "failed", writes: 0 });
    expect(error).toMatchObject({ advice: expect.stringContaining("`deployments: read`") });
  });

  test("under a plain name, between the look and the create, is not updated, and no record claims it", async () => {
    const { deploy, event, make, github, service } = await opened();
    // The record is made after the look, right before the create.
    const ids: string[] = [];
    const person = meanwhile(async () => {
      ids.push(await make("support-pr-7"));
    });
    github.faults.add({ method: "POST", path: /\/deployments$/ }, person);
    const { outcome, error } = await deploy(event, { ...PLAIN, "image-uri": "registry/agent:2" });
    expect({ outcome, code: (error as { code?: string }).code }).toEqual({ outcome: "failed", code: "PLAN" });
    expect(service.revisions(ids[0] ?? "")).toHaveLength(1);
    expect(github.state.deployments.all).toEqual([]);
    expect((await deploy(event, PLAIN)).outcome).toBe("failed");
  });
});

describe("a preview with a plain name", () => {
  const PLAIN = { "preview-name": "plain", environment: "preview" };

  test("of which a deploy has made nothing is a person's who makes it later: no push and no removal touches it", async () => {
    const { deploy, run, event, names, make, pulls, github, service } = await opened();
    service.faults.add({
      match: { method: "POST", path: "/v2/deployments" },
      times: 9,
      do: { kind: "answer", status: 403 },
    });
    expect((await deploy(event, PLAIN)).outcome).toBe("failed");
    service.faults.clear();
    const id = await make("support-pr-7");
    expect((await deploy(event, { ...PLAIN, "image-uri": "registry/agent:2" })).outcome).toBe("failed");
    expect(service.revisions(id)).toHaveLength(1);
    pulls.close(7);
    for (const when of [pullRequestEvent(github.state, 7, "closed"), scheduled()]) await run(when);
    expect(names()).toEqual(["support-pr-7"]);
  });

  test("is proved from its revision on, also if the step does not wait or is killed", async () => {
    const { deploy, run, event, names, pulls, github } = await opened();
    const { facts } = await deploy(event, { ...PLAIN, wait: "false" });
    expect(facts.warnings).toEqual([]);
    const texts = github.state.deployments.all.flatMap(({ statuses }) =>
      statuses.map(({ description }) => description),
    );
    expect(texts.slice(0, 2)).toEqual(["", `revision ${facts.revisionId ?? ""}`]);
    pulls.close(7);
    await run(pullRequestEvent(github.state, 7, "closed"));
    expect(names()).toEqual([]);
  });

  withOpened("is updated and removed by its record", async ({ deploy, run, event, names, pulls, github }) => {
    const first = await deploy(event, PLAIN);
    expect(first).toMatchObject({ outcome: "deployed", outputs: { preview: "support-pr-7" } });
    expect(first.facts.warnings).toEqual([]);
    expect((await deploy(event, { ...PLAIN, "image-uri": "registry/agent:2" })).outcome).toBe("deployed");
    pulls.close(7);
    expect((await run(pullRequestEvent(github.state, 7, "closed"))).removed).toEqual(["support-pr-7 closed"]);
    expect(names()).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>, Fault | undefined]>([
    ["is not set", { environment: "" }, undefined],
    ["has no effect, because the token may not write", {}, forbidden("deployments=write")],
  ])("says that no removal finds it where `environment` %s: warning, summary, comment", async (_, inputs, fault) => {
    const { deploy, event, github } = await opened();
    if (fault !== undefined) github.faults.add({ method: "POST", path: /\/deployments$/ }, fault, Infinity);
    const { outcome, facts } = await deploy(event, { ...PLAIN, comment: "true", ...inputs });
    expect(outcome).toBe("deployed");
    expect(facts.warnings.at(-1)).toContain("No removal will find the preview support-pr-7");
    expect(summaryOf(deployStep.reporting, facts, {})).toContain("No removal will find");
    const [comment] = github.state.comments.list(7);
    expect(comment?.body).toContain("No removal will find");
    expect(comment?.body).not.toContain("is removed when");
  });
});

describe("a preview that an earlier version deployed under its plain name", () => {
  /** What an earlier version left: its record, and then its deployment. */
  async function earlier({ isRecorded = true } = {}) {
    const found = await opened();
    const { record, make } = found;
    const payload = { name: "support-pr-7", run_id: "1", run_attempt: 1 };
    if (isRecorded) await record({ name: "support-pr-7", payload, status: { state: "success" } });
    const id = await make("support-pr-7");
    return { ...found, id };
  }

  test("goes once the new one is live, with its record, and the log says so", async () => {
    const { deploy, event, names, github, service } = await earlier();
    const { outcome, events } = await deploy(event, { environment: "preview" });
    expect({ outcome, names: names() }).toEqual({ outcome: "deployed", names: ["support-pr-7-c709b1"] });
    const place = (type: string) => events.findIndex((one) => one.type === type);
    expect(place("earlier-removed")).toBeGreaterThan(place("revision-live"));
    expect(place("ended")).toBeGreaterThan(place("earlier-removed"));
    expect(github.state.deployments.all.map(({ task }) => task)).toEqual(["deploy:support-pr-7-c709b1"]);
    const order = service.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
    expect(order.slice(-2)).toEqual(["POST", "DELETE"]);
  });

  test("leaves no record if the run that removed it died before it had deleted that, unless another run is at it", async () => {
    const { deploy, event, github, pulls, controlPlane, id } = await earlier();
    const { deployments } = github.state;
    const body = { auto_merge: false, required_contexts: [], transient_environment: false, description: null };
    const payload = { name: "support-pr-7", run_id: "2", run_attempt: 1 };
    const place = { ref: pulls.find(7).headSha, task: "deploy:support-pr-7", environment: "preview" };
    const other = deployments.create({ ...place, payload, ...body }, BOT);
    if ("merged" in other) throw new Error("merged");
    await controlPlane.delete(id);
    const { outcome, facts } = await deploy(event, { environment: "preview" });
    expect({ outcome, warnings: facts.warnings }).toEqual({ outcome: "deployed", warnings: [] });
    const left = deployments.all.filter(({ task }) => task === "deploy:support-pr-7").map((record) => record.id);
    expect(left).toEqual([other.id]);
  });

  test("stays where the token may not read records, and the warning names the permission", async () => {
    const { deploy, event, names, github } = await earlier();
    github.faults.add({ method: "GET", path: /\/deployments$/ }, forbidden("deployments=read"), Infinity);
    const { outcome, facts } = await deploy(event);
    expect({ outcome, names: names().length }).toEqual({ outcome: "deployed", names: 2 });
    expect(facts.warnings).toEqual([expect.stringMatching(/support-pr-7, was not removed: .*`deployments: read`/)]);
  });

  test("goes as one too many, and the comment still says that the new one is live", async () => {
    const { deploy, run, event, names, github } = await earlier();
    await deploy(event, { environment: "preview", comment: "true", wait: "false" });
    await deploy(event, { environment: "preview", comment: "true", wait: "false", "image-uri": "registry/agent:2" });
    const body = () => github.state.comments.list(7)[0]?.body ?? "";
    const before = body();
    expect((await run(scheduled(), { "max-count": "1" })).removed).toEqual(["support-pr-7 count"]);
    expect({ names: names(), body: body() }).toEqual({ names: ["support-pr-7-c709b1"], body: before });
  });

  test("goes with the input `only-owner`, too, if there is no record of it", async () => {
    const { deploy, event, names } = await earlier({ isRecorded: false });
    await deploy(event);
    expect(names()).toEqual(["support-pr-7", "support-pr-7-c709b1"]);
    await deploy(event, { "only-owner": "true" });
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test.each<[string, (found: Awaited<ReturnType<typeof earlier>>) => void, Readonly<Record<string, string>>]>([
    [
      "the new one does not become live",
      ({ service }) => {
        service.faults.nextRevision({ end: "BUILD_FAILED" });
      },
      {},
    ],
    ["the step does not wait", () => undefined, { wait: "false" }],
    ["the service has no delete", ({ service }) => void service.faults.add(noDelete()), {}],
  ])("stays where %s, and goes with the pull request", async (_, change, inputs) => {
    const found = await earlier();
    change(found);
    await found.deploy(found.event, { environment: "preview", ...inputs });
    expect(found.names()).toContain("support-pr-7");
    found.service.faults.clear();
    found.pulls.close(7);
    await found.run(pullRequestEvent(found.github.state, 7, "closed"));
    expect(found.names()).toEqual([]);
  });
});

test("without an id in the environment and the event, GitHub says it; where it does not, nothing is written", async () => {
  const { deploy, github, pulls, names, service } = await rig();
  pulls.open({ number: 7 });
  const { env, event } = pullRequestEvent(github.state, 7, "opened");
  const unnamed = { env, event: { ...event, repository: undefined } };
  expect((await deploy(unnamed, {}, { GITHUB_REPOSITORY_ID: "" })).outputs["preview"]).toBe("support-pr-7-c709b1");
  const before = service.requests.length;
  github.faults.add({ path: /octo-repo$/ }, refused(404), Infinity);
  const { error } = await deploy(unnamed, {}, { GITHUB_REPOSITORY_ID: "" });
  expect(error).toMatchObject({ code: "PLAN" });
  expect({ names: names(), requests: service.requests.length - before }).toEqual({
    ...{ names: ["support-pr-7-c709b1"], requests: 0 },
  });
});

withOpened("a preview needs no `environment` to be removed", async ({ deploy, run, event, names, pulls, github }) => {
  const { facts } = await deploy(event);
  expect(facts.warnings).toEqual([]);
  pulls.close(7);
  expect((await run(pullRequestEvent(github.state, 7, "closed"))).removed).toEqual(["support-pr-7-c709b1 closed"]);
  expect(names()).toEqual([]);
});

describe("no preview, no write and no failure", () => {
  test.each([
    ["a fork", { headRepository: "stranger/octo-repo" }, "pull_request"],
    ["Dependabot", { user: "dependabot[bot]" }, "pull_request"],
    ["a fork whose workflow is that of the base", { headRepository: "stranger/octo-repo" }, "pull_request_target"],
    ["Dependabot, in a workflow of the base", { user: "dependabot[bot]" }, "pull_request_target"],
  ] as const)("for %s", async (_, given, name) => {
    const { deploy, pulls, github, service } = await rig();
    pulls.open({ number: 7, ...given });
    const key = name === "pull_request" ? { "api-key": "", "github-token": "" } : {};
    const event = pullRequestEvent(github.state, 7, "opened", name);
    const { outcome, error, outputs, events } = await deploy(event, { ...key, comment: "true" });
    expect({ outcome, error }).toEqual({ outcome: "skipped", error: undefined });
    expect(outputs).toMatchObject({ preview: "", "deployment-id": "" });
    expect(events.filter(({ type }) => type === "not-kept")).toHaveLength(1);
    expect([service.requests, github.state.comments.list(7)]).toEqual([[], []]);
  });

  test("leaves what the comment says of an earlier run, and writes its own word into the file", async () => {
    const { deploy, event, run, pulls, github, directory } = await opened();
    const shown = { comment: "true", "comment-path": "comment.md" };
    await deploy(event, shown);
    pulls.close(7);
    await run(pullRequestEvent(github.state, 7, "closed"));
    const [before] = github.state.comments.list(7);
    expect(before?.body).toContain("is removed");
    expect((await deploy(pullRequestEvent(github.state, 7, "labeled"), shown)).outcome).toBe("skipped");
    expect(github.state.comments.list(7)).toEqual([before]);
    expect(await readFile(join(directory, "comment.md"), "utf8")).toContain("pull request #&#8203;7 is closed");
  });

  test("for a run without a pull request", async () => {
    const { deploy, github, service } = await rig();
    const run = scheduled("workflow_dispatch");
    const { env } = pushEvent(github.state, "main", "0".repeat(40));
    expect((await deploy({ event: run.event, env: { ...env, ...run.env } })).outcome).toBe("skipped");
    expect(service.requests).toEqual([]);
  });

  withOpened("for an event of the close", async ({ deploy, github, pulls, names }) => {
    pulls.close(7);
    expect((await deploy(pullRequestEvent(github.state, 7, "closed"))).outcome).toBe("skipped");
    expect(names()).toEqual([]);
  });

  withOpened("for a pull request that was closed since the event", async ({ deploy, event, pulls, names, service }) => {
    pulls.close(7);
    const { outcome, error } = await deploy(event);
    expect({ outcome, error }).toEqual({ outcome: "skipped", error: undefined });
    expect(names()).toEqual([]);
    expect(service.requests.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("a pull request that is closed while its preview is deployed", () => {
  test.each([
    ["", {}],
    [", whose build fails", { end: "BUILD_FAILED" }],
  ] as const)("leaves nothing%s", async (_, fate) => {
    const { deploy, event, pulls, names, service, atSecondLook } = await opened();
    service.faults.nextRevision(fate);
    atSecondLook(() => {
      pulls.close(7);
    });
    const { outcome, error, outputs } = await deploy(event);
    expect({ outcome, error }).toEqual({ outcome: "removed", error: undefined });
    expect(outputs).toMatchObject({ preview: "", "pull-request": "7", url: "" });
    expect(names()).toEqual([]);
  });

  test("leaves nothing when its preview was there before", async () => {
    const { deploy, event, pulls, names, atSecondLook } = await opened();
    await deploy(event);
    atSecondLook(() => {
      pulls.close(7);
    });
    expect((await deploy(event, { "image-uri": "registry/agent:2" })).outcome).toBe("removed");
    expect(names()).toEqual([]);
  });

  test("leaves nothing when the removal looked before the create", async () => {
    const { deploy, event, run, pulls, names, github } = await opened();
    const early: string[] = [];
    // The record is made after the look at the pull request, right before the create.
    const close = meanwhile(async () => {
      pulls.close(7);
      const { removed, error } = await run(pullRequestEvent(github.state, 7, "closed"));
      early.push(`${String(removed.length)} removed, error ${String(error)}`);
    });
    github.faults.add({ method: "POST", path: /\/deployments$/ }, close);
    const { outcome } = await deploy(event, { environment: "preview" });
    expect({ outcome, early }).toEqual({ outcome: "removed", early: ["0 removed, error undefined"] });
    expect(names()).toEqual([]);
    expect(github.state.deployments.all.map((record) => stateOf(record))).toEqual(["inactive"]);
  });

  test("leaves its preview at a service without a delete, and says so", async () => {
    const { deploy, event, pulls, names, service, atSecondLook } = await opened();
    service.faults.add(noDelete());
    atSecondLook(() => {
      pulls.close(7);
    });
    const { outcome, facts } = await deploy(event);
    expect(outcome).toBe("deployed");
    expect(facts.warnings).toEqual([expect.stringContaining("support-pr-7-c709b1 was not removed")]);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });
});

describe("a pull request that is opened again", () => {
  test("waits until its old preview is gone", async () => {
    const { deploy, event, service, clock, controlPlane, names, make } = await opened();
    const old = await make("support-pr-7-c709b1");
    deleteDuringPause({ service, clock, controlPlane, deploymentId: old });
    service.faults.conditions.keepsTraces = true;
    await controlPlane.delete(old, { deleteTracingProject: true });
    const { outcome, outputs } = await deploy(event);
    expect(outcome).toBe("deployed");
    expect(outputs["deployment-id"]).not.toBe(old);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test("gets a new preview when a late removal deletes the old one under it", async () => {
    const { deploy, event, service, clock, controlPlane, names, make, github } = await opened();
    const old = await make("support-pr-7-c709b1");
    // Between the look at the deployment and its update.
    const remove = meanwhile(async () => {
      deleteDuringPause({ service, clock, controlPlane, deploymentId: old });
      await controlPlane.delete(old, { deleteTracingProject: true });
    });
    github.faults.add(STATE, remove);
    const { outcome, error, outputs } = await deploy(event, { "image-uri": "registry/agent:2" });
    expect({ outcome, error }).toEqual({ outcome: "deployed", error: undefined });
    expect(outputs["deployment-id"]).not.toBe(old);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });
});

describe("an older run", () => {
  test("does not deploy over a newer commit when it runs again", async () => {
    const { deploy, event, pulls, github, service } = await opened();
    await deploy(event);
    pulls.push(7);
    await deploy(pullRequestEvent(github.state, 7, "synchronize"), { "image-uri": "registry/agent:2" });
    const before = service.requests.filter(({ method }) => method !== "GET").length;
    const again = await deploy(event, {}, { GITHUB_RUN_ATTEMPT: "2" });
    expect(again).toMatchObject({ outcome: "skipped", error: undefined });
    expect(service.requests.filter(({ method }) => method !== "GET")).toHaveLength(before);
  });

  withOpened("runs again for the commit that is still the newest", async ({ deploy, event }) => {
    await deploy(event);
    expect((await deploy(event, {}, { GITHUB_RUN_ATTEMPT: "2" })).outcome).toBe("deployed");
  });

  withOpened("does not deploy over a newer one that was faster", async ({ deploy, event, pulls, github, names }) => {
    await deploy(event);
    const overtake = meanwhile(async () => {
      pulls.push(7);
      await deploy(pullRequestEvent(github.state, 7, "synchronize"), { "image-uri": "registry/agent:3" });
    });
    github.faults.add(STATE, overtake);
    const { outcome } = await deploy(event, { "image-uri": "registry/agent:2" });
    expect(outcome).toBe("skipped");
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });
});

describe("a run that is overtaken", () => {
  const RECORDS = { method: "POST", path: /\/deployments$/ };

  test.each<[string, boolean]>([
    ["between its look and its create", false],
    ["while GitHub takes its time for the record", true],
  ])("%s leaves the newer commit live, and its own record inactive", async (_, isThere) => {
    const { deploy, event, pulls, github, service, clock } = await opened();
    if (isThere) await deploy(event, { environment: "preview" });
    const overtake = meanwhile(async () => {
      pulls.push(7);
      const newer = { "image-uri": "registry/agent:3", environment: "preview" };
      await deploy(pullRequestEvent(github.state, 7, "synchronize"), newer);
      clock.pass(1_500);
    });
    github.faults.add(RECORDS, overtake);
    const inputs = { "image-uri": "registry/agent:2", environment: "preview" };
    expect(await deploy(event, inputs)).toMatchObject({ outcome: "skipped", error: undefined });
    const [preview] = service.deployments();
    const images = service.revisions(preview?.id ?? "").map(({ source_revision_config: config }) => config.image_uri);
    expect(images).not.toContain("registry/agent:2");
    const { headSha } = pulls.find(7);
    const states = github.state.deployments.all.map(
      (record) => `${String(record.sha === headSha)} ${String(stateOf(record))}`,
    );
    expect(new Set(states)).toEqual(new Set(["true success", "false inactive"]));
  });
});

describe("a run that is overtaken during its upload", () => {
  /** A newer commit is deployed between the upload of the run and its look at the pull request after that. */
  async function overtaken(then: (found: Awaited<ReturnType<typeof opened>>) => void = () => undefined) {
    const found = await opened();
    const { deploy, event, pulls, github, uploaded, atSecondLook } = found;
    const shown = { environment: "preview", comment: "true" };
    const newer: unknown[] = [];
    atSecondLook(async () => {
      pulls.push(7);
      const next = await uploaded("graph = 2\n");
      const { outcome } = await deploy(pullRequestEvent(github.state, 7, "synchronize"), { ...next, ...shown });
      newer.push(outcome);
      then(found);
    });
    const older = await deploy(event, { ...(await uploaded("graph = 1\n")), ...shown });
    return { ...found, older, newer };
  }

  test("steps back: the newer commit stays live, and the records and the comment say so", async () => {
    const { older, newer, service, github, pulls } = await overtaken();
    expect({ newer, older: older.outcome, error: older.error }).toEqual({
      ...{ newer: ["deployed"], older: "skipped", error: undefined },
    });
    expect(older.events.filter(({ type }) => type === "not-kept")).toHaveLength(1);
    const [preview] = service.deployments();
    const uploads = service.requests.filter(({ method }) => method === "PATCH");
    expect({ patches: uploads.length, active: preview?.active_revision_id }).toEqual({
      ...{ patches: 1, active: preview?.latest_revision_id },
    });
    const commit = pulls.find(7).headSha;
    expect(github.state.deployments.all.map((record) => [record.sha === commit, stateOf(record)])).toEqual([
      [true, "success"],
      [false, "inactive"],
    ]);
    const [comment, ...others] = github.state.comments.list(7);
    expect(others).toEqual([]);
    expect(comment?.body).toMatch(new RegExp(`is live.*${commit.slice(0, 7)}`, "s"));
  });

  test("leaves nothing when the pull request is closed by then", async () => {
    const { older, names } = await overtaken(({ pulls }) => {
      pulls.close(7);
    });
    expect(older).toMatchObject({ outcome: "removed", error: undefined });
    expect(names()).toEqual([]);
  });

  test("continues where the newer commit is not deployed yet", async () => {
    const { deploy, event, pulls, uploaded, atSecondLook } = await opened();
    atSecondLook(() => {
      pulls.push(7);
    });
    expect((await deploy(event, await uploaded("graph = 1\n"))).outcome).toBe("deployed");
  });
});

describe("GitHub", () => {
  test.each([
    ["has an outage", refused(503)],
    ["refuses", forbidden("pull_requests=read")],
  ])("that %s does not fail the deploy of an event's pull request", async (_, fault) => {
    const { deploy, event, github, names } = await opened();
    github.faults.add({ path: /\/pulls/ }, fault, Infinity);
    const { outcome, facts } = await deploy(event);
    expect(outcome).toBe("deployed");
    expect(facts.warnings).toHaveLength(1);
    expect(names()).toEqual(["support-pr-7-c709b1"]);
  });

  test("that does not name the pull request of a commit ends the step before it writes", async () => {
    const { deploy, github, pulls, service } = await opened();
    const { headRef, headSha } = pulls.find(7);
    github.faults.add({ path: /\/pulls/ }, forbidden("pull_requests=read"), Infinity);
    const { error } = await deploy(pushEvent(github.state, headRef, headSha));
    expect(error).toMatchObject({ code: "PLAN", advice: expect.stringContaining("`pull-requests: read`") });
    expect(service.requests).toEqual([]);
  });
});
