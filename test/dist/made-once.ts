import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SHARED_DIRECTORY } from "./shared-directory.ts";

/** Fills a directory once for all test files of a run: the first that asks does it, and the others wait for it. */
export async function madeOnce(name: string, fill: (directory: string) => Promise<void>): Promise<string> {
  const shared = process.env[SHARED_DIRECTORY];
  if (shared === undefined) throw new Error("The project lacks the globalSetup test/dist/shared-directory.ts.");
  const directory = join(shared, name);
  const [made, failed] = [`${directory}.made`, `${directory}.failed`] as const;
  try {
    await mkdir(directory);
  } catch {
    // Bounded by the hook that waits.
    while (!existsSync(made)) {
      if (existsSync(failed)) throw new Error(`Another test file could not make ${name}: see its error.`);
      await sleep(50);
    }
    return directory;
  }
  try {
    await fill(directory);
  } catch (error) {
    await writeFile(failed, "");
    throw error;
  }
  await writeFile(made, "");
  return directory;
}
