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
const ADVICE =
  "Set `graph-config` to the configuration file, as a path relative to `path`. " + `It is JSON such as ${EXAMPLE}.`;

/** The error of a configuration file that does not exist: it names those that do, and what to set for them. */
export function missingConfig(sought: SoughtConfig): GraphConfigError {
  const { directory, workspace, name } = sought;
  if (workspace !== undefined && isEmptyFolder(workspace)) {
    return new GraphConfigError("The workspace is empty: is a checkout step missing?", {
      advice: "Check out the repository in a step before this one, for example with `actions/checkout`.",
    });
  }
  const missing = `${printable(name)} does not exist in ${directory}`;
  const base = workspace ?? directory;
  const candidates = findConfigCandidates(base, name);
  if (candidates.length === 0) {
    return new GraphConfigError(`${missing}${isEmptyFolder(directory) ? ", which is empty" : ""}.`, { advice: ADVICE });
  }
  const paths = candidates.map(({ folder, name: file }) => printable(slashed(base, join(folder, file))));
  const which = listed(paths, { conjunction: "and", most: MOST_NAMED });
  const settings = candidates.slice(0, MOST_NAMED).map((candidate) => settingsFor(candidate, sought));
  return new GraphConfigError(`${missing}, but ${which} ${paths.length === 1 ? "does" : "do"}.`, {
    advice:
      paths.length === 1
        ? `Set ${settings.join()}.`
        : settings.map((setting, index) => `For ${paths[index] ?? ""}, set ${setting}.`).join(" "),
  });
}

// In a workspace the folder of the file becomes the project, so that nothing else is packed.
function settingsFor({ folder, name: file }: ConfigCandidate, { directory, workspace, name }: SoughtConfig): string {
  if (folder === directory || workspace === undefined) {
    return `\`graph-config\` to ${JSON.stringify(slashed(directory, join(folder, file)))}`;
  }
  const path = `\`path\` to ${JSON.stringify(slashed(workspace, folder) || ".")}`;
  return file === name ? path : `${path} and \`graph-config\` to ${JSON.stringify(file)}`;
}
