import { expect, onTestFinished, test, vi } from "vitest";
import { NO_FACTS } from "../../../../front/steps/deploy/report/facts.ts";
import { readInputs } from "../../../../front/steps/deploy/inputs.ts";
import { deployStep } from "../../../../front/steps/deploy/step.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { environment, makeRunner } from "../../options/step.ts";

test.each([
  ["hands on to the post step how long GitHub has not responded", 38_400, "::save-state name=github-stalled::38400"],
  ["hands on nothing where GitHub has responded", undefined, undefined],
])("%s", async (_, milliseconds, saved) => {
  const { workspace, temp } = await makeRunner();
  const inputs = { "control-plane-url": "https://control.example", "api-key": "key-0123", name: "agent" };
  const github = { environment: "staging", "github-token": "token-0123" };
  const run = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_REPOSITORY: "us/agents" };
  const read = await readInputs(environment({ ...inputs, ...github }, run));
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
  await deployStep.comment?.(read, NO_FACTS, { redactor: new Redactor(), signal, warn: ignore, line: ignore });
  expect(printed.find((line) => line.includes("github-stalled"))?.trim()).toBe(saved);
});
