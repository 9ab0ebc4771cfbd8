import { join } from "node:path";
import { request } from "undici";
import type { LocalService } from "../src/local/index.ts";
import { runAction } from "../test/runner/runner.ts";
import { projectRoot } from "./command.ts";
import { printStep } from "./demo-screen.ts";

/** The two runs of examples/results: what `results` names, and what the experiment is called. */
const RUNS = [
  { name: "support-desk-main", results: "main/*.jsonl", shards: "2" },
  { name: "support-desk-candidate", results: "candidate.csv", shards: "1" },
] as const;

/**
 * Uploads both runs to the service with the built step, and prints what each left. Answers the page that compares them,
 * which the service shows; undefined when an upload failed, which can be read then.
 */
export async function uploadRuns(service: LocalService, apiKey: string): Promise<URL | undefined> {
  const experiments: string[] = [];
  // A name that is taken gets a number, up to twenty: those of other days are not in the way.
  const today = new Date().toISOString().slice(0, 10);
  let dataset = "";
  for (const { name, results, shards } of RUNS) {
    const result = await runAction({
      actionYml: join(projectRoot, "action/upload-experiment/action.yml"),
      workspace: join(projectRoot, "examples/results"),
      inputs: {
        results,
        "base-url": service.url,
        "api-key": apiKey,
        "experiment-name": `${name}-${today}`,
        "dataset-name": "support-questions",
        "expected-shards": shards,
        "expected-rows": "20",
      },
      secrets: [apiKey],
    });
    printStep(`the upload of ${results}`, result);
    if (result.exitCode !== 0) return undefined;
    dataset = result.outputs.get("dataset-id") ?? "";
    experiments.push(result.outputs.get("experiment-id") ?? "");
  }
  const page = new URL(`${service.datasetsUrl}/${dataset}/compare?selectedSessions=${experiments.join(",")}`);
  const { statusCode, body } = await request(page, { headers: { "x-api-key": apiKey } });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${page.href} returned ${String(statusCode)}.`);
  return page;
}
