import { stat } from "node:fs/promises";
import type { FoundFile } from "./find-files.ts";

/** Those of the files that are one of the others too: by path, or under another name, as a hard link is. */
export async function sameFiles(
  files: readonly FoundFile[],
  others: readonly FoundFile[],
): Promise<readonly FoundFile[]> {
  const namesOf = async ({ path }: FoundFile) => [path, (await identityOf(path)) ?? path];
  // One after the other: there may be many thousands, which would hold up everything else.
  const known = new Set<string>();
  for (const other of others) for (const name of await namesOf(other)) known.add(name);
  const same: FoundFile[] = [];
  for (const file of files) if ((await namesOf(file)).some((name) => known.has(name))) same.push(file);
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
