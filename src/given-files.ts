import { parse } from "node:path";
import { findFiles, type FoundFile } from "./files/find-files.ts";

/** The files that the argument `files`, or another one, leads to. Those that are not there are added to `faults`. */
export async function readGivenFiles(
  files: string | readonly string[],
  workingDirectory: string,
  faults: string[],
  argument = "files",
): Promise<readonly FoundFile[]> {
  // A program chooses where its files are, so they may be anywhere on its disk.
  const found = await findFiles([files].flat(), workingDirectory, parse(workingDirectory).root);
  faults.push(...found.faults.map((fault) => `\`${argument}\`: ${fault}`));
  return found.files;
}
