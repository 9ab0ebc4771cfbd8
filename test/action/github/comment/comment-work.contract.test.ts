import { hostOf } from "../../../front/hosted.ts";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sectionsOf } from "../../../../action/github/comment/body.ts";
import { writeComment } from "../../../../action/github/comment/comment-work.ts";
import { readOnGitHub } from "../../../../action/github/comment/step-comment.ts";
import type { StepComment } from "../../../../action/github/comment/comment.ts";
import type { RunBrief } from "../../../../front/account/brief.ts";
import type { Environment } from "../../../../front/environment.ts";
import { InputReader } from "../../../../front/options/input-reader.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { pullRequestEvent, pushEvent, type GitHubEvent } from "../../../github/events.ts";
import { mergeShaOf } from "../../../github/pulls.ts";
import { startGitHub } from "../../../github/server.ts";
import { READ_ONLY } from "../../../github/tokens.ts";
import { FastClock } from "../../../wire/clocks.ts";
import { writeFiles } from "../../../write-files.ts";

const BRIEF: RunBrief = { name: "support-agent", sign: "good", state: "live", text: "### ✅ support-agent is live" };
const DEFAULTS = { comment: "false", "comment-key": "", "comment-path": "", "github-token": "", "pull-request": "" };

interface Changes {
  readonly env?: Environment;
  readonly isReadOnly?: boolean;
  readonly event?: GitHubEvent;
  readonly name?: "pull_request" | "pull_request_target";
  /** The commit in the workspace, by the newest one of the pull request. */
  readonly checkedOut?: (head: string) => string;
  /** The event is older than the merge commit. */
  readonly isMergeUnknown?: boolean;
}

async function step({
  env: inputs = {},
  isReadOnly = false,
  event,
  name = "pull_request",
  checkedOut,
  isMergeUnknown = false,
}: Changes = {}) {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const workspace = await mkdtemp(join(tmpdir(), "comment-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  const { number } = github.state.pulls.open();
  const another = github.state.pulls.open();
  const happened = event ?? pullRequestEvent(github.state, number, "synchronize", name);
  const head = github.state.pulls.find(number).headSha;
  if (checkedOut !== undefined) await writeFiles(workspace, { ".git/HEAD": `${checkedOut(head)}\n` });
  const path = join(workspace, "event.json");
  const text = JSON.stringify(happened.event);
  await writeFile(path, isMergeUnknown ? text.replaceAll(mergeShaOf(head), "9".repeat(40)) : text);
  const token = isReadOnly ? github.tokenOf({ permissions: READ_ONLY }) : github.token;
  const runner = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: workspace, GITHUB_EVENT_PATH: path, GITHUB_RUN_ID: "77" };
  const env = { ...github.env, ...happened.env, ...runner, "INPUT_GITHUB-TOKEN": token, ...inputs };
  const host = hostOf(env);
  const reader = new InputReader(host, { defaults: DEFAULTS, neverEmpty: {} });
  const { comment } = await readOnGitHub(reader, host, {
    connection: { allowHttp: true },
    defaults: ["support-regression", "results/a.json\nresults/b.json"],
  });
  const said: string[] = [];
  const write = async (given: StepComment | undefined = comment) => {
    if (given === undefined) throw new Error("Nothing is to be written.");
    const surroundings = {
      host,
      redactor: new Redactor(),
      signal: new AbortController().signal,
      clock: new FastClock(),
      warn: (message: string) => said.push(`warning: ${message}`),
      line: (label: string, text: string) => said.push(`${label}: ${text}`),
    };
    await writeComment(given, { kind: "experiment", brief: BRIEF }, surroundings);
    return said;
  };
  const bodies = (of = number) => github.state.comments.of(of).map(({ body }) => body);
  return { github, reader, comment, write, bodies, workspace, head, another };
}

test("without the inputs nothing is written, and GitHub is not asked", async () => {
  const { comment, github } = await step();
  expect(comment).toBeUndefined();
  expect(github.requests).toEqual([]);
});

test("the section is named by the inputs, which are known however the run ends", async () => {
  const { comment, write, bodies } = await step({ env: { INPUT_COMMENT: "true" } });
  expect(comment?.key).toBe("support-regression, results/a.json results/b.json");
  expect(await write()).toEqual(["Comment: created on pull request #1"]);
  expect(sectionsOf(bodies()[0])[0]?.facts).toMatchObject({ kind: "experiment", run: "77", state: "live" });
  const named = await step({ env: { INPUT_COMMENT: "true", "INPUT_COMMENT-KEY": "nightly" } });
  expect(named.comment?.key).toBe("nightly");
});

test("a file gets the section, also where GitHub is not asked", async () => {
  const { write, github, workspace } = await step({ env: { "INPUT_COMMENT-PATH": "out/comment.md" } });
  expect(await write()).toEqual([]);
  expect(await readFile(join(workspace, "out/comment.md"), "utf8")).toMatch(/^### ✅ support-agent is live\n\ncommit/);
  expect(github.requests).toEqual([]);
});

test("a token that may not write is one warning, with what is missing", async () => {
  const { write } = await step({ env: { INPUT_COMMENT: "true" }, isReadOnly: true });
  expect(await write()).toEqual([expect.stringMatching(/^warning: .*`pull-requests: write`/)]);
});

describe("the commit that a section names", () => {
  const MAIN = "d".repeat(40);
  const short = (commit: string) => `\`${commit.slice(0, 7)}\``;

  test.each<[string, Changes, (head: string) => string, number]>([
    [
      "the merge commit of a run of it",
      { checkedOut: mergeShaOf },
      (head) => `${short(head)} (merged as ${short(mergeShaOf(head))})`,
      0,
    ],
    ["its newest commit", { name: "pull_request_target", checkedOut: (head) => head }, (head) => `${short(head)} ·`, 0],
    ["nothing", { name: "pull_request_target" }, (head) => `${short(head)} ·`, 0],
    [
      "the default branch",
      { name: "pull_request_target", checkedOut: () => MAIN },
      (head) => `${short(MAIN)} (the pull request is at ${short(head)})`,
      1,
    ],
  ])("is right when what is checked out is %s", async (_, changes, commit, warnings) => {
    const { write, bodies, head } = await step({ env: { INPUT_COMMENT: "true" }, ...changes });
    const said = await write();
    expect(bodies()[0]).toContain(`commit ${commit(head)}`);
    expect(said.filter((line) => line.startsWith("warning"))).toHaveLength(warnings);
  });
});

test("a merge commit that the event does not know yet is asked for, and no reason for a warning", async () => {
  const { write, bodies, head } = await step({
    env: { INPUT_COMMENT: "true" },
    name: "pull_request_target",
    checkedOut: mergeShaOf,
    isMergeUnknown: true,
  });
  expect(await write()).toEqual(["Comment: created on pull request #1"]);
  expect(bodies()[0]).toContain(`\`${head.slice(0, 7)}\` (merged as \`${mergeShaOf(head).slice(0, 7)}\`)`);
});

test("the merge commit of a run is none of another pull request that the input names", async () => {
  const { write, bodies, head, another } = await step({
    env: { INPUT_COMMENT: "true", "INPUT_PULL-REQUEST": "2" },
    checkedOut: mergeShaOf,
  });
  expect(await write()).toEqual([
    expect.stringMatching(/^warning: .*neither the newest commit of pull request #2/),
    "Comment: created on pull request #2",
  ]);
  const [packed, other] = [mergeShaOf(head), another.headSha].map((commit) => commit.slice(0, 7));
  expect(bodies(2)[0]).toContain(`commit \`${packed ?? ""}\` (the pull request is at \`${other ?? ""}\`)`);
});

test("a number that no pull request has is one warning, which says so", async () => {
  const { write, github } = await step({ env: { INPUT_COMMENT: "true", "INPUT_PULL-REQUEST": "999" } });
  expect(await write()).toEqual([expect.stringMatching(/^warning: .*there is no pull request #999/)]);
  expect(github.count("POST")).toBe(0);
});

test("a run that is about no pull request has no comment", async () => {
  const server = await startGitHub();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const event = pushEvent(server.state, "main", "4f1c09ab".repeat(5));
  const { write, github } = await step({ env: { INPUT_COMMENT: "true" }, event });
  expect(await write()).toEqual([expect.stringMatching(/^Comment: none/)]);
  expect(github.count("POST")).toBe(0);
});

test("a key without a comment has no effect, which is said", async () => {
  const { reader } = await step({ env: { "INPUT_COMMENT-KEY": "nightly" } });
  expect(reader.warnings).toHaveLength(1);
});
