import { expect, onTestFinished, test } from "vitest";
import { stateOf } from "../github/deployments.ts";
import { pullRequestEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import { BOT } from "../github/tokens.ts";
import type { RunningAct } from "./act.ts";
import { example, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

// Of the id that the repository of the tests has.
const NAME = "support-agent-pr-1-ead601";

type Action = "opened" | "synchronize" | "reopened" | "closed";

/** A repository with the example workflows, its pull request on GitHub, and the service to which its previews go. */
async function pullRequest() {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const found = await rig([await example("pull-request.yml"), await example("remove.yml")]);
  const { pulls, comments, deployments } = github.state;
  const { number } = pulls.open();
  let runs = 0;
  /** The runs that GitHub begins for an event, after what happened. */
  const start = (action: Action): RunningAct => {
    const name = action === "closed" ? "pull_request_target" : "pull_request";
    const { event, env } = pullRequestEvent(github.state, number, action, name);
    runs += 1;
    // act reads the commit from the repository itself, and its word is not overruled.
    const run = { ...github.env, ...env, GITHUB_RUN_ID: String(1_000 + runs) };
    return found.start({ event: name, payload: event, env: run, secrets: { GITHUB_TOKEN: github.token } });
  };
  const run = async (action: Action) => {
    const { exitCode, log } = await start(action).result;
    expect(exitCode, log.text).toBe(0);
    expect(log.annotations("warning"), log.text).toEqual([]);
    expect(log.leaked([...SECRETS, github.token])).toEqual([]);
    return log;
  };
  return {
    ...{ ...found, github, number, pulls, start, run },
    /** The one comment of the job's own; there is no other. */
    comment: () => {
      const own = comments.of(number).filter(({ login }) => login === BOT);
      expect(own).toHaveLength(1);
      return own[0]!;
    },
    /** The state of each record, newest first. */
    records: () => deployments.all.map((deployment) => stateOf(deployment)),
    names: () => found.service.deployments().map(({ name }) => name),
  };
}

test("a pull request is opened, pushed to, closed and reopened: one comment follows, and nothing is left", async () => {
  const { run, comment, records, names, pulls, number, github, service } = await pullRequest();
  await run("opened");
  const { id, body } = comment();
  expect(body).toMatch(/support-agent-pr-1.*live/i);
  expect(body).toContain(pulls.find(number).headSha.slice(0, 7));
  expect([records(), names()]).toEqual([["success"], [NAME]]);
  const [record] = github.state.deployments.all;
  const [url] = service.deployments().map(({ url: address }) => address);
  expect(record).toMatchObject({ environment: "preview", task: `deploy:${NAME}`, sha: pulls.find(number).headSha });
  expect(record?.statuses.at(-1)?.environmentUrl).toBe(url);

  const pushed = pulls.push(number);
  await run("synchronize");
  expect(comment()).toMatchObject({ id, body: expect.stringContaining(pushed.slice(0, 7)) });
  expect([records(), names()]).toEqual([["success", "inactive"], [NAME]]);

  pulls.close(number);
  await run("closed");
  expect(comment()).toMatchObject({ id, body: expect.stringMatching(/removed/i) });
  expect([records(), names()]).toEqual([[], []]);

  pulls.reopen(number);
  await run("reopened");
  expect(comment()).toMatchObject({ id, body: expect.stringMatching(/live/i) });
  expect([records(), names()]).toEqual([["success"], [NAME]]);

  pulls.close(number, { merged: true });
  await run("closed");
  expect(comment()).toMatchObject({ id, body: expect.stringMatching(/removed/i) });
  expect([records(), names()]).toEqual([[], []]);
  expect([...github.state.deployments.environments]).toEqual(["preview"]);
});

test("a pull request is closed in the middle of the build: the deploy takes away what it made, and says so", async () => {
  const { start, run, comment, records, names, pulls, number, service } = await pullRequest();
  service.faults.nextRevision({ hold: "BUILDING" });
  const { result } = start("opened");
  const building = () => service.deployments().flatMap(({ id }) => service.revisions(id).map(({ status }) => status));
  await expect.poll(building, { timeout: 30_000 }).toContain("BUILDING");
  expect(records()).toEqual(["in_progress"]);
  pulls.close(number);
  service.faults.clear();
  const { exitCode, log } = await result;
  expect(exitCode, log.text).toBe(0);
  expect(log.outputs("deploy")).toMatchObject({ outcome: "removed" });
  expect(names()).toEqual([]);
  expect(records().filter((state) => state === "success" || state === "in_progress")).toEqual([]);
  // The run of the close waits for that of the deploy, as long as they are of one group.
  await run("closed");
  expect([records(), names()]).toEqual([[], []]);
  expect(comment().body).toMatch(/removed/i);
  expect(comment().body).not.toMatch(/is live/i);
});
