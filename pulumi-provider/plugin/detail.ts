import { differ, withIgnoredSecrets } from "../core/state/changes.ts";
import type { Properties } from "../core/state/state.ts";
import { isObject } from "../core/state/unknown-values.ts";

/** What became of a property between the state and the inputs. */
export type ChangeKind = "add" | "delete" | "update";

// What a resource reports, and no program sets: an engine compares it with nothing.
const REPORTED: ReadonlySet<string> = new Set(["latestRevisionId", "status"]);

/** The properties that differ, by their paths in Pulumi's own form: `imageUri`, `sourceConfig.build_command`. */
export function detailOf(
  changed: readonly string[],
  olds: Properties,
  news: Properties,
): ReadonlyMap<string, ChangeKind> {
  const after = withIgnoredSecrets(olds, news);
  const detail = new Map<string, ChangeKind>();
  for (const key of changed) {
    if (REPORTED.has(key)) detail.set(key, "update");
    else addBelow(key, olds[key], after[key], detail);
    // A variable of the environment may hold another value under the same name.
    if (key === "secretsFromEnv" && ![...detail.keys()].some((path) => path.startsWith(key))) detail.set(key, "update");
  }
  return detail;
}

function addBelow(path: string, before: unknown, after: unknown, detail: Map<string, ChangeKind>): void {
  if (!differ(before, after)) return;
  if (before == null || after == null) {
    detail.set(path, before == null ? "add" : "delete");
  } else if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      addBelow(`${path}${stepTo(key)}`, own(before, key), own(after, key), detail);
    }
  } else detail.set(path, "update");
}

function stepTo(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `["${key.replaceAll(/["\\]/g, "\\$&")}"]`;
}

function own(value: Properties, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Properties {
  return isObject(value) && !Array.isArray(value);
}
