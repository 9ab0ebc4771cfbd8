import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { scopeBelow, scopeInside, type IgnoreRules } from "../ignore/ignore-rules.ts";
import { folderOf, placeIn, type PlaceKind } from "../entry/place.ts";
import type { Rule } from "../ignore/rule.ts";
import { enterScope } from "../ignore/scope.ts";
import type { Visit } from "./walk.ts";

/** What the walk went by. */
export interface DecidingRuleDeps {
  readonly starts: readonly Visit[];
  readonly rules: IgnoreRules;
  /** The agent project from the archive's root. */
  readonly project: string;
}

/** The rule that leaves out what lies at `path` from the archive's root; goes the walk's way again, for a message. */
export function decidingRule(path: string, { starts, rules, project }: DecidingRuleDeps): Rule | undefined {
  const start = starts.find(({ folder }) => `${path}/`.startsWith(folder.prefix));
  if (start === undefined) return undefined;
  let { folder, scope } = start;
  const names = `${path}/`.slice(folder.prefix.length).split("/").slice(0, -1);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    scope = enterScope(scope, folder, { mayHold: () => true, onLink: () => undefined });
    const place = placeIn(folder, name, isLast ? kindAt(join(folder.absolute, name)) : "folder");
    const verdict = rules.decide(scope, place);
    if (verdict.state === "left-out" && (isLast || verdict.below === undefined)) return verdict.rule;
    folder = folderOf(place, project);
    scope = scopeInside(scopeBelow(scope, verdict) ?? scope, folder, existsSync(join(folder.absolute, "pyvenv.cfg")));
  }
  return scope.inherited;
}

function kindAt(absolute: string): PlaceKind {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return "folder";
  return stats?.isSymbolicLink() === true ? "link" : "file";
}
