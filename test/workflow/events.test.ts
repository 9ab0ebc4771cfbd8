import { expect, onTestFinished, test } from "vitest";
import {
  issueCommentEvent,
  mergeGroupEvent,
  pushEvent,
  workflowDispatchEvent,
  type GitHubEvent,
} from "../github/events.ts";
import { MAIN_SHA, type Repository } from "../github/repository.ts";
import { startGitHub } from "../github/server.ts";
import { needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

// One step, which checks nothing out.
const WORKFLOW = `
name: Events
on: [push, workflow_dispatch, issue_comment, merge_group]
permissions: { deployments: write, pull-requests: write }
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: OWNER/graph-deploy@v1
        with:
          control-plane-url: \${{ vars.CONTROL_PLANE_URL }}
          api-key: \${{ secrets.GRAPH_API_KEY }}
          name: support-agent
          image-uri: registry.example/agent:1
          smoke-test: false
          poll-interval: 0.1s
          environment: staging
          comment: true
          comment-key: \${{ github.event_name }}
`;

const [ONE, OTHER] = [7, 8];

/** Events that other files do not run, and the pull request that each is about. */
const EVENTS: readonly (readonly [
  name: string,
  eventOf: (all: Repository) => GitHubEvent,
  number: number | undefined,
])[] = [
  ["push", (all) => pushEvent(all, all.pulls.find(ONE).headRef, all.pulls.find(ONE).headSha), ONE],
  ["workflow_dispatch", (all) => workflowDispatchEvent(all, "topic", all.pulls.find(ONE).headSha), ONE],
  ["issue_comment", (all) => issueCommentEvent(all, OTHER), OTHER],
  ["merge_group", (all) => mergeGroupEvent(all, ONE), undefined],
];

test("each event leads the built step to its pull request, to its commit, or to none", async () => {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const { pulls, comments, deployments } = github.state;
  for (const number of [ONE, OTHER]) pulls.open({ number });
  const { run } = await rig([WORKFLOW]);
  for (const [name, eventOf, number] of EVENTS) {
    const { event, env } = eventOf(github.state);
    // act takes the commit from a variable of its own.
    const named = { ...github.env, ...env, SHA_REF: env["GITHUB_SHA"] ?? "" };
    const { exitCode, log } = await run({
      ...{ event: name, payload: event, env: named },
      secrets: { GITHUB_TOKEN: github.token },
    });
    expect(exitCode, log.text).toBe(0);
    expect(log.annotations("warning"), log.text).toEqual([]);
    expect(log.leaked([...SECRETS, github.token])).toEqual([]);
    const commented = [ONE, OTHER].filter((one) => comments.of(one).some(({ body }) => body.includes(`"${name}"`)));
    expect({ name, commented }).toEqual({ name, commented: number === undefined ? [] : [number] });
    const sha = number === undefined ? MAIN_SHA : pulls.find(number).headSha;
    expect({ name, sha: deployments.all[0]?.sha }).toEqual({ name, sha });
  }
  expect([ONE, OTHER].map((number) => comments.of(number).length)).toEqual([1, 1]);
});
