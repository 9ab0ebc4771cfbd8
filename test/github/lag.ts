/** Lists that do not know yet what was just made. */
export class Lag {
  /** What is made from now on is in no list for so long. */
  milliseconds = 0;
  /** What is made from now on is in none of the next so many lists. */
  lists = 0;
  readonly #left = new Map<number, number>();
  readonly #since = new Map<number, number>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Something new. */
  made(id: number): void {
    this.#left.set(id, this.lists);
    this.#since.set(id, this.#now().getTime() + this.milliseconds);
  }

  /** Those that a list has; to be asked once for each list. */
  listed<Item extends { readonly id: number }>(items: readonly Item[]): readonly Item[] {
    return items.filter(({ id }) => {
      const left = this.#left.get(id) ?? 0;
      if (left > 0) this.#left.set(id, left - 1);
      return left === 0 && (this.#since.get(id) ?? 0) <= this.#now().getTime();
    });
  }
}
