import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseGraphConfig } from "../../contract/graph-config.ts";
import { LONGEST_GRAPH_FILE, projectHints } from "../../contract/project-hints.ts";
import { CONFIG_LIMIT_BYTES } from "./missing-config.ts";
import type { SourceTree } from "./tree.ts";

/** What seems to be missing in a project, as far as it can be told without running it. */
export function hintsOf({ root, graphConfigPath }: Pick<SourceTree, "graphConfigPath" | "root">): readonly string[] {
  const configFile = join(root, graphConfigPath);
  const parsed = parseGraphConfig(readShort(configFile, CONFIG_LIMIT_BYTES) ?? "");
  if (!parsed.ok) return [];
  const at = (path: string) => join(dirname(configFile), path);
  return projectHints(parsed.config, {
    has: (path) => existsSync(at(path)),
    read: (path) => readShort(at(path), LONGEST_GRAPH_FILE),
  });
}

// What cannot be read is told by the packing.
function readShort(file: string, mostBytes: number): string | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
