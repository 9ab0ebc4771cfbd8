import { rm } from "node:fs";
import { EOL } from "node:os";
import { promisify } from "node:util";
import { SPOOL_STATE, type HostProcess } from "../front/host.ts";
import { HostFileError } from "../front/host-file-error.ts";

/** Removes the directory of a main that was killed. A failure to do so is only a warning. */
export async function removeLeftSpool({ env, stdout }: HostProcess): Promise<void> {
  const directory = env[`STATE_${SPOOL_STATE}`] ?? "";
  if (directory === "") return;
  try {
    // A post script starts for this alone: `node:fs` is there already, its promises and @actions/core are not.
    await promisify(rm)(directory, { recursive: true, force: true });
  } catch (error) {
    const { annotation } = await import("./workflow-command.ts");
    stdout.write(annotation("warning", new HostFileError("RUNNER_TEMP", directory, error).message) + EOL);
  }
}
