import { describe, expect, test } from "vitest";
import { findPullRequest, readPullRequestNow } from "../../../action/github/pull-request.ts";
import type { RunEvent } from "../../../action/github/run-event.ts";
import type { Run } from "../../../front/host.ts";
import { clientOf, serve, type Reply } from "./small-server.ts";

const COMMIT = "c".repeat(40);

/** A pull request as GitHub describes it. */
function pull(number: number, more: { state?: string; sha?: string; base?: string; head?: string } = {}) {
  const { state = "open", sha = COMMIT, base = "Us/agents", head = "us/agents" } = more;
  const user = { login: "a-person" };
  return { number, state, user, head: { sha, repo: { full_name: head } }, base: { repo: { full_name: base } } };
}

async function find(
  reply: Reply,
  { given, event = {}, run = { commit: COMMIT } }: { given?: number; event?: RunEvent; run?: Run },
) {
  const server = await serve(() => reply);
  const { github } = await clientOf(server.origin);
  const found = await findPullRequest(github, { pullRequest: given, event, run });
  return { found, requests: server.requests().map((request) => request.replace("/api/v3/repos/us/agents", "")) };
}

const described = {
  number: 3,
  headCommit: COMMIT,
  isOpen: true,
  base: "us/agents",
  isFromFork: false,
  isFromDependabot: false,
  mergeCommit: undefined,
};

describe("the pull request of a run", () => {
  test("is that of the event, without a request", async () => {
    expect(await find({}, { event: { pullRequest: described } })).toEqual({ found: described, requests: [] });
  });

  test("is that of the input, whatever the event says", async () => {
    const { found, requests } = await find({ json: pull(9) }, { given: 9, event: { pullRequest: described } });
    expect(found?.number).toBe(9);
    expect(requests).toEqual(["GET /pulls/9"]);
  });

  test("is the one that was commented on", async () => {
    const { found, requests } = await find({ json: pull(4) }, { event: { commentedPullRequest: 4 } });
    expect(found).toMatchObject({ number: 4, headCommit: COMMIT });
    expect(requests).toEqual(["GET /pulls/4"]);
  });

  test("of a commit is open, into this repository, and has it as its newest; the lowest number first", async () => {
    const others = [
      pull(1, { state: "closed" }),
      pull(2, { sha: "d".repeat(40) }),
      pull(3, { base: "them/agents" }),
      { number: 4 },
    ];
    const { found, requests } = await find({ json: [...others, pull(8), pull(6, { head: "them/agents" })] }, {});
    expect(found).toMatchObject({ number: 6, isFromFork: true });
    expect(requests).toEqual([`GET /commits/${COMMIT}/pulls?per_page=100`]);
  });

  test("of a run that another one triggered is looked up by the commit of that one", async () => {
    const workflowRunCommit = "e".repeat(40);
    const { requests } = await find({ json: [] }, { event: { workflowRunCommit } });
    expect(requests).toEqual([`GET /commits/${workflowRunCommit}/pulls?per_page=100`]);
  });

  test("does not exist for the merge queue, for a commit that GitHub does not know, and without a commit", async () => {
    const ref = "gh-readonly-queue/main/pr-7-abc";
    expect(await find({}, { run: { commit: COMMIT, ref } })).toEqual({ found: undefined, requests: [] });
    expect((await find({ status: 422, json: { message: "No commit found" } }, {})).found).toBeUndefined();
    expect(await find({}, { run: {} })).toEqual({ found: undefined, requests: [] });
  });
});

test("an input that names a pull request that does not exist is an error, which says so", async () => {
  const given = find({ status: 404, json: { message: "Not Found" } }, { given: 999 });
  await expect(given).rejects.toThrow("there is no pull request #999 in this repository");
});

test("a pull request that does not exist is undefined, and one that cannot be read is an error", async () => {
  const server = await serve((_request, place) => ({ status: place === 1 ? 404 : 403, json: { message: "no" } }));
  const { github } = await clientOf(server.origin);
  expect(await readPullRequestNow(github, 5)).toBeUndefined();
  await expect(readPullRequestNow(github, 5)).rejects.toMatchObject({ status: 403 });
});
