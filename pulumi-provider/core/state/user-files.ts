import { lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWholeFile } from "../../../src/files/whole-file.ts";
import { isObject } from "./unknown-values.ts";

/** A directory of one user of this machine, for what outlives a process. */
export interface UserDirectory {
  readonly directory: string;
  /** The id of the user; undefined on a system whose temporary directories are each user's own. */
  readonly owner: number | undefined;
}

/** The directory that all providers of one user share. */
export function userDirectory(temporaryDirectory: string, owner: number | undefined): UserDirectory {
  return { directory: join(temporaryDirectory, `graph-deploy-${String(owner ?? "journal")}`), owner };
}

/** Makes the directory where it is missing; false where it cannot be used, or other users could write to it. */
export function isUsable({ directory, owner }: UserDirectory): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stats = lstatSync(directory);
    return stats.isDirectory() && (owner === undefined || (stats.uid === owner && (stats.mode & 0o077) === 0));
  } catch {
    return false;
  }
}

/** Writes a file that is there as a whole or not at all, whoever else writes it; false if it could not be written. */
export function writeWhole(file: string, content: unknown): boolean {
  try {
    writeWholeFile(file, [JSON.stringify(content)], { mode: 0o600, directoryMode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** The object that a file holds; undefined where it is missing, larger than the limit, or holds something else. */
export function readWhole(file: string, limitBytes: number): Readonly<Record<string, unknown>> | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > limitBytes) return undefined;
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
}
