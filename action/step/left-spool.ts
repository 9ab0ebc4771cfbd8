import { rm } from "node:fs/promises";
import { EOL } from "node:os";
import type { Environment } from "../inputs/input-reader.ts";
import { RunnerFileError } from "./runner-file-error.ts";

/** The name under which main saves the path of its spool for post; the runner passes it as STATE_…. */
export const SPOOL_STATE = "spool";

/** What a post script is given. */
interface PostProcess {
  readonly env: Environment;
  readonly stdout: { readonly write: (text: string) => unknown };
}

/** Removes the directory of a main that was killed. A failure to do so is only a warning. */
export async function removeLeftSpool({ env, stdout }: PostProcess): Promise<void> {
  const directory = env[`STATE_${SPOOL_STATE}`] ?? "";
  if (directory === "") return;
  try {
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    // A post script has mostly nothing to do, and starts for that alone: it loads no words, and not @actions/core.
    const { warningAnnotation } = await import("../report/workflow-command.ts");
    stdout.write(warningAnnotation(new RunnerFileError("RUNNER_TEMP", directory, error).message) + EOL);
  }
}
