import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostOf, optionsOf } from "../../front/hosted.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { NO_FACTS } from "../../../front/steps/deploy/report/facts.ts";
import { deployStep } from "../../../action/deploy/step.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { withRunner, environment, makeRunner } from "../../front/options/step.ts";

test.each([
  ["hands on to the post step how long GitHub has not responded", 38_400, "::save-state name=github-stalled::38400"],
  ["hands on nothing where GitHub has responded", undefined, undefined],
])("%s", async (_, milliseconds, saved) => {
  const { workspace, temp } = await makeRunner();
  const inputs = { "control-plane-url": "https://control.example", "api-key": "key-0123", name: "agent" };
  const github = { environment: "staging", "github-token": "token-0123" };
  const run = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_REPOSITORY: "us/agents" };
  const env = environment({ ...inputs, ...github }, run);
  const read = await optionsOf(deployStep, env);
  if (read.task === "skip" || read.github === undefined) expect.fail("GitHub is not used");
  if (milliseconds !== undefined) read.github.limits.stalls = { milliseconds, counted: 0, until: 0 };
  const printed: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  vi.stubEnv("GITHUB_STATE", undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const ignore = () => undefined;
  const { signal } = new AbortController();
  const shared = { host: hostOf(env), redactor: new Redactor(), signal, clock: systemClock };
  const surroundings = { ...shared, warn: ignore, line: ignore };
  await deployStep.after?.(read, NO_FACTS, surroundings);
  expect(printed.find((line) => line.includes("github-stalled"))?.trim()).toBe(saved);
});

withRunner("a run of a fork has no preview, whatever other jobs did not hand on to it", async ({ workspace, temp }) => {
  const event = join(temp, "event.json");
  const repositories = { head: { repo: { full_name: "them/agents" } }, base: { repo: { full_name: "us/agents" } } };
  await writeFile(event, JSON.stringify({ pull_request: { number: 7, merge_commit_sha: null, ...repositories } }));
  const run = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_EVENT_PATH: event };
  const inputs = { preview: "true", "image-uri": "", "dry-run": "" };
  const read = await optionsOf(deployStep, environment(inputs, { ...run, GITHUB_EVENT_NAME: "pull_request" }));
  expect(read).toMatchObject({ task: "skip", reason: expect.stringContaining("fork") as string });
});
