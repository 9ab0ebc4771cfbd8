import * as z from "zod";
import { membersOf } from "../http/raw-json.ts";

/** How a row changed between two experiments, in the order of the page. */
export const VERDICTS = ["worse", "better", "only-compared", "only-baseline", "same"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How a score changed. */
export type Change = "better" | "worse" | "lost" | "new" | "same";

/** What the comparison needs of a row. */
export interface RowMarks {
  readonly failed: boolean;
  readonly scores: readonly (readonly [label: string, score: number])[];
}

/** Numbers the occurrences of each key, from 1. */
export function occurrences(keys: readonly string[]): readonly number[] {
  const seen = new Map<string, number>();
  return keys.map((key) => {
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number;
  });
}

/** The keys of the scores of a row, numbered if a key is repeated. */
export function scoreLabels(keys: readonly string[]): readonly string[] {
  const numbers = occurrences(keys);
  return keys.map((key, index) => (numbers[index] === 1 ? key : `${key} (${String(numbers[index])})`));
}

/** How a score changed. A missing score is lost, which counts as worse: it may have been bad. */
export function changeOf(
  before: number | null | undefined,
  after: number | null | undefined,
  isLower: boolean,
): Change {
  if (before == null) return after == null ? "same" : "new";
  if (after == null) return "lost";
  if (before === after) return "same";
  return after > before === isLower ? "worse" : "better";
}

export function isWorse(change: Change): boolean {
  return change === "worse" || change === "lost";
}

/** Worse if any score or the error is worse; better if something is better and nothing worse. */
export function verdictOf(one: RowMarks | undefined, other: RowMarks | undefined, directions: Directions): Verdict {
  if (one === undefined) return "only-compared";
  if (other === undefined) return "only-baseline";
  const before = new Map(one.scores);
  const after = new Map(other.scores);
  const labels = new Set([...before.keys(), ...after.keys()]);
  const changes = [...labels].map((label) => changeOf(before.get(label), after.get(label), directions.isLower(label)));
  changes.push(changeOf(Number(one.failed), Number(other.failed), true));
  if (changes.some(isWorse)) return "worse";
  return changes.includes("better") ? "better" : "same";
}

/** The scores of which a lower one is better; for all others a higher one is. */
export class Directions {
  readonly #lower: ReadonlySet<string>;

  constructor(lower: Iterable<string> = []) {
    this.#lower = new Set(lower);
  }

  /**
   * Reads `score_directions` from the metadata of experiments, e.g. `{"toxicity": "lower"}`. The contract has no field
   * for it.
   */
  static of(metadata: readonly (string | null | undefined)[]): Directions {
    return new Directions(
      metadata.flatMap((text) => {
        const directions = text == null ? undefined : membersOf(text).get("score_directions");
        const parsed = z
          .record(z.string(), z.unknown())
          .safeParse(directions === undefined ? undefined : JSON.parse(directions));
        return Object.entries(parsed.data ?? {}).flatMap(([key, direction]) => (direction === "lower" ? [key] : []));
      }),
    );
  }

  isLower(label: string): boolean {
    return this.#lower.has(label) || this.#lower.has(label.replace(/ \(\d+\)$/, ""));
  }
}
