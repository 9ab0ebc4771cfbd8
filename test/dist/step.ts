import { testWith } from "../test-with.ts";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import type { ActionOptions } from "../runner/runner.ts";
import { jobFolders, type JobFolders } from "./job-folders.ts";

const actionYml = join(import.meta.dirname, "../../action.yml");
export const API_KEY = "key-of-the-action-0123456789";
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A run that a pull request of a fork began: it is given no secrets. */
export const OF_FORK: Pick<ActionOptions, "env" | "event"> = {
  env: { GITHUB_EVENT_NAME: "pull_request" },
  event: {
    pull_request: {
      head: { repo: { fork: true, full_name: "them/repo" } },
      base: { repo: { full_name: "octo-org/octo-repo" } },
    },
  },
};

/** A step of a job, ready to run. */
export interface Step extends JobFolders {
  readonly service: LocalService;
  options(inputs?: Readonly<Record<string, string>>, more?: Partial<ActionOptions>): ActionOptions;
}

/** A project, a local service, and the built action between them, as a process with a runner's environment. */
export async function step(options: LocalServiceOptions = {}): Promise<Step> {
  const service = await startLocalService({ walkMilliseconds: 50, apiKey: API_KEY, keepBodies: true, ...options });
  const folders = await jobFolders();
  onTestFinished(() => service.close());
  const { workspace, temp } = folders;
  await folders.write({
    "graph.json": JSON.stringify({ graphs: { support: "./support.py:graph" }, dependencies: [".", "requests"] }),
    "support.py": "graph = 1\n",
  });
  return {
    ...folders,
    service,
    options: (inputs = {}, more = {}) => ({
      actionYml,
      workspace,
      temp,
      secrets: [API_KEY],
      inputs: {
        "control-plane-url": service.url,
        "api-key": API_KEY,
        name: "support-agent",
        "poll-interval": "0.1s",
        ...inputs,
      },
      ...more,
    }),
  };
}

export const withStep = testWith(step);
