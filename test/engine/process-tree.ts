import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Ends each process whose command begins with this path, and all that they started, at once and without a word. */
export async function killTree(command: string): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const processes = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const doomed = processes.filter(({ args }) => args.startsWith(command)).map(({ pid }) => pid);
  for (const pid of doomed) {
    doomed.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid));
  }
  for (const pid of new Set(doomed)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}
