import { secretsOf } from "../../../front/steps/run-step.ts";
import { commentStep } from "../../../action/comment/step.ts";
import { hostOf } from "../../front/hosted.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readGitHub } from "../../../action/github/github-inputs.ts";
import type { Environment } from "../../../front/environment.ts";
import { InputReader } from "../../../front/options/input-reader.ts";

const RUNNER = {
  "INPUT_GITHUB-TOKEN": "ghs_0123456789",
  GITHUB_REPOSITORY: "us/agents",
  GITHUB_API_URL: "https://github.example/api/v3",
  GITHUB_RUN_ID: "42",
  GITHUB_RUN_ATTEMPT: "2",
};

async function read(env: Environment, asking: readonly string[] = ["environment"]) {
  const reader = new InputReader(hostOf(env), {
    defaults: { "github-token": "${{ github.token }}", "pull-request": "" },
    neverEmpty: {},
  });
  const github = await readGitHub(reader, hostOf(env), { asking, allowHttp: false });
  const { faults, warnings, notices } = reader;
  return { github, faults: faults.map(({ input }) => input), warnings, notices };
}

test("what GitHub needs comes from the runner, the token from its input", async () => {
  const { github, ...said } = await read({ ...RUNNER, "INPUT_PULL-REQUEST": "7", https_proxy: "http://proxy:3128" });
  expect(github).toMatchObject({
    token: "ghs_0123456789",
    repository: { owner: "us", repo: "agents" },
    pullRequest: 7,
    run: { id: "42", attempt: 2 },
    proxy: { https: "http://proxy:3128" },
  });
  expect(github?.api.href).toBe("https://github.example/api/v3");
  expect(said).toEqual({ faults: [], warnings: [], notices: [] });
  expect(secretsOf(commentStep, hostOf(RUNNER))).toEqual(["ghs_0123456789"]);
});

test("without an input that asks for GitHub nothing is read, and nothing is said", async () => {
  const { github, ...said } = await read({ ...RUNNER, GITHUB_REPOSITORY: "" }, []);
  expect(github).toBeUndefined();
  expect(said).toEqual({ faults: [], warnings: [], notices: [] });
});

test.each([
  ["INPUT_GITHUB-TOKEN", "", /`github-token` is empty/],
  ["GITHUB_REPOSITORY", "agents", /GITHUB_REPOSITORY/],
  ["GITHUB_API_URL", "http://github.example", /GITHUB_API_URL/],
])("with %s as %j GitHub is left out, with one warning", async (name, value, said) => {
  const { github, faults, warnings } = await read({ ...RUNNER, [name]: value });
  expect(github).toBeUndefined();
  expect(faults).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(said)]);
});

test("a sweep may wait for limits for ten minutes, and any step only until its timeout", async () => {
  const reader = new InputReader(hostOf(RUNNER), {
    defaults: { "github-token": "${{ github.token }}", "pull-request": "" },
    neverEmpty: {},
  });
  const step = { asking: ["name"], allowHttp: false, timeoutMilliseconds: 60_000 };
  expect((await readGitHub(reader, hostOf(RUNNER), { ...step, isSweep: true }))?.limits).toMatchObject({
    patience: 600_000,
    timeoutMilliseconds: 60_000,
  });
  expect((await readGitHub(reader, hostOf(RUNNER), step))?.limits).toMatchObject({
    patience: undefined,
    timeoutMilliseconds: 60_000,
  });
});

test("inputs that cannot be used are errors", async () => {
  const { faults } = await read({ ...RUNNER, "INPUT_GITHUB-TOKEN": "a b", "INPUT_PULL-REQUEST": "#7" });
  expect(faults).toEqual(["pull-request", "github-token"]);
});

test("a run that may not write is one notice, and no warning", async () => {
  const folder = mkdtempSync(join(tmpdir(), "event-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "event.json");
  const repo = (name: string) => ({ repo: { full_name: name } });
  writeFileSync(
    path,
    JSON.stringify({ pull_request: { number: 7, head: repo("them/agents"), base: repo("us/agents") } }),
  );
  const env = { ...RUNNER, GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: path };
  const { github, warnings, notices } = await read(env, ["environment", "comment"]);
  expect(github).toBeUndefined();
  expect(warnings).toEqual([]);
  expect(notices).toEqual([expect.stringMatching(/fork.*`environment` and `comment` have no effect/)]);
});
