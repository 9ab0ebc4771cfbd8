import { join } from "node:path";
import type { ActionOptions } from "../runner/runner.ts";
import { jobFolders, type JobFolders } from "./job-folders.ts";
import { API_KEY } from "./step.ts";

const TRACES_YML = join(import.meta.dirname, "../../action/upload-traces/action.yml");

/** A step that uploads traces, ready to run. */
export interface TraceStep extends JobFolders {
  options(inputs?: Readonly<Record<string, string>>, more?: Partial<ActionOptions>): ActionOptions;
}

/** A workspace, and the built action for a service at this address, as a process. */
export async function traceStep(url: string): Promise<TraceStep> {
  const folders = await jobFolders();
  return {
    ...folders,
    options: (inputs = {}, more = {}) => ({
      actionYml: TRACES_YML,
      workspace: folders.workspace,
      temp: folders.temp,
      secrets: [API_KEY],
      inputs: { traces: "*.jsonl", "base-url": url, "api-key": API_KEY, "session-name": "nightly", ...inputs },
      ...more,
    }),
  };
}
