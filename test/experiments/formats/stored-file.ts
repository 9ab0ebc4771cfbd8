import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openResultFile, type ResultFile } from "../../../src/experiments/rows/result-file.ts";

/** Where the files of the tools are. */
export const FIXTURES = join(import.meta.dirname, "../../fixtures/results");

/** A file that a tool wrote, as `format/name`. */
export function fixtureFile(name: string): ResultFile {
  return openResultFile(join(FIXTURES, name), name);
}

/** All files that tools wrote, as `format/name`, but for those that hold no rows. */
export function fixtureNames(): readonly string[] {
  return readdirSync(FIXTURES).flatMap((folder) => {
    if (folder === "refused" || !statSync(join(FIXTURES, folder)).isDirectory()) return [];
    const names = readdirSync(join(FIXTURES, folder)).filter((name) => !BESIDES.has(name));
    return names.map((name) => `${folder}/${name}`);
  });
}

const BESIDES: ReadonlySet<string> = new Set(["project", "make.md", "expected.json"]);

/** A file with this content on the disk, for as long as the test runs: a zip is read where it lies. */
export function storedFile(content: string | Uint8Array, name = "results.any"): ResultFile {
  const folder = mkdtempSync(join(tmpdir(), "result-file-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, "file");
  writeFileSync(path, content);
  return openResultFile(path, name);
}
