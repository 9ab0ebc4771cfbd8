import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import type { ActionOptions } from "../runner/runner.ts";

const actionYml = join(import.meta.dirname, "../../action.yml");
export const API_KEY = "key-of-the-action-0123456789";
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A step of a job, ready to run. */
export interface Step {
  readonly service: LocalService;
  readonly workspace: string;
  readonly temp: string;
  options(inputs?: Readonly<Record<string, string>>, more?: Partial<ActionOptions>): ActionOptions;
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

/** A project, a local service, and the built action between them, as a process with a runner's environment. */
export async function step(options: LocalServiceOptions = {}): Promise<Step> {
  const service = await startLocalService({ walkMilliseconds: 50, apiKey: API_KEY, ...options });
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-step-"));
  const [workspace, temp] = [join(root, "workspace"), join(root, "temp")];
  await mkdir(temp);
  onTestFinished(async () => {
    await service.close();
    await rm(root, { recursive: true, force: true });
  });
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
  };
  await write({
    "graph.json": JSON.stringify({ graphs: { support: "./support.py:graph" } }),
    "support.py": "graph = 1\n",
  });
  return {
    service,
    workspace,
    temp,
    write,
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
