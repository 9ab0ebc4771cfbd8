import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRunner } from "../../options/step.ts";
import { read } from "./step.ts";

const RUN = {
  GITHUB_SHA: "ffac537e6cbbf934b08745a378932722df287a53",
  GITHUB_REF: "refs/heads/feature/x",
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_WORKFLOW: "Evaluate agents",
  GITHUB_JOB: "eval",
  GITHUB_ACTOR: "octocat",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_RUN_ID: "1658821493",
  GITHUB_RUN_ATTEMPT: "2",
  GITHUB_EVENT_NAME: "push",
};

const request = async (env: Record<string, string>) => (await read({}, { env })).request;
const nameOf = async (env: Record<string, string>) => (await request(env)).defaultName;

/** The environment of a run whose event's file holds this. */
async function ofEvent(name: string, event: unknown): Promise<Record<string, string>> {
  const { temp } = await makeRunner();
  const path = join(temp, "event.json");
  await writeFile(path, typeof event === "string" ? event : JSON.stringify(event));
  return { ...RUN, GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path };
}

const head = { sha: "0123456789abcdef0123456789abcdef01234567", repo: { full_name: "stranger/octo-repo" } };
const pullRequest = { pull_request: { number: 7, head, base: { repo: { full_name: "octo-org/octo-repo" } } } };

describe("the facts of a run", () => {
  test("are those that the runner reports", async () => {
    const { facts } = await request(RUN);
    expect(facts).toEqual({
      commit: "ffac537e6cbbf934b08745a378932722df287a53",
      ref: "feature/x",
      repository: "octo-org/octo-repo",
      workflow: "Evaluate agents",
      job: "eval",
      actor: "octocat",
      run_url: "https://github.example/octo-org/octo-repo/actions/runs/1658821493/attempts/2",
      run_id: "1658821493",
      run_attempt: 2,
    });
    const { runUrl } = await read({}, { env: RUN });
    expect(runUrl).toBe(facts["run_url"]);
  });

  test.each([
    ["refs/tags/v1.2", "v1.2"],
    ["refs/heads/main", "main"],
    ["refs/pull/7/merge", "refs/pull/7/merge"],
  ])("call %s %s", async (ref, name) => {
    expect((await request({ ...RUN, GITHUB_REF: ref })).facts).toMatchObject({ ref: name });
  });

  test("of a pull request name its newest commit and its branch, and not the merge", async () => {
    const env = await ofEvent("pull_request", pullRequest);
    const { facts, defaultName } = await request({
      ...env,
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_HEAD_REF: "feature/y",
    });
    expect(facts).toMatchObject({ commit: head.sha, ref: "feature/y", pull_request: 7 });
    expect(defaultName).toBe("Evaluate agents-0123456-1658821493");
  });

  test("of pull_request_target name the commit that is checked out", async () => {
    const env = await ofEvent("pull_request_target", pullRequest);
    const { facts } = await request({ ...env, GITHUB_REF: "refs/heads/main", GITHUB_HEAD_REF: "feature/y" });
    expect(facts).toMatchObject({ commit: RUN.GITHUB_SHA, ref: "main", pull_request: 7 });
  });

  test.each([
    ["no JSON", "{"],
    ["a list", []],
    ["no pull request", { number: 7 }],
    ["a commit that is none", { pull_request: { head: { sha: "../../x" }, base: {} } }],
    ["a number that is none", { pull_request: { number: "7", head: {}, base: {} } }],
    ["null", null],
  ])("fall back to the variables when the event's file holds %s", async (_what, event) => {
    const env = await ofEvent("pull_request", event);
    const { facts } = await request({ ...env, GITHUB_REF: "refs/pull/12/merge" });
    expect(facts).toMatchObject({ commit: RUN.GITHUB_SHA, pull_request: 12, ref: "refs/pull/12/merge" });
  });

  test("fall back to the variables when there is no such file", async () => {
    const env = { ...RUN, GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: "/no/such/event.json" };
    expect((await request(env)).facts).toMatchObject({ commit: RUN.GITHUB_SHA });
  });

  test("leave out what is no number where one belongs", async () => {
    const { facts } = await request({ ...RUN, GITHUB_RUN_ID: "x", GITHUB_RUN_ATTEMPT: "0" });
    for (const name of ["run_id", "run_attempt", "run_url", "pull_request"]) expect(facts).not.toHaveProperty(name);
  });
});

describe("the default name of an experiment", () => {
  test("reports the workflow, the commit and the run, and no attempt, so that a later one has the same name", async () => {
    expect(await nameOf(RUN)).toBe("Evaluate agents-ffac537-1658821493");
  });

  test.each([".github/workflows/eval.yml", ".github/workflows/eval.yaml"])(
    "reports the file of a workflow without a name: %s",
    async (workflow) => {
      expect(await nameOf({ ...RUN, GITHUB_WORKFLOW: workflow })).toBe("eval-ffac537-1658821493");
    },
  );

  test("keeps a name that only looks like a path", async () => {
    expect(await nameOf({ ...RUN, GITHUB_WORKFLOW: "build/test" })).toBe("build/test-ffac537-1658821493");
  });

  test("is one line", async () => {
    expect(await nameOf({ ...RUN, GITHUB_WORKFLOW: "a\n\u001bb" })).toBe("a b-ffac537-1658821493");
  });

  test("is made of what there is", async () => {
    expect(await nameOf({ GITHUB_SHA: RUN.GITHUB_SHA, GITHUB_RUN_ID: "77" })).toBe("ffac537-77");
    expect(await nameOf({})).toMatch(/^experiment-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});
