/** Names the scores of one row, so that no two of them have one key. */
export class ScoreKeys {
  readonly #counts = new Map<string, number>();

  /** `taken` are keys that the row has already. */
  constructor(taken: readonly string[] = []) {
    for (const key of taken) this.#counts.set(key, 1);
  }

  /** The name itself, `score` for a score without one; from its second use on with a number: `exact`, `exact 2`. */
  next(name: string): string {
    const base = name.trim() === "" ? "score" : name;
    const count = (this.#counts.get(base) ?? 0) + 1;
    this.#counts.set(base, count);
    if (count === 1) return base;
    return this.next(`${base} ${count}`);
  }
}
