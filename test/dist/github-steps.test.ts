import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stateOf } from "../github/deployments.ts";
import { pullRequestEvent, workflowRunEvent, type GitHubEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import { READ_ONLY } from "../github/tokens.ts";
import { meanwhile } from "../github/faults.ts";
import { runAction, startAction, type ActionResult } from "../runner/runner.ts";
import { jobFolders } from "./job-folders.ts";
import { API_KEY, step } from "./step.ts";
import { timeLapse } from "../fault/time-lapse.ts";
import { uploadStep, warningsOf } from "./upload-step.ts";

const yml = (name: string) => join(import.meta.dirname, "../../action", name, "action.yml");

/** A GitHub with an open pull request, and what a runner gives a step in a run for an event. */
async function repository(pull: { readonly headRepository?: string } = {}) {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const { number } = github.state.pulls.open(pull);
  const given = ({ event, env }: GitHubEvent, token = github.token) => ({
    ...{ event, env: { ...github.env, ...env }, secrets: [API_KEY, token] },
    inputs: { "github-token": token },
  });
  const bodies = () => github.state.comments.of(number).map(({ body }) => body);
  const { pulls, deployments } = github.state;
  return { github, number, given, bodies, pulls, deployments };
}

function expectGreen(result: ActionResult): void {
  expect(result, result.log.join("\n")).toMatchObject({ exitCode: 0, leaked: [], rawStderr: "" });
}

test("the step that removes takes away what the deploy made: deployment, record and the word that it is live", async () => {
  const { github, number, given, bodies, pulls, deployments } = await repository();
  const { options, service } = await step();
  const opened = given(pullRequestEvent(github.state, number, "opened"));
  const shown = { ...opened.inputs, preview: "true", environment: "preview", comment: "true" };
  expectGreen(await runAction(options(shown, { event: opened.event, env: opened.env, secrets: opened.secrets })));
  expect(bodies()).toEqual([expect.stringContaining("is live")]);

  pulls.close(number);
  const { inputs, ...closed } = given(pullRequestEvent(github.state, number, "closed", "pull_request_target"));
  const at = { "control-plane-url": service.url, "api-key": API_KEY, name: "support-agent" };
  const { workspace, temp } = await jobFolders();
  const removal = { actionYml: yml("remove"), workspace, temp, ...closed, inputs: { ...inputs, ...at } };
  const result = await runAction(removal);
  expectGreen(result);
  expect(JSON.parse(result.outputs.get("removed") ?? "")).toMatchObject([
    {
      name: expect.stringMatching(new RegExp(`^support-agent-pr-${String(number)}-[0-9a-f]{6}$`)),
      ...{ "pull-request": number, reason: "closed" },
    },
  ]);
  expect([service.deployments(), deployments.all]).toEqual([[], []]);
  expect(bodies()).toEqual([expect.stringContaining("is removed")]);
});

describe("without a concurrency group", () => {
  /** A run of the step that deploys, as a preview with all that it shows. */
  async function preview() {
    const found = await repository();
    const { given, github, number } = found;
    const { options, service, write } = await step();
    const run = (action: "opened" | "synchronize", id: number, more: Readonly<Record<string, string>> = {}) => {
      const { inputs, event, env, secrets } = given(pullRequestEvent(github.state, number, action));
      const shown = { ...inputs, preview: "true", environment: "preview", comment: "true" };
      return options(shown, { event, env: { ...env, GITHUB_RUN_ID: String(id), ...more }, secrets });
    };
    return { ...found, service, write, run };
  }

  // Windows has no signal that stops a process for a while.
  test.skipIf(process.platform === "win32").each([
    ["is closed: nothing is left", "removed", []],
    ["is open again: it is deployed again", "deployed", ["success"]],
  ])("a preview is removed while it is built, and its pull request %s", async (_, outcome, records) => {
    const { run, service, pulls, number, given, github, deployments, bodies } = await preview();
    service.faults.nextRevision({ hold: "BUILDING" });
    // A revision that is gone is looked for for a minute.
    const deploying = await startAction(run("opened", 1, timeLapse(40)));
    await deploying.line(/BUILDING/);
    // Whatever time the removal takes, the run that deploys asks for the pull request after it.
    deploying.signal("SIGSTOP");
    pulls.close(number);
    const closed = given(pullRequestEvent(github.state, number, "closed", "pull_request_target"));
    const { workspace, temp } = await jobFolders();
    const at = { "control-plane-url": service.url, "api-key": API_KEY, name: "support-agent" };
    const inputs = { ...closed.inputs, ...at };
    const removed = await runAction({ actionYml: yml("remove"), workspace, temp, ...closed, inputs });
    expectGreen(removed);
    expect(JSON.parse(removed.outputs.get("removed") ?? "")).toHaveLength(1);
    if (outcome === "deployed") pulls.reopen(number);
    deploying.signal("SIGCONT");
    const deployed = await deploying.result;
    expectGreen(deployed);
    expect(deployed.outputs.get("outcome")).toBe(outcome);
    expect(service.deployments()).toHaveLength(records.length);
    expect(deployments.all.map(stateOf)).toEqual(records);
    expect(bodies()).toEqual([expect.stringContaining(outcome === "deployed" ? "is live" : "removed")]);
  });

  test("a run that is overtaken during its upload leaves what the newer commit has deployed", async () => {
    const { run, service, pulls, number, write, github, deployments, bodies } = await preview();
    const newer: ActionResult[] = [];
    const state = { method: "GET", path: /\/pulls\/\d+$/ };
    // Its first look is right before its first write, and the second one after the upload.
    github.faults.add(state, {});
    const overtake = meanwhile(async () => {
      pulls.push(number);
      await write({ "support.py": "graph = 2\n" });
      newer.push(await runAction(run("synchronize", 2)));
    });
    github.faults.add(state, overtake);
    const older = await runAction(run("opened", 1));
    for (const result of [older, ...newer]) expectGreen(result);
    expect([older, ...newer].map(({ outputs }) => outputs.get("outcome"))).toEqual(["skipped", "deployed"]);
    const [deployment] = service.deployments();
    expect(deployment?.latest_revision_id).toBe(newer[0]?.outputs.get("revision-id"));
    expect(deployments.all.map(stateOf)).toEqual(["success", "inactive"]);
    expect(bodies()).toEqual([expect.stringContaining(pulls.find(number).headSha.slice(0, 7))]);
  });
});

test("the step that comments posts a file of a fork's run, and is green where it may not", async () => {
  const { github, number, given, bodies } = await repository({ headRepository: "them/octo-repo" });
  const { workspace, temp, write } = await jobFolders();
  await write({ "comment.md": "### ✅ No change\n\n<img src=x> @octo-org/everyone\n" });
  const post = async (token?: string) => {
    const { inputs, ...run } = given(workflowRunEvent(github.state, number), token);
    const all = { ...inputs, "body-path": "comment.md", key: "judgement" };
    return await runAction({ actionYml: yml("comment"), workspace, temp, ...run, inputs: all });
  };
  const refused = await post(github.tokenOf({ permissions: READ_ONLY }));
  expectGreen(refused);
  expect(warningsOf(refused)).toEqual([expect.stringContaining("`pull-requests: write`")]);
  expect([refused.outputs.get("outcome"), bodies()]).toEqual(["refused", []]);

  const posted = await post();
  expectGreen(posted);
  expect([posted.outputs.get("outcome"), posted.outputs.get("pull-request")]).toEqual(["created", String(number)]);
  expect(bodies()).toEqual([expect.stringContaining("No change")]);
  expect(bodies()[0]).not.toMatch(/<img|@octo/);
});

test("the step that uploads an experiment has a section of its own, and without the input no request", async () => {
  const { github, number, given, bodies } = await repository();
  const { options } = await uploadStep();
  const { inputs, ...run } = given(pullRequestEvent(github.state, number, "synchronize"));
  expectGreen(await runAction(options(inputs, run)));
  expect(github.requests).toEqual([]);
  expectGreen(await runAction(options({ ...inputs, comment: "true" }, run)));
  expect(bodies()).toEqual([expect.stringContaining("exact")]);
});
