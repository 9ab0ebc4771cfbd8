import { join } from "node:path";
import { listed } from "../../text/quoted.ts";
import { findConfigCandidates, isEmptyFolder, type ConfigCandidate } from "./config-candidates.ts";
import { GraphConfigError } from "../entry/errors.ts";
import { printable } from "../entry/name-list.ts";
import { slashed } from "../entry/place.ts";

/** Where a configuration file was looked for. */
export interface SoughtConfig {
  readonly directory: string;
  /** Where other projects may lie; undefined where only the folder itself is known. */
  readonly workspace: string | undefined;
  /** The configuration file from `directory`. */
  readonly name: string;
}

// A sentence that names more of them is not read.
const MOST_NAMED = 3;
const EXAMPLE = '{"graphs": {"agent": "./agent.py:graph"}, "dependencies": ["."]}';
const ADVICE = `The configuration file is JSON such as ${EXAMPLE}.`;

/** The error of a configuration file that does not exist: it names those that do. */
export function missingConfig(sought: SoughtConfig): GraphConfigError {
  const { directory, workspace, name } = sought;
  if (workspace !== undefined && isEmptyFolder(workspace)) {
    return new GraphConfigError("The workspace is empty: was the repository checked out?", {
      reasons: ["WORKSPACE_EMPTY"],
    });
  }
  const reasons = ["CONFIG_MISSING"] as const;
  const missing = `${printable(name)} does not exist in ${directory}`;
  const base = workspace ?? directory;
  const candidates = findConfigCandidates(base, name);
  if (candidates.length === 0) {
    return new GraphConfigError(`${missing}${isEmptyFolder(directory) ? ", which is empty" : ""}.`, {
      advice: ADVICE,
      reasons,
    });
  }
  const paths = candidates.map(({ folder, name: file }) => printable(slashed(base, join(folder, file))));
  const which = listed(paths, { conjunction: "and", most: MOST_NAMED });
  const found = candidates.slice(0, MOST_NAMED).map((candidate, index) => ({
    name: paths[index] ?? "",
    ...placeFor(candidate, sought),
  }));
  return new GraphConfigError(`${missing}, but ${which} ${paths.length === 1 ? "does" : "do"}.`, { reasons, found });
}

// In a workspace the directory of the file becomes the project, so that nothing else is packed.
function placeFor({ folder, name: file }: ConfigCandidate, { directory, workspace, name }: SoughtConfig) {
  if (folder === directory || workspace === undefined) {
    return { directory: undefined, file: slashed(directory, join(folder, file)) };
  }
  return { directory: slashed(workspace, folder) || ".", file: file === name ? undefined : file };
}
