import { join } from "node:path";
import { makeWorse } from "../test/evaluation/worse-agent.ts";
import { runAction, type ActionResult } from "../test/runner/runner.ts";
import { projectRoot } from "./command.ts";
import { heading, print, printLog } from "./demo-screen.ts";

interface Place {
  /** A copy of the examples, which it changes. */
  readonly workspace: string;
  readonly apiKey: string;
  /** Deploys the agent of the workspace once more. */
  readonly deploy: () => Promise<ActionResult>;
}

/**
 * Evaluates the deployed example, makes it worse, deploys and evaluates it again, and judges the second evaluation by the
 * first. True where the judgement is red, as it must be.
 */
export async function evaluateAndJudge(place: Place, deployed: ActionResult): Promise<boolean> {
  if (!(await evaluate(place, deployed, "main"))) return false;
  await makeWorse(join(place.workspace, "agent"));
  const worse = await place.deploy();
  heading("A change: the agent knows one article only");
  print(worse.log.slice(-3));
  if (worse.exitCode !== 0 || !(await evaluate(place, worse, "change"))) return false;
  const judged = await runAction({
    actionYml: join(projectRoot, "action/judge/action.yml"),
    workspace: place.workspace,
    inputs: {
      results: "results/change.jsonl",
      baseline: "results/main.jsonl",
      gates: "correct not regressed\nerrors = 0",
      "dataset-name": "cases",
    },
  });
  printLog("the judgement of the change", judged);
  return judged.outputs.get("verdict") === "regressed";
}

async function evaluate({ workspace, apiKey }: Place, { outputs }: ActionResult, name: string): Promise<boolean> {
  const result = await runAction({
    actionYml: join(projectRoot, "action/evaluate/action.yml"),
    workspace,
    inputs: {
      "agent-url": outputs.get("url") ?? "",
      "api-key": apiKey,
      "revision-id": outputs.get("revision-id") ?? "any",
      evaluation: "evaluation/evaluation.yaml",
      results: `results/${name}.jsonl`,
    },
    secrets: [apiKey],
  });
  printLog(`the evaluation of ${name}`, result);
  return result.exitCode === 0;
}
