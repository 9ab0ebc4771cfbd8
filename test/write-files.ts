import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files below a folder, with the folders that they are in. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
