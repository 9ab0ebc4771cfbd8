import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
// Node has no other way to learn whether a process is there; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports
import { kill, pid } from "node:process";
import { threadId } from "node:worker_threads";
import { fileErrorCode } from "./file-error.ts";
import { DRAFT } from "./whole-file.ts";

export interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Takes the lock at a path until it is disposed of; returns who holds it where that is another. A lock that a process of
 * this host left when it was killed is taken over. Throws the error of the file system.
 *
 * The lock is a directory with one file, whose name says who holds it. It is renamed into its place with that file, which
 * fails where a directory stands that is not empty; and what a killed process left is removed by its own name. So a lock
 * that another process took over a moment ago is never taken for the old one.
 */
export function takeLock(path: string): Disposable | LockHolder {
  const id = randomUUID();
  const name = [pid, threadId, id, hostname()].join("@");
  const draft = `${path}.${id}${DRAFT}`;
  try {
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, name), "");
    for (let attempts = 1; ; attempts += 1) {
      try {
        renameSync(draft, path);
        break;
      } catch (error) {
        if (attempts === MOST_ATTEMPTS || !STANDS.has(fileErrorCode(error))) throw error;
      }
      for (const other of namesIn(path)) {
        const [process, , , host = ""] = other.split("@");
        const holder = { pid: Number(process), host };
        if (!isGone(other, holder)) return holder;
        rmSync(join(path, other), { force: true });
      }
      removeEmpty(path);
    }
    held.add(name);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return {
    [Symbol.dispose]: () => {
      held.delete(name);
      rmSync(join(path, name), { force: true });
      removeEmpty(path);
    },
  };
}

/** The names of the files of all locks that this thread holds: that its process runs does not show that it holds one. */
const held = new Set<string>();

// How often others may take and free the lock meanwhile; after that it is another fault.
const MOST_ATTEMPTS = 100;
// Windows says only that it may not replace a directory.
const STANDS: ReadonlySet<string | undefined> = new Set(["EEXIST", "ENOTEMPTY", "EACCES", "EPERM"]);

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function isGone(name: string, holder: LockHolder): boolean {
  if (holder.host !== hostname()) return false;
  // Another thread of this process knows what it holds, and nobody else does.
  if (holder.pid === pid) return name.startsWith(`${String(pid)}@${String(threadId)}@`) && !held.has(name);
  try {
    kill(holder.pid, 0);
    return false;
  } catch (error) {
    return fileErrorCode(error) === "ESRCH";
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another process has it by now.
  }
}
