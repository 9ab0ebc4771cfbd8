import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { writeFiles } from "../write-files.ts";

/** The folders of a job; they are gone after the test. */
export interface JobFolders {
  readonly workspace: string;
  /** RUNNER_TEMP, which the steps of the job share. */
  readonly temp: string;
  /** Writes files of the workspace. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

/** An empty workspace and an empty RUNNER_TEMP. */
export async function jobFolders(): Promise<JobFolders> {
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-step-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [workspace, temp] = [join(root, "workspace"), join(root, "temp")];
  for (const folder of [workspace, temp]) await mkdir(folder);
  return {
    workspace,
    temp,
    write: async (files) => {
      await writeFiles(workspace, files);
    },
  };
}
