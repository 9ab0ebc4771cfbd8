/** Lists that do not know yet what was just made. */
export class Lag {
  /** What is made from now on is in none of the next so many lists. */
  lists = 0;
  /** What is made from now on is in no list for so long. */
  milliseconds = 0;
  readonly #now: () => number;
  readonly #left = new Map<number, { lists: number; readonly until: number }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Something new. */
  made(id: number): void {
    this.#left.set(id, {
      lists: this.lists,
      until: this.milliseconds === 0 ? -Infinity : this.#now() + this.milliseconds,
    });
  }

  /** From now on the lists have all there is. */
  settle(): void {
    this.#left.clear();
  }

  /** Those that a list has; to be asked once for each list. */
  listed<Item extends { readonly id: number }>(items: readonly Item[]): readonly Item[] {
    const now = this.#now();
    return items.filter(({ id }) => {
      const left = this.#left.get(id);
      if (left === undefined) return true;
      if (left.lists > 0) {
        left.lists -= 1;
        return false;
      }
      return left.until <= now;
    });
  }
}
