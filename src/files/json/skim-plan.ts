/**
 * What of a value is parsed: all of it; no more than whether it says something, which leaves 1 or null of it; all but the
 * text that it is, which leaves an empty one; or some of its members or items, where it has any.
 */
export type SkimPlan = SkimMembers | "blank" | "sign" | "whole" | { readonly item: SkimPlan };

/** Keys are looked up as bytes: to decode those of each row would take longer than to parse what is left out. */
export class SkimMembers {
  readonly #planOf: (key: string) => SkimPlan;
  /** The keys that were seen, by their length and by three of their bytes. */
  readonly #seen = new Map<number, SeenKey[]>();
  /** The key that was asked for last. */
  #last?: SeenKey;
  #count = 0;

  constructor(planOf: (key: string) => SkimPlan) {
    this.#planOf = planOf;
  }

  /** The plan of the key that stands there without its quotes; undefined for one with an escape, which may be any. */
  of(bytes: Buffer, begin: number, end: number): SkimPlan | undefined {
    // The objects of a file have their keys in one order.
    const { next } = this.#last ?? {};
    if (next && isKey(next.key, bytes, begin, end)) return this.#take(next);
    const middle = bytes[(begin + end) >>> 1] ?? 0;
    const code = ((end - begin) << 24) ^ ((bytes[begin] ?? 0) << 16) ^ (middle << 8) ^ (bytes[end - 1] ?? 0);
    const alike = this.#seen.get(code);
    if (alike) for (const seen of alike) if (isKey(seen.key, bytes, begin, end)) return this.#take(seen);
    if (bytes.subarray(begin, end).includes("\\")) return undefined;
    const key = Buffer.from(bytes.subarray(begin, end));
    const plan = this.#planOf(key.toString());
    if (this.#count < MOST_SEEN && key.length <= LONGEST_SEEN) {
      this.#count += 1;
      const seen = { key, plan, next: undefined };
      this.#seen.set(code, [...(alike ?? []), seen]);
      return this.#take(seen);
    }
    return plan;
  }

  #take(seen: SeenKey): SkimPlan {
    if (this.#last) this.#last.next = seen;
    this.#last = seen;
    return seen.plan;
  }
}

interface SeenKey {
  readonly key: Buffer;
  readonly plan: SkimPlan;
  /** What stood behind it last time. */
  next: SeenKey | undefined;
}

const MOST_SEEN = 1_000;
const LONGEST_SEEN = 200;

function isKey(key: Buffer, bytes: Buffer, begin: number, end: number): boolean {
  if (key.length !== end - begin) return false;
  for (let at = 0; at < key.length; at++) if (key[at] !== bytes[begin + at]) return false;
  return true;
}
