import { describe, expect, test } from "vitest";
import { issueCommentEvent, mergeGroupEvent, pullRequestEvent, pushEvent, workflowRunEvent } from "./events.ts";
import { cut, forbidden, primaryLimit, refused, secondaryLimit } from "./faults.ts";
import { DEPENDABOT } from "./pulls.ts";
import { MAIN_SHA, type Repository } from "./repository.ts";
import { refusalOf, rig } from "./rig.ts";
import { READ_ONLY } from "./tokens.ts";

describe("a pull request", () => {
  test("is found by number, by commit and in the list, as it is by now", async () => {
    const { github, client, repo } = await rig();
    const { rest } = client();
    const { pulls } = github.state;
    const { number, headSha } = pulls.open({ user: DEPENDABOT });
    const pushed = pulls.push(number);
    pulls.close(number, { merged: true });
    const { data } = await rest.pulls.get({ ...repo, pull_number: number });
    expect(data).toMatchObject({ state: "closed", merged: true, head: { sha: pushed }, user: { login: DEPENDABOT } });
    const found = await rest.repos.listPullRequestsAssociatedWithCommit({ ...repo, commit_sha: headSha });
    expect(found.data.map((pull) => pull.number)).toEqual([number]);
    expect((await rest.pulls.list(repo)).data).toEqual([]);
    expect((await rest.pulls.list({ ...repo, state: "all" })).data).toHaveLength(1);
    pulls.reopen(number);
    expect((await rest.pulls.list(repo)).data).toHaveLength(1);
    expect(await refusalOf(rest.pulls.get({ ...repo, pull_number: 9 }))).toMatchObject({ status: 404 });
  });

  test("is in the payload of its event as in the API; a run of a fork has none", async () => {
    const { github } = await rig();
    const { pulls } = github.state;
    const own = pulls.open();
    const fork = pulls.open({ headRepository: "them/octo-repo" });
    const { event, env } = pullRequestEvent(github.state, own.number, "opened");
    expect(event).toMatchObject({
      number: 1,
      pull_request: pulls.view(own),
      repository: { full_name: "octo-org/octo-repo" },
    });
    expect(env["GITHUB_SHA"]).not.toBe(own.headSha);
    expect(workflowRunEvent(github.state, fork.number).event).toMatchObject({
      workflow_run: { head_sha: fork.headSha, pull_requests: [] },
    });
  });
});

test.each([
  ["push", { ref: "refs/heads/main" }, pushEvent],
  ["issue_comment", { issue: { number: 1 } }, (state: Repository) => issueCommentEvent(state, 1)],
  ["merge_group", { merge_group: {} }, (state: Repository) => mergeGroupEvent(state, 1)],
])("%s has a payload and an environment", async (name, payload, make) => {
  const { github } = await rig();
  const { event, env } = make(github.state, "main", MAIN_SHA);
  expect(event).toMatchObject({ ...payload, repository: { full_name: github.state.name } });
  expect(env).toMatchObject({ GITHUB_EVENT_NAME: name, GITHUB_SHA: MAIN_SHA });
});

describe("a request", () => {
  test("is counted, with its body and the status of its response", async () => {
    const { github, client, repo } = await rig();
    const { headSha } = github.state.pulls.open();
    const status = { ...repo, sha: headSha, state: "success" as const, context: "graph-deploy" };
    await client().rest.repos.createCommitStatus(status);
    expect(github.count("POST", /\/statuses\//)).toBe(1);
    expect(github.requests).toMatchObject([{ body: { state: "success", context: "graph-deploy" }, status: 201 }]);
    expect(github.state.statuses).toMatchObject([{ sha: headSha, state: "success" }]);
    await refusalOf(client(github.tokenOf({ permissions: READ_ONLY })).rest.repos.createCommitStatus(status));
    expect(github.requests.at(-1)?.status).toBe(403);
  });

  test("needs a token, and finds no other repository", async () => {
    const { client, repo } = await rig();
    const { rest } = client("ghs_unknown");
    expect(await refusalOf(rest.pulls.list(repo))).toMatchObject({ status: 401 });
    expect(await refusalOf(client().rest.pulls.list({ ...repo, repo: "other" }))).toMatchObject({ status: 404 });
    expect(await refusalOf(client().rest.users.getAuthenticated())).toMatchObject({ status: 403 });
  });

  test.each([
    [
      "the hourly limit",
      primaryLimit(60),
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "60" } },
    ],
    ["the limit of a burst", secondaryLimit(7, 429), { status: 429, headers: { "retry-after": "7" } }],
    ["a server error", refused(502), { status: 502 }],
    ["a lack of rights", forbidden("deployments=write"), { status: 403 }],
    ["a cut", cut, { status: 500 }],
  ])("meets %s when a test says so, and is not done", async (_, fault, expected) => {
    const { github, client, repo } = await rig({ now: () => new Date(0) });
    const { number } = github.state.pulls.open();
    const handle = github.faults.add({ method: "POST" }, fault);
    const create = () => client().rest.issues.createComment({ ...repo, issue_number: number, body: "a" });
    expect(await refusalOf(create())).toMatchObject(expected);
    expect(github.state.comments.of(number)).toEqual([]);
    expect(handle.hits).toBe(1);
    expect((await create()).status).toBe(201);
  });
});
