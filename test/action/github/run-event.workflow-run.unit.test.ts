import { expect, test } from "vitest";
import { readWorkflowRun } from "../../../action/github/run-event.ts";

const RUN = {
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "us/agents",
  GITHUB_RUN_ID: "9007199254740993",
};

test.each([
  ["refs/heads/feature/a", "feature/a"],
  ["refs/tags/v1", "v1"],
  ["refs/remotes/pull/7/merge", "pull/7/merge"],
  ["refs/pull/7/merge", "refs/pull/7/merge"],
])("the ref %s is %s", async (ref, name) => {
  expect((await readWorkflowRun({ GITHUB_REF: ref })).ref).toBe(name);
});

test("the page is that of the attempt, and its id keeps its digits", async () => {
  const page = "https://github.example/us/agents/actions/runs/9007199254740993";
  expect(await readWorkflowRun(RUN)).toMatchObject({ url: page, id: RUN.GITHUB_RUN_ID });
  expect(await readWorkflowRun({ ...RUN, GITHUB_RUN_ATTEMPT: "2" })).toMatchObject({
    url: `${page}/attempts/2`,
    attempt: 2,
  });
});

test("what is missing or broken is left out", async () => {
  expect(await readWorkflowRun({})).toEqual({});
  expect(await readWorkflowRun({ ...RUN, GITHUB_RUN_ID: "x", GITHUB_RUN_ATTEMPT: "0" })).toEqual({
    commit: RUN.GITHUB_SHA,
    repository: "us/agents",
  });
});

test("a workflow without a name is called by its file, and a pull request by its ref where no event says it", async () => {
  expect((await readWorkflowRun({ GITHUB_WORKFLOW: ".github/workflows/eval.yml" })).workflow).toBe("eval");
  expect((await readWorkflowRun({ GITHUB_WORKFLOW: "Evaluate" })).workflow).toBe("Evaluate");
  expect((await readWorkflowRun({ GITHUB_REF: "refs/pull/7/merge" })).pullRequest).toBe(7);
});
