import { readFileSync, statSync } from "node:fs";

/** The text of a file that has its say in a warning alone; undefined for one that is long, or cannot be read. */
export function readShort(file: string, mostBytes: number): string | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
