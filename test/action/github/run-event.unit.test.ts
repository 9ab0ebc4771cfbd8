import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isPullRequestRun,
  readRunEvent,
  whoRestricts,
  whySecretsAreWithheld,
} from "../../../action/github/run-event.ts";

/** The variables of a run of this event. */
function runOf(event: unknown, name = "pull_request") {
  const folder = mkdtempSync(join(tmpdir(), "event-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "event.json");
  writeFileSync(path, typeof event === "string" ? event : JSON.stringify(event));
  return { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path };
}

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const event = (from: string | null | undefined, more: object = {}) => ({
  pull_request: {
    number: 7,
    head: { sha: COMMIT, ...(from === undefined ? {} : { repo: from === null ? null : { full_name: from } }) },
    base: { repo: { full_name: "us/agents" } },
    ...more,
  },
});

test.each([
  ["us/agents", false],
  ["them/agents", true],
  [null, true],
  [undefined, false],
])("a branch in %j is one of a fork: %j", async (from, isFromFork) => {
  expect((await readRunEvent(runOf(event(from)))).pullRequest).toEqual({
    number: 7,
    headCommit: COMMIT,
    isOpen: true,
    base: "us/agents",
    isFromFork,
    isFromDependabot: false,
  });
});

test("what an event does not say as expected is as good as not said", async () => {
  const odd = event("us/agents", { number: -1, head: { sha: "main", repo: 7 } });
  expect((await readRunEvent(runOf(odd))).pullRequest).toMatchObject({
    number: undefined,
    headCommit: undefined,
    isFromFork: false,
  });
  for (const text of ["{", "[]", '{"pull_request":null}'])
    expect((await readRunEvent(runOf(text))).pullRequest).toBeUndefined();
  expect((await readRunEvent({ GITHUB_EVENT_PATH: "/no/such/file" })).pullRequest).toBeUndefined();
  expect((await readRunEvent({})).pullRequest).toBeUndefined();
});

test.each([
  ["pull_request", true],
  ["pull_request_review_comment", true],
  ["pull_request_target", false],
  ["push", false],
])("a run of %s gets no secrets from a fork: %j", async (name, withheld) => {
  const env = runOf(event("them/agents"), name);
  expect(isPullRequestRun(env)).toBe(withheld);
  expect((await whySecretsAreWithheld(env, "base-url"))?.includes("base-url: local") ?? false).toBe(withheld);
});

test("Dependabot has secrets of its own, and a branch of the repository has them all", async () => {
  const env = runOf(event("us/agents"));
  expect(await whySecretsAreWithheld({ ...env, GITHUB_ACTOR: "dependabot[bot]" }, "x")).toContain("Dependabot");
  expect(await whySecretsAreWithheld(env, "x")).toBeUndefined();
});

test("a run of Dependabot's pull request stays one when a person repeats it", async () => {
  const env = { ...runOf(event("us/agents", { user: { login: "dependabot[bot]" } })), GITHUB_ACTOR: "a-person" };
  expect(whoRestricts(env, await readRunEvent(env))).toBe("dependabot");
  expect(whoRestricts({ ...env, GITHUB_EVENT_NAME: "pull_request_target" }, await readRunEvent(env))).toBeUndefined();
});

test("what Dependabot pushes may not write, and what it starts otherwise may", () => {
  const actor = { GITHUB_ACTOR: "dependabot[bot]" };
  expect(whoRestricts({ ...actor, GITHUB_EVENT_NAME: "push" }, {})).toBe("dependabot");
  expect(whoRestricts({ ...actor, GITHUB_EVENT_NAME: "workflow_run" }, {})).toBeUndefined();
});

test.each([
  ["a comment on a pull request", { issue: { number: 4, pull_request: {} } }, { commentedPullRequest: 4 }],
  ["a comment on an issue", { issue: { number: 4 } }, {}],
  ["another run", { workflow_run: { head_sha: COMMIT } }, { workflowRunCommit: COMMIT }],
])("the event of %s", async (_what, said, expected) => {
  const { pullRequest, ...rest } = await readRunEvent(runOf(said));
  expect(pullRequest).toBeUndefined();
  expect(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))).toEqual(expected);
});
