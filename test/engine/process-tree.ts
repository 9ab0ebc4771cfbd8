import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A process as the system lists it. */
export interface Listed {
  readonly pid: number;
  readonly parent: number;
  /** Its command with all arguments. */
  readonly args: string;
}

/** Each process whose command begins with this path, and all that they started, parents first. */
export async function processTree(command: string): Promise<readonly Listed[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const processes = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const tree = new Set(processes.filter(({ args }) => args.startsWith(command)));
  // A set also visits what is added on the way.
  for (const { pid } of tree) {
    for (const child of processes) if (child.parent === pid) tree.add(child);
  }
  return [...tree];
}

/** Ends each process whose command begins with this path, and all that they started, at once and without a word. */
export async function killTree(command: string): Promise<void> {
  for (const { pid } of await processTree(command)) kill(pid);
}

/** Ends a process at once and without a word, where it still runs. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** True while there is such a process. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
