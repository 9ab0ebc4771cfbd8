import { join } from "node:path";
import { folderAt, placeIn, slashed } from "../entry/place.ts";
import { findRepository, isInside, type Project } from "./project.ts";
import { EMPTY_SCOPE, enterScope, ruleOfFiles } from "../ignore/scope.ts";
import type { Visit } from "./walk.ts";

/**
 * The folders where the walk begins, each with what the ignore files above it say: of its repository, or of the
 * workspace where there is no repository, as when a workflow downloads the code without git.
 */
export function startsOf(project: Project, onLink: (path: string) => void): readonly Visit[] {
  return project.folders.map((folder) => startAt(folder, project, onLink));
}

function startAt(target: string, { root, directory, workspace }: Project, onLink: (path: string) => void): Visit {
  const top = findRepository(target) ?? (workspace !== undefined && isInside(workspace, target) ? workspace : root);
  const origins = { root, top, project: directory };
  const deps = { mayHold: () => true, onLink };
  let scope = EMPTY_SCOPE;
  let folder = folderAt(top, origins);
  for (const name of slashed(top, target).split("/")) {
    if (name === "") break;
    scope = enterScope(scope, folder, deps);
    const inherited = scope.inherited ?? ruleOfFiles(scope, placeIn(folder, name, "folder"));
    scope = { ...scope, inherited };
    folder = folderAt(join(folder.absolute, name), origins);
  }
  return { folder, scope };
}
