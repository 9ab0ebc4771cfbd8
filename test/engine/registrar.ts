import type { Goal } from "./goal.ts";
import { changedKeys, ignoringChanges, UNKNOWN } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import type { EngineDiff } from "./provider-calls.ts";
import type { ResourceState } from "./resource-state.ts";
import { Halted, messageOf } from "./run.ts";
import type { Run } from "./run.ts";
import { Steps } from "./steps.ts";

// The path by which replaceOnChanges can name the errors of a partial failure.
const INIT_ERROR = "#initerror";

type Plan =
  | { readonly op: "create" | "same" | "update"; readonly next: ResourceState }
  | { readonly op: "replace"; readonly next: ResourceState; readonly deleteFirst: boolean };

/** Brings each resource that the program registers to where the program wants it. */
export class Registrar {
  /** The URNs that the program still has. */
  readonly seen = new Set<string>();
  /** The URNs whose step failed while the run went on. */
  readonly failed = new Set<string>();
  readonly #run: Run;
  readonly #steps: Steps;
  #generation: Promise<unknown> = Promise.resolve();

  constructor(run: Run) {
    this.#run = run;
    this.#steps = new Steps(run);
  }

  /** Resolves with the resource as it is now, or with undefined when it failed and the run continues. */
  register(goal: Goal): Promise<ResourceState | undefined> {
    return this.#run.active(async () => {
      const plan = await this.#inTurn(() => this.#plan(goal));
      return this.#execute(goal.resource.urn, () => this.#apply(plan, this.#old(goal)));
    });
  }

  /** Reads a resource that another user manages, in a preview as well. */
  read(wanted: ResourceState): Promise<ResourceState | undefined> {
    return this.#run.active(async () => {
      const isUnknown = wanted.id === UNKNOWN;
      await this.#inTurn(async () => this.#claim(wanted.urn));
      return this.#execute(wanted.urn, () => this.#steps.read(wanted, isUnknown));
    });
  }

  #old(goal: Goal): ResourceState | undefined {
    return this.#run.setup.state.live(goal.resource.urn);
  }

  /** One resource after the other, as the engine's step generator does: checks and diffs never overlap. */
  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#generation.then(async () => {
      if (this.#run.halted) throw new Halted();
      try {
        return await act();
      } catch (error) {
        this.#run.halt();
        throw error;
      }
    });
    this.#generation = turn.catch(() => {});
    return turn;
  }

  async #execute(urn: string, act: () => Promise<ResourceState>): Promise<ResourceState | undefined> {
    try {
      return await this.#run.slot(act);
    } catch (error) {
      if (!this.#run.setup.continueOnError || this.#run.halted) {
        this.#run.halt();
        throw error;
      }
      this.failed.add(urn);
      return undefined;
    }
  }

  #claim(urn: string): void {
    if (this.seen.has(urn)) {
      this.#run.setup.report.error(`The URN ${urn} is registered twice.`, urn);
      throw new Halted();
    }
    this.seen.add(urn);
  }

  async #plan(goal: Goal): Promise<Plan> {
    this.#claim(goal.resource.urn);
    try {
      return goal.resource.custom ? await this.#planCustom(goal) : this.#planComponent(goal);
    } catch (error) {
      if (!(error instanceof Halted)) this.#run.setup.report.error(messageOf(error), goal.resource.urn);
      throw new Halted();
    }
  }

  #planComponent(goal: Goal): Plan {
    const old = this.#old(goal);
    const next = goal.resource;
    if (old === undefined) return { op: "create", next };
    return { op: changedKeys(old.inputs, next.inputs).length === 0 ? "same" : "update", next };
  }

  async #planCustom(goal: Goal): Promise<Plan> {
    const old = this.#old(goal);
    const wanted = goal.resource.inputs;
    if (old === undefined) return { op: "create", next: await this.#checked(goal, {}, wanted) };
    const kept = ignoringChanges(wanted, old.inputs, goal.ignoreChanges);
    const next = await this.#checked(goal, old.inputs, kept);
    const calls = await this.#run.calls(goal.resource.type);
    const diff = withReplaceOnChanges(await calls.diff(old, next.inputs, goal.ignoreChanges), goal, old);
    if (old.pendingReplacement || diff.replaces.length > 0) return this.#planReplacement(goal, old, next, diff);
    // A resource with init errors is not in order, whatever its diff says: update may resume.
    if (diff.changes || old.initErrors.length > 0) return { op: "update", next };
    return { op: "same", next };
  }

  async #planReplacement(goal: Goal, old: ResourceState, next: ResourceState, diff: EngineDiff): Promise<Plan> {
    if (old.protect && next.protect) {
      this.#run.failed = true;
      this.#run.setup.report.error(`The resource is protected: it cannot be replaced.`, old.urn);
      if (!this.#run.setup.preview) throw new Halted();
    }
    // The replacement is a new resource: its inputs are checked without the old ones.
    const fresh = await this.#checked(goal, {}, goal.resource.inputs);
    const deleteFirst = goal.deleteBeforeReplace ?? diff.deleteBeforeReplace;
    return { op: "replace", next: fresh, deleteFirst };
  }

  async #checked(goal: Goal, olds: Properties, news: Properties): Promise<ResourceState> {
    const { report } = this.#run.setup;
    const { urn, type, name } = goal.resource;
    const calls = await this.#run.calls(type);
    const { inputs, failures } = await calls.check(goal.resource, olds, news);
    for (const { property, reason } of failures) {
      report.refuse({ name, property, reason });
      const where = property === "" ? "" : `: property ${property} value ${printed(inputs[property])}`;
      report.error(`${type} resource '${name}'${where} has a problem: ${reason}`, urn);
    }
    if (failures.length > 0) throw new Halted();
    return { ...goal.resource, inputs };
  }

  #apply(plan: Plan, old: ResourceState | undefined): Promise<ResourceState> {
    if (old === undefined) return this.#steps.create(plan.next);
    if (plan.op === "replace") return this.#steps.replace(old, plan.next, plan.deleteFirst);
    if (plan.op === "update") return this.#steps.update(old, plan.next);
    return this.#steps.same(old, plan.next);
  }
}

function withReplaceOnChanges(diff: EngineDiff, goal: Goal, old: ResourceState): EngineDiff {
  const matches = (key: string) => goal.replaceOnChanges.some((path) => path === "*" || isWithin(path, key));
  const hasInitErrors = old.initErrors.length > 0;
  if (!diff.changes && !hasInitErrors) return diff;
  const replaces = new Set([...diff.replaces, ...diff.keys.filter(matches)]);
  if (hasInitErrors && matches(INIT_ERROR)) replaces.add(INIT_ERROR);
  return { ...diff, replaces: [...replaces] };
}

/** What differs may be a part of what a path names: `secrets.KEY` of `secrets`. */
function isWithin(path: string, key: string): boolean {
  return key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`);
}

/** As the engine prints a refused value: nothing is hidden, a provider must not name a secret property. */
function printed(value: unknown): string {
  return value === undefined ? "{<nil>}" : `{${JSON.stringify(value)}}`;
}
