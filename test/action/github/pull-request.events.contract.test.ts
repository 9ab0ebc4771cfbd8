import { hostOf } from "../../front/hosted.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectGitHub } from "../../../action/github/client.ts";
import { readGitHub } from "../../../action/github/github-inputs.ts";
import { findPullRequest } from "../../../action/github/pull-request.ts";
import { InputReader } from "../../../front/options/input-reader.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import * as events from "../../github/events.ts";
import type { GitHubEvent } from "../../github/events.ts";
import { MAIN_SHA, type Repository } from "../../github/repository.ts";
import { startGitHub } from "../../github/server.ts";

const OPEN = 7;
const OF_FORK = 8;

/** The number that a step finds in a run for an event, and how many requests it takes. */
async function found(eventOf: (repository: Repository) => GitHubEvent) {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const temp = await mkdtemp(join(tmpdir(), "events-"));
  onTestFinished(() => rm(temp, { recursive: true }));
  github.state.pulls.open({ number: OPEN });
  github.state.pulls.open({ number: OF_FORK, headRepository: "them/octo-repo" });
  const { event, env } = eventOf(github.state);
  const path = join(temp, "event.json");
  await writeFile(path, JSON.stringify(event));
  const given = { ...github.env, ...env, GITHUB_EVENT_PATH: path, "INPUT_GITHUB-TOKEN": github.token };
  const reader = new InputReader(hostOf(given), {
    defaults: { "github-token": "", "pull-request": "" },
    neverEmpty: {},
  });
  const inputs = await readGitHub(reader, hostOf(given), { asking: ["comment"], allowHttp: false });
  if (inputs === undefined) expect.fail("GitHub is left alone");
  const surroundings = { redactor: new Redactor(), signal: new AbortController().signal };
  await using client = connectGitHub(inputs, surroundings);
  const pull = await findPullRequest(client, inputs);
  return { number: pull?.number, requests: github.requests.length };
}

const headOf = ({ pulls }: Repository) => pulls.find(OPEN).headSha;

test.each<[string, (repository: Repository) => GitHubEvent, number | undefined, requests: number]>([
  ["pull_request", (all) => events.pullRequestEvent(all, OPEN, "opened"), OPEN, 0],
  ["pull_request_target", (all) => events.pullRequestEvent(all, OPEN, "closed", "pull_request_target"), OPEN, 0],
  ["push to its branch", (all) => events.pushEvent(all, "topic", headOf(all)), OPEN, 1],
  ["push to main", (all) => events.pushEvent(all, "main", MAIN_SHA), undefined, 1],
  ["workflow_dispatch on its branch", (all) => events.workflowDispatchEvent(all, "topic", headOf(all)), OPEN, 1],
  ["workflow_dispatch on main", (all) => events.workflowDispatchEvent(all, "main", MAIN_SHA), undefined, 1],
  ["workflow_run", (all) => events.workflowRunEvent(all, OPEN), OPEN, 1],
  ["workflow_run after one of a fork", (all) => events.workflowRunEvent(all, OF_FORK), OF_FORK, 1],
  ["issue_comment", (all) => events.issueCommentEvent(all, OPEN), OPEN, 1],
  ["issue_comment on an issue", (all) => events.issueCommentEvent(all, 99, false), undefined, 1],
  ["merge_group", (all) => events.mergeGroupEvent(all, OPEN), undefined, 0],
])("the event %s leads to the right pull request, or to none", async (_, eventOf, number, requests) => {
  expect(await found(eventOf)).toEqual({ number, requests });
});
