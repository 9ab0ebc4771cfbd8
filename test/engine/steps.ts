import { secretOutputs } from "./provider-calls.ts";
import type { Outcome } from "./provider-calls.ts";
import type { ResourceState } from "./resource-state.ts";
import type { Run } from "./run.ts";

/** The steps of one resource: each is reported, done by the provider, and written to the state. */
export class Steps {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  create(next: ResourceState): Promise<ResourceState> {
    return this.#create("create", next);
  }

  async same(old: ResourceState, next: ResourceState): Promise<ResourceState> {
    this.#run.setup.report.step("same", next);
    const kept = { ...next, id: old.id, outputs: secretOutputs(next, old.outputs) };
    this.#run.put(kept, old);
    return kept;
  }

  async update(old: ResourceState, next: ResourceState): Promise<ResourceState> {
    const step = this.#run.setup.report.step("update", next);
    return this.#run.attempt(step, "updating", async () => {
      const outcome = next.custom
        ? await (await this.#run.calls(next.type)).update(old, next)
        : { id: old.id, outputs: {}, initErrors: [] };
      const updated = {
        ...next,
        id: old.id,
        // What failed in part was not updated to the new inputs.
        ...("failure" in outcome && { inputs: old.inputs }),
        outputs: secretOutputs(next, outcome.outputs),
        initErrors: outcome.initErrors,
      };
      this.#run.put(updated, old);
      return finished(outcome, updated);
    });
  }

  async replace(old: ResourceState, next: ResourceState, deleteFirst: boolean): Promise<ResourceState> {
    const { report } = this.#run.setup;
    if (!deleteFirst && !old.pendingReplacement) {
      const made = await this.#create("create-replacement", next);
      this.#run.put({ ...old, deleting: true }, old);
      report.step("replace", next);
      return made;
    }
    const gone = old.pendingReplacement ? old : { ...old, pendingReplacement: true };
    if (!old.pendingReplacement) {
      await this.delete({ ...old, deleting: true });
      this.#run.put(gone, old);
    }
    report.step("replace", next);
    return this.#create("create-replacement", next, gone);
  }

  /** Reads what another user manages; `isUnknown` when a preview does not know its id yet. */
  async read(wanted: ResourceState, isUnknown: boolean): Promise<ResourceState> {
    const { report, state } = this.#run.setup;
    const old = state.live(wanted.urn);
    const step = report.step("read", wanted);
    return this.#run.attempt(step, "reading", async () => {
      const found = isUnknown
        ? { id: "", outputs: {} }
        : await (await this.#run.calls(wanted.type)).read(wanted, wanted.inputs);
      const id = found.id === "" ? wanted.id : found.id;
      const read = { ...wanted, id, outputs: secretOutputs(wanted, found.outputs) };
      this.#run.put(read, old);
      return read;
    });
  }

  /** Asks the provider to delete, unless nobody should; the state is the caller's. */
  async delete(old: ResourceState): Promise<void> {
    const { report } = this.#run.setup;
    const op = old.external ? "discard" : "delete";
    const step = report.step(old.deleting ? `${op}-replaced` : op, old);
    await this.#run.attempt(step, "deleting", async () => {
      if (old.protect && !old.deleting) {
        throw new Error(`The resource ${old.urn} is protected: it cannot be deleted.`);
      }
      if (old.custom && !old.external && !old.retainOnDelete) await (await this.#run.calls(old.type)).delete(old);
    });
  }

  #create(op: "create" | "create-replacement", next: ResourceState, gone?: ResourceState): Promise<ResourceState> {
    const step = this.#run.setup.report.step(op, next);
    return this.#run.attempt(step, "creating", async () => {
      const outcome = next.custom
        ? await (await this.#run.calls(next.type)).create(next)
        : { id: "", outputs: {}, initErrors: [] };
      const { id, initErrors } = outcome;
      const made = { ...next, id, initErrors, outputs: secretOutputs(next, outcome.outputs) };
      this.#run.put(made, gone);
      return finished(outcome, made);
    });
  }
}

function finished(outcome: Outcome, resource: ResourceState): ResourceState {
  if (outcome.failure !== undefined) throw outcome.failure;
  return resource;
}
