import type { HolderMarks, Mark } from "./holder-marks.ts";
import { internalsOf } from "./internals.ts";
import { subjectOf, textIn, type Properties } from "./state.ts";

/** Another resource holds a deployment: this process knows it itself, or a mark shows it. */
export type Held = Mark | "here";

/**
 * Which resources of the stack hold which deployment, as the calls of one run show it: an engine asks for the difference
 * of every resource that the program still has before it deletes what the program has no longer. A deployment that
 * another resource holds is never deleted. What the other processes of the run know, and what earlier runs have adopted,
 * is in the marks.
 */
export class Holders {
  readonly #marks: HolderMarks | undefined;
  readonly #holders = new Map<string, Set<string>>();
  // What its maker left while another resource held it, and would have deleted: who leaves last deletes it.
  readonly #left = new Set<string>();

  /** Without marks, only what this process knows counts. */
  constructor(marks?: HolderMarks) {
    this.#marks = marks;
  }

  /**
   * Notes that a resource holds a deployment; `state` are its outputs. False where what it has adopted could not be noted
   * for others.
   */
  hold(id: string, state: Properties): boolean {
    const key = holderOf(state);
    const holders = this.#of(id);
    const isNew = !holders.has(key);
    holders.add(key);
    this.#holders.set(id.toLowerCase(), holders);
    return this.#mark(id, state, isNew);
  }

  /** Notes for the other processes of the run that a state has a resource, which the program may not have any more. */
  see(id: string, state: Properties): void {
    this.#mark(id, state, true);
  }

  /**
   * Leaves the marks of a resource. That of one that has adopted its deployment is for later runs, too; so are those of all
   * that a run shows to hold one deployment, because a later run may call any of them alone.
   */
  #mark(id: string, state: Properties, isNew: boolean): boolean {
    if (!this.#marks) return true;
    const mark = { key: holderOf(state), name: subjectOf(state), urn: textIn(state, "__urn") ?? undefined };
    const isNoted = !isNew || this.#marks.note(id, mark);
    // Without a mark of its own in the state, the next run would not know it again.
    const { adopted, holder } = internalsOf(state);
    if (holder === undefined) return isNoted;
    const isShared = this.#marks.keepOthers(id, mark.key);
    if (adopted !== true && !isShared) return isNoted;
    return this.#marks.keep(id, mark) && isNoted;
  }

  /** Takes back what was noted of a resource that holds its deployment no longer, or never did. */
  release(id: string, state: Properties): void {
    this.#of(id).delete(holderOf(state));
    this.#marks?.release(id, holderOf(state));
  }

  /** True when a resource of this run holds the deployment, as far as this process knows. */
  has(id: string): boolean {
    return this.#of(id).size > 0;
  }

  /** Who holds the deployment beside a resource; undefined where nothing shows that there is one. */
  beside(id: string, state: Properties): Held | undefined {
    const key = holderOf(state);
    if ([...this.#of(id)].some((holder) => holder !== key)) return "here";
    const [mark] = [...(this.#marks?.others(id, key) ?? [])].sort((one, other) => rank(one) - rank(other));
    return mark;
  }

  /** A resource gives its deployment up; who else holds it, undefined where nothing shows that there is one. */
  leave(id: string, state: Properties): Held | undefined {
    const key = holderOf(state);
    const { onDelete, deletionProtection } = state;
    // What its maker would not have deleted is not deleted in its place either.
    const isKept = onDelete === "retain" || deletionProtection === true;
    const isMaker = internalsOf(state).adopted !== true && !isKept;
    this.release(id, state);
    // Before the marks of others are read: of two processes that leave at the same time, at least one sees the other.
    if (isMaker) this.#marks?.noteLeft(id, key);
    const held = this.beside(id, state);
    if (held !== undefined && isMaker) this.#left.add(id.toLowerCase());
    if (held === undefined && isMaker) this.#marks?.forgetLeft(id, key);
    return held;
  }

  /** True when a resource that had made the deployment has left it to another one in this run. */
  isLeftByMaker(id: string): boolean {
    return this.#left.has(id.toLowerCase()) || this.#marks?.isLeft(id) === true;
  }

  #of(id: string): Set<string> {
    return this.#holders.get(id.toLowerCase()) ?? new Set();
  }
}

// What a resource of this run has noted says more than what lasts from an earlier one.
function rank({ isLasting, isAlive }: Mark): number {
  return isLasting ? 2 : isAlive ? 0 : 1;
}

/** Why a delete leaves a deployment in the service, and what a user can do where the mark may be out of date. */
export function keptText(id: string, held: Held): readonly [severity: "info" | "warning", message: string] {
  if (held === "here" || (!held.isLasting && held.isAlive)) {
    return ["info", `deployment ${id} is kept: another resource of the program has taken it over.`];
  }
  const { urn, program, file } = held;
  const other = urn ?? (program === undefined ? "another resource" : `another resource of the program in ${program}`);
  return [
    "warning",
    `deployment ${id} is kept: ${other} holds it, as the mark ${file} shows. ` +
      "If that resource no longer exists, remove this file, and delete the deployment in the service.",
  ];
}

/** Nothing shows the other processes of a run that a resource adopts a deployment. */
export function unnotedText(id: string, directory: string): string {
  return (
    `the adoption of deployment ${id} could not be noted in ${directory}, which must be a directory that this user ` +
    "can write to, and no other user can open (TMPDIR names its parent): " +
    "if this run removes a resource of another provider that had the deployment, it deletes the deployment."
  );
}

/**
 * What distinguishes the resources that hold one deployment: a provider gets no URN. State of an earlier version has
 * no such mark, but a takeover always made a revision then.
 */
export function holderOf(state: Properties): string {
  return internalsOf(state).holder ?? textIn(state, "managedRevisionId") ?? "";
}
