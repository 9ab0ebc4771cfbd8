import { stat } from "node:fs/promises";
import type { FoundFile } from "./find-files.ts";

/** Those of the files that are one of the others too: by path, or under another name, as a hard link is. */
export async function sameFiles(
  files: readonly FoundFile[],
  others: readonly FoundFile[],
): Promise<readonly FoundFile[]> {
  const namesOf = async ({ path }: FoundFile) => [path, (await identityOf(path)) ?? path];
  const known = new Set((await Promise.all(others.map(namesOf))).flat());
  const named = await Promise.all(files.map(async (file) => ({ file, names: await namesOf(file) })));
  return named.filter(({ names }) => names.some((name) => known.has(name))).map(({ file }) => file);
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
