import { spawnSync } from "node:child_process";

/** The number of a process that has ended. */
export function goneProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}
