import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isGenerated, SOURCE_DIRECTORIES, trackedFiles } from "./sources.ts";

/** An option of a directory that a step, the library and Pulumi have. */
const NAMES = /\ballow-secrets-in-source\b|\ballowSecretsInSource\b/;
/** The room whose work the option sets, and the function that the library has for it alone: they need no deploy. */
const ITS_WORK = /^src\/source(?:\/|-tree\.ts$)/;
/** What a door advises after an error names options, whoever declares them. */
const ADVICE = "/advice.ts";
/** Writes the inputs of each action.yml. */
const WRITER = "scripts/action-inputs.ts";

/** The files that spell an option of a deploy between the doors and what it sets, generated ones apart. */
export function inputFiles(root: string): readonly string[] {
  const isWritten = existsSync(join(root, WRITER));
  const files = trackedFiles(root, [...SOURCE_DIRECTORIES, "action.yml"]);
  return files.filter((path) => {
    if (!/\.(?:ts|yml)$/.test(path) || ITS_WORK.test(path) || path.endsWith(ADVICE)) return false;
    if (path === "action.yml" && isWritten) return false;
    const text = readFileSync(join(root, path), "utf8");
    return NAMES.test(text) && !isGenerated(text);
  });
}
