import { chmodSync } from "node:fs";

/** Runs as a user without rights when we are root, who may read everything. */
export async function asNobody(folders: readonly string[], run: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const folder of folders) chmodSync(folder, 0o777);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
