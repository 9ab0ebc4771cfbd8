import type { ResourceState } from "./resource-state.ts";
import type { Run } from "./run.ts";
import { Steps } from "./steps.ts";

/**
 * Deletes what the program no longer has and what replacements left, dependents first. `failed` are URNs that could
 * not be brought up to date: what they depend on stays.
 */
export async function deleteLeftovers(run: Run, seen: ReadonlySet<string>, failed: ReadonlySet<string>): Promise<void> {
  const { state } = run.setup;
  const kept = dependenciesOf(state.resources, failed);
  let waiting = state.resources.filter((one) => one.deleting || !seen.has(one.urn));
  while (waiting.length > 0 && !run.halted) {
    const ready = waiting.filter((one) => !waiting.some((other) => other !== one && dependsOn(other, one)));
    const outcomes = await Promise.all(ready.map(async (one) => kept.has(one.urn) || (await isDeleted(run, one))));
    ready
      .filter((_, index) => outcomes[index] === false)
      .forEach((one) => {
        for (const urn of dependenciesOf(state.resources, new Set([one.urn]))) kept.add(urn);
      });
    waiting = waiting.filter((one) => !ready.includes(one));
  }
}

async function isDeleted(run: Run, resource: ResourceState): Promise<boolean> {
  const { state, report, continueOnError } = run.setup;
  if (resource.pendingReplacement) {
    report.step("remove-pending-replace", resource);
    state.remove(resource);
    return true;
  }
  try {
    await run.slot(() => new Steps(run).delete(resource));
  } catch {
    // A protected one touches nothing: the others may go, so that all of them are named at once.
    if (!continueOnError && (!resource.protect || resource.deleting)) run.halt();
    return false;
  }
  state.remove(resource);
  return true;
}

function dependsOn(resource: ResourceState, other: ResourceState): boolean {
  return resource.urn !== other.urn && resource.dependencies.includes(other.urn);
}

function dependenciesOf(resources: readonly ResourceState[], urns: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const open = [...urns];
  for (let urn = open.pop(); urn !== undefined; urn = open.pop()) {
    for (const { dependencies } of resources.filter((one) => one.urn === urn)) {
      for (const dependency of dependencies) {
        if (found.has(dependency)) continue;
        found.add(dependency);
        open.push(dependency);
      }
    }
  }
  return found;
}
