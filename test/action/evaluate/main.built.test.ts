import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../../scripts/command.ts";
import { jobFolders } from "../../dist/job-folders.ts";
import { errorsOf } from "../../dist/upload-step.ts";
import { runAction, startAction, type ActionResult } from "../../runner/runner.ts";

const yml = (path: string) => join(projectRoot, path);

/** What a rehearsal leaves is for the next step of the job. */
function expectGreen(result: ActionResult): void {
  expect(result, result.log.join("\n")).toMatchObject({ exitCode: 0, leaked: [], faults: [], rawStderr: "" });
}

/** A job that has deployed the example to a local service, and then evaluates it. */
async function job() {
  const folders = await jobFolders();
  const { workspace, temp } = folders;
  for (const name of ["agent", "evaluation"]) {
    await cp(join(projectRoot, "examples", name), join(workspace, name), { recursive: true });
  }
  const step = (actionYml: string, inputs: Readonly<Record<string, string>>) => ({
    actionYml,
    workspace,
    temp,
    inputs,
  });
  return {
    workspace,
    deploy: () =>
      runAction(step(yml("action.yml"), { "control-plane-url": "local", name: "support-agent", path: "agent" })),
    options: (inputs: Readonly<Record<string, string>> = {}) =>
      step(yml("action/evaluate/action.yml"), {
        "agent-url": "local",
        evaluation: "evaluation/evaluation.yaml",
        results: "results/support.jsonl",
        ...inputs,
      }),
  };
}

test("an agent that was deployed in the job is asked every case, and its answers are scored again", async () => {
  const { workspace, deploy, options } = await job();
  expectGreen(await deploy());
  const result = await runAction(options());
  expectGreen(result);
  const results = join(workspace, "results/support.jsonl");
  expect(Object.fromEntries(result.outputs)).toMatchObject({
    status: "complete",
    "results-path": results,
    cases: "20",
    trials: "20",
    "agent-errors": "0",
    unmeasured: "0",
    scores: expect.stringMatching(/^\{"correct":[\d.]+,"complete":[\d.]+\}$/) as unknown,
    cost: "",
  });
  expect(result.log[0]).toBe("Task          evaluation of an agent");
  expect(result.log).toContainEqual(expect.stringContaining("20 cases, 20 runs, 8 at a time"));
  expect(result.summary).toContain("### ✅ Evaluation: complete, 20 cases, 20 runs");
  const [, ...rows] = (await readFile(results, "utf8")).trim().split("\n");
  expect(rows).toHaveLength(20);

  const judged = await runAction({
    ...options(),
    actionYml: yml("action/judge/action.yml"),
    inputs: { results: "results/support.jsonl", gates: "unmeasured = 0" },
  });
  expectGreen(judged);

  const again = await runAction(options({ rescore: "results/support.jsonl", scorers: "asked: { matches: /./ }" }));
  expectGreen(again);
  expect(again.outputs.get("scores")).toBe('{"asked":1}');
});

test("a dry run shows the plan, and asks nothing", async () => {
  const { workspace, deploy, options } = await job();
  expectGreen(await deploy());
  const result = await runAction(options({ "dry-run": "true", trials: "3" }));
  expectGreen(result);
  expect(result.outputs.get("status")).toBe("dry-run");
  expect(result.outputs.get("trials")).toBe("60");
  expect(result.log).toContainEqual(expect.stringContaining("20 cases, 3 trials each: 60 runs"));
  await expect(readFile(join(workspace, "results/support.jsonl"))).rejects.toThrow("ENOENT");
});

test("without an agent in the local service the step says what is missing", async () => {
  const { options } = await job();
  const result = await runAction(options());
  expect(result.exitCode).toBe(1);
  expect(errorsOf(result).join()).toContain("no earlier step of the job has deployed an agent to a local service");
  expect(result.outputs.get("status")).toBe("failed");
});

test("a step that is cancelled writes what there is, and what was not asked", async () => {
  const { workspace, deploy, options } = await job();
  expectGreen(await deploy());
  await writeFile(join(workspace, "slow.sh"), "cat > /dev/null\n");
  // The scorer never answers: the evaluation waits for it.
  const step = await startAction(options({ scorers: "slow: { command: sh slow.sh }", concurrency: "1" }));
  await step.line(/^Plan /);
  await step.cancel();
  const result = await step.result;
  expect(result.exitCode).toBe(1);
  expect(result.outputs.get("status")).toBe("cancelled");
  const text = await readFile(join(workspace, "results/support.jsonl"), "utf8");
  expect(text).toContain('"outcome":"unasked"');
});
