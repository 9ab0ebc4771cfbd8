import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { pullRequestEvent, workflowRunEvent, type GitHubEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import type { ActRun } from "./act.ts";
import { example, missingFor, needsAct, rig } from "./rig.ts";

needsAct();
beforeEach(async (context) => {
  const missing = missingFor(await example("judge.yml"));
  if (missing !== undefined) context.skip(missing);
});

const STEP = "OWNER/graph-deploy/action/judge@v1";
const SAY = "Say how it ended";
const SAVE = "Main actions/cache/save@commit: success";

/** A desk that hands each question to a colleague: right for few of them. */
const WORSE = `def answer(state):
    return {"answer": "A colleague will answer.", "source": None}
`;
const DESK = "agent/support_desk/support.py";

/** A run with an id, on main or on a pull request. */
const attempt = (id: number, event = "push") => ({ event, env: { GITHUB_RUN_ID: String(id) } });
const said = ({ log }: ActRun, job?: string) => log.printed(SAY, job).join();

describe("judge.yml", () => {
  test("has no baseline at first, then the runs on main, and is red for a pull request that made it worse", async () => {
    const { run, commit } = await rig([await example("judge.yml")]);
    const first = await run(attempt(1));
    expect(first.exitCode, first.log.text).toBe(0);
    expect(said(first)).toBe("bootstrap not compared");
    expect(first.log.stages()).toContain(SAVE);

    const second = await run(attempt(2));
    expect(second.exitCode, second.log.text).toBe(0);
    expect(said(second)).toBe("passed unchanged");
    expect(second.log.printed(STEP).join("\n")).toContain("baseline/1.snapshot.jsonl: 1 run, 20 cases");

    await commit(DESK, WORSE);
    const third = await run(attempt(3, "pull_request"));
    expect(third.exitCode, third.log.text).toBe(1);
    expect(said(third)).toBe("failed regressed");
    expect(third.log.printed(STEP).join("\n")).toContain("2 runs, 20 cases × 2 trials");
    expect(third.log.annotations("error").filter((line) => line.includes("Regressed"))).toHaveLength(2);
    expect(third.log.summary()).toMatch(/^### ❌ Regressed: /);
    expect(third.log.stages().join()).not.toContain("cache/save");
  });

  test("saves nothing of a green pull request", async () => {
    const { run } = await rig([await example("judge.yml")]);
    const { exitCode, log } = await run(attempt(1, "pull_request"));
    expect(exitCode, log.text).toBe(0);
    expect(log.stages().join()).not.toContain("cache/save");
  });
});

describe("judge-shards.yml", () => {
  const JUDGE = "Judge shards/judge";

  test("judges the shards together, hands out a snapshot for a baseline, and a comment for a pull request of a fork", async () => {
    const artifacts = await mkdtemp(join(tmpdir(), "graph-deploy-artifacts-"));
    onTestFinished(() => rm(artifacts, { recursive: true, force: true }));
    const more = { event: "workflow_dispatch", env: { ARTIFACT_FIXTURE_FOLDER: artifacts } };
    const { run, commit } = await rig([await example("judge-shards.yml"), await example("comment-from-fork.yml")]);
    const first = await run(more);
    expect(first.exitCode, first.log.text).toBe(0);
    expect(said(first, JUDGE)).toBe("bootstrap not compared");

    const snapshot = await readFile(join(artifacts, "judged/baseline.snapshot.jsonl"), "utf8");
    // As of another run: act gives each run the same id.
    await commit("evaluation/baseline.snapshot.jsonl", snapshot.replace('"run":"1"', '"run":"70"'));
    const second = await run(more);
    expect(second.exitCode, second.log.text).toBe(0);
    expect(said(second, JUDGE)).toBe("passed unchanged");

    const cases = await readFile(join(import.meta.dirname, "../../examples/evaluation/cases.jsonl"), "utf8");
    await commit("evaluation/cases.jsonl", cases.split("\n").slice(0, 12).join("\n"));
    const github = await startGitHub();
    onTestFinished(() => github[Symbol.asyncDispose]());
    const { pulls, comments } = github.state;
    const { number } = pulls.open({ headRepository: "them/octo-repo" });
    const about = (event: string, of: GitHubEvent) => ({
      ...{ event, payload: of.event, secrets: { GITHUB_TOKEN: github.token } },
      env: { ...more.env, ...github.env, ...of.env },
    });
    const third = await run(about("pull_request", pullRequestEvent(github.state, number, "synchronize")));
    expect(third.exitCode, third.log.text).toBe(1);
    expect(said(third, JUDGE)).toBe("incomplete incomplete");
    expect(third.log.annotations("error", JUDGE).join("\n")).toContain("8 cases of the baseline have no row now");
    expect(await readFile(join(artifacts, "judged/comment.md"), "utf8")).toContain("### ❌ Incomplete");
    expect(await readFile(join(artifacts, "judged/report.html"), "utf8")).toContain("Incomplete: 8 cases");
    expect(github.requests).toEqual([]);

    const posted = await run(about("workflow_run", workflowRunEvent(github.state, number)));
    expect(posted.exitCode, posted.log.text).toBe(0);
    expect(posted.log.annotations("warning")).toEqual([]);
    expect(comments.of(number).map(({ body }) => body)).toEqual([
      expect.stringMatching(/### ❌ Incomplete.*8 cases of the baseline have no row now/s),
    ]);
  });
});

test("judge-nightly.yml warns of a loss against the release that the night before does not show", async () => {
  const { run, commit } = await rig([await example("judge-nightly.yml")]);
  const night = (id: number) => run(attempt(id, "workflow_dispatch"));
  const first = await night(1);
  expect(first.exitCode, first.log.text).toBe(0);
  expect(first.log.annotations("warning").join("\n")).toContain("release.snapshot.jsonl matches no file");
  expect(said(first)).toBe("bootstrap not compared");
  await commit("agent/README.md", "Other words.\n");
  const second = await night(2);
  expect(second.exitCode, second.log.text).toBe(0);
  expect(said(second)).toMatch(/^passed /);
});
