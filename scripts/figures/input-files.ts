import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SOURCE_DIRECTORIES, trackedFiles } from "./sources.ts";

/** An option that a step, the library and Pulumi have, each by its own name. */
const NAMES = /\bmax-size\b|\bmax(?:Bytes|Size)\b/;
/** The room whose work the option sets: it would have its rule without any door. */
const ITS_WORK = "src/source/";
const IS_GENERATED = /^(?:#|\/\/|\/\*\*?).*\b(?:[Gg]enerated|[Ww]ritten by)\b/m;

/** The files that spell an option of a deploy between the doors and what it sets, generated ones apart. */
export function inputFiles(root: string): readonly string[] {
  const files = trackedFiles(root, [...SOURCE_DIRECTORIES, "action.yml"]);
  return files.filter((path) => {
    if (!/\.(?:ts|yml)$/.test(path) || path.startsWith(ITS_WORK)) return false;
    const text = readFileSync(join(root, path), "utf8");
    return NAMES.test(text) && !IS_GENERATED.test(text.slice(0, 500));
  });
}
