import type { Clock } from "../../http/clock.ts";
import type { Inventory } from "./inventory.ts";
import { Sightings, type WalkSightings } from "./sightings.ts";

interface Kept {
  readonly question: string;
  readonly inventory: Inventory;
  readonly seen: WalkSightings;
}

// A file that was written in the same tick of the file system's clock as it was read may hold something else by now.
// FAT counts in steps of 2 s.
const SETTLED_MILLISECONDS = 2_000;

/** Remembers one tree, so that it is not walked again while it is unchanged. Lives as long as its process. */
export class TreeMemory {
  readonly #clock: Pick<Clock, "date">;
  #kept?: Kept;

  constructor(clock: Pick<Clock, "date">) {
    this.#clock = clock;
  }

  /**
   * What the walk finds, or what an earlier one found when this one would find the same; `question` is all that it goes by,
   * but for what lies in the directories.
   */
  async recall(
    question: string,
    signal: AbortSignal,
    walk: (seen: WalkSightings) => Promise<Inventory>,
  ): Promise<Inventory> {
    const kept = this.#kept;
    if (kept?.question === question) {
      const { members, others } = kept.seen;
      if ((await others.hold(signal)) && (await members.hold(signal))) return kept.inventory;
    }
    const settled = this.#clock.date().getTime() - SETTLED_MILLISECONDS;
    const seen = { members: new Sightings(settled), others: new Sightings(settled) };
    const found = await walk(seen);
    const { entries } = kept && seen.members.equals(kept.seen.members) ? kept.inventory : found;
    const inventory = { ...found, entries };
    this.#kept = { question, inventory, seen };
    return inventory;
  }
}
