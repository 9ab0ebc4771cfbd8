import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { makeWorse } from "../evaluation/worse-agent.ts";
import { pullRequestEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import { example, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

const EVALUATE = "OWNER/graph-deploy/action/evaluate@v1";
const JUDGE = "OWNER/graph-deploy/action/judge@v1";
const SAY = "Say how it ended";

/** What the built-in agent answers for the worse agent. */
async function worseAnswers(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-worse-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(projectRoot, "examples/agent"), folder, { recursive: true });
  await makeWorse(folder);
  return await readFile(join(folder, "recorded-answers.jsonl"), "utf8");
}

test("main has no baseline at first, then equals it, and a pull request with a worse agent is red", async () => {
  const { run, commit, service } = await rig([await example("evaluate-preview.yml")]);
  const main = (id: number) => run({ event: "push", env: { GITHUB_RUN_ID: String(id) } });
  const first = await main(1);
  expect(first.exitCode, first.log.text).toBe(0);
  expect(first.log.printed(SAY).join()).toMatch(/^complete \{"correct":/);
  expect(first.log.printed(JUDGE).join("\n")).toContain("there is no baseline yet");
  const second = await main(2);
  expect(second.exitCode, second.log.text).toBe(0);
  expect(second.log.printed(JUDGE).join("\n")).toContain("1 run, 20 cases");

  await commit("agent/recorded-answers.jsonl", await worseAnswers());
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const { number } = github.state.pulls.open();
  const { event, env } = pullRequestEvent(github.state, number, "synchronize");
  const third = await run({
    event: "pull_request",
    payload: event,
    env: { ...github.env, ...env, GITHUB_RUN_ID: "3" },
    secrets: { GITHUB_TOKEN: github.token },
  });
  expect(third.exitCode, third.log.text).toBe(1);
  expect(third.log.printed(EVALUATE).join("\n")).toContain("20 cases, 20 runs");
  expect(third.log.printed(SAY).join()).toMatch(/^complete /);
  expect(third.log.annotations("error").join("\n")).toContain("The rule is `correct not regressed`");
  expect(third.log.printed(JUDGE).join("\n")).toContain("vat-number: correct 1 → 0");
  expect(third.log.stages().join()).not.toContain("cache/save");
  expect(third.log.leaked(SECRETS)).toEqual([]);
  expect(service.deployments().map(({ name }) => name)).toHaveLength(2);
});
