import { internalsOf } from "./internals.ts";
import type { Properties } from "./state.ts";

/**
 * Which resources of the stack hold which deployment, as the calls of one run show it: an engine asks for the difference
 * of every resource that the program still has before it deletes what the program has no longer. A deployment that
 * another resource holds is never deleted.
 */
export class Holders {
  readonly #holders = new Map<string, Set<string>>();
  // What its maker left while another resource held it: who leaves last deletes it.
  readonly #left = new Set<string>();

  /** Notes that a resource holds a deployment; `state` are its outputs. */
  hold(id: string, state: Properties): void {
    const holders = this.#of(id);
    holders.add(holderOf(state));
    this.#holders.set(id.toLowerCase(), holders);
  }

  /** True when a resource of this run holds the deployment. */
  has(id: string): boolean {
    return this.#of(id).size > 0;
  }

  /** A resource gives its deployment up; true when another one still holds it. */
  leave(id: string, state: Properties): boolean {
    const holders = this.#of(id);
    holders.delete(holderOf(state));
    const isHeld = holders.size > 0;
    if (isHeld && internalsOf(state).adopted !== true) this.#left.add(id.toLowerCase());
    return isHeld;
  }

  /** True when a resource that had made the deployment has left it to another one in this run. */
  isLeftByMaker(id: string): boolean {
    return this.#left.has(id.toLowerCase());
  }

  #of(id: string): Set<string> {
    return this.#holders.get(id.toLowerCase()) ?? new Set();
  }
}

/**
 * What distinguishes the resources that hold one deployment: a provider gets no URN. State of an earlier version has
 * no such mark, but a takeover always made a revision then.
 */
export function holderOf(state: Properties): string {
  const { holder } = internalsOf(state);
  if (typeof holder === "string") return holder;
  const { managedRevisionId } = state;
  return typeof managedRevisionId === "string" ? managedRevisionId : "";
}
