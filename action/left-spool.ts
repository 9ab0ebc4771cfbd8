import { rm } from "node:fs";
import { EOL } from "node:os";
import { promisify } from "node:util";
import type { Environment } from "../front/options/input-reader.ts";
import { RunnerFileError } from "../front/host-file-error.ts";

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
    // A post script starts for this alone: `node:fs` is there already, its promises and @actions/core are not.
    await promisify(rm)(directory, { recursive: true, force: true });
  } catch (error) {
    const { warningAnnotation } = await import("./workflow-command.ts");
    stdout.write(warningAnnotation(new RunnerFileError("RUNNER_TEMP", directory, error).message) + EOL);
  }
}
