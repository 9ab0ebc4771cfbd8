import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pullRequestEvent, workflowRunEvent, type GitHubEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import { READ_ONLY } from "../github/tokens.ts";
import { runAction, type ActionResult } from "../runner/runner.ts";
import { jobFolders } from "./job-folders.ts";
import { API_KEY, step } from "./step.ts";
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
    { name: `support-agent-pr-${String(number)}`, "pull-request": number, reason: "closed" },
  ]);
  expect([service.deployments(), deployments.all]).toEqual([[], []]);
  expect(bodies()).toEqual([expect.stringContaining("is removed")]);
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
