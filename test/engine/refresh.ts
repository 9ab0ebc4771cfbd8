import { changedKeys } from "./property-values.ts";
import { secretOutputs } from "./provider-calls.ts";
import type { ResourceState } from "./resource-state.ts";
import type { Run } from "./run.ts";

/** Reads every resource anew. One that cannot be read stays as it was, and the others are read all the same. */
export async function refreshAll(run: Run): Promise<void> {
  const { state } = run.setup;
  const gone = new Set<string>();
  await Promise.allSettled(
    state.resources.map((one) =>
      run.slot(async () => {
        if (!(await isThere(run, one))) gone.add(one.urn);
      }),
    ),
  );
  for (const one of state.resources) {
    const left = one.dependencies.filter((urn) => !gone.has(urn) || state.live(urn) !== undefined);
    if (left.length < one.dependencies.length) run.put({ ...one, dependencies: left }, one);
  }
}

async function isThere(run: Run, old: ResourceState): Promise<boolean> {
  const step = run.setup.report.step("refresh", old);
  if (!old.custom || old.pendingReplacement) {
    step.found = "same";
    return true;
  }
  return run.attempt(step, undefined, async () => {
    const calls = await run.calls(old.type);
    const read = await calls.read(old, old.outputs);
    if (read.id === "") {
      step.found = "delete";
      run.setup.state.remove(old);
      return false;
    }
    const inputs = Object.keys(read.inputs).length === 0 ? old.inputs : read.inputs;
    const next = {
      ...old,
      id: read.id,
      inputs,
      outputs: secretOutputs({ ...old, inputs }, read.outputs),
      initErrors: [],
    };
    // Drift is what an up of the same program would have to change: the old inputs against what is there now.
    const isDrift = old.external
      ? changedKeys(old.outputs, next.outputs).length > 0
      : (await calls.diff(next, old.inputs)).changes;
    step.found = isDrift ? "update" : "same";
    run.put(next, old);
    return true;
  });
}
