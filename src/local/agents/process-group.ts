import { spawn } from "node:child_process";
import { platform } from "node:os";
// Node has no other way to reach a whole process group; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports
import { kill } from "node:process";

const WINDOWS = platform() === "win32";

/** How to start a process so that it leads a group of its own; on Windows a group is a tree of parents. */
export const OWN_GROUP = { detached: !WINDOWS, windowsHide: true } as const;

/** Sends a signal to the process and to all that it has started; nothing happens when they are gone. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (WINDOWS) {
    // Windows knows no polite signal.
    spawn("taskkill", ["/pid", String(leader), "/T", "/F"], { stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  try {
    kill(-leader, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: macOS says so of a group of zombies.
  }
}

/** True while a process of the group is there. */
export function isGroupAlive(leader: number): boolean {
  try {
    kill(WINDOWS ? leader : -leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
