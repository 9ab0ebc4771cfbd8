import { stat } from "node:fs/promises";
import type { FoundFile } from "./find-files.ts";

/** Those of the files that are one of the others too: by path, or under another name, as a hard link is. */
export async function sameFiles(
  files: readonly FoundFile[],
  others: readonly FoundFile[],
): Promise<readonly FoundFile[]> {
  const known = new Set(others.map(({ path }) => path));
  for (const { path } of others) {
    const identity = await identityOf(path);
    if (identity !== undefined) known.add(identity);
  }
  const same: FoundFile[] = [];
  for (const file of files) {
    const identity = await identityOf(file.path);
    if (known.has(file.path) || (identity !== undefined && known.has(identity))) same.push(file);
  }
  return same;
}

/** The device and the number of a file on it; undefined where there is none, or the file system has no numbers. */
export async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return ino === 0n ? undefined : `${String(dev)}:${String(ino)}`;
  } catch {
    // The reader of the file reports what is wrong with it.
    return undefined;
  }
}
