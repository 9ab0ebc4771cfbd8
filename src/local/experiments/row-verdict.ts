import * as z from "zod";
import { membersOf } from "../http/raw-json.ts";

/** What became of a row between two experiments; in this order they are shown. */
export const VERDICTS = ["worse", "better", "only-compared", "only-baseline", "same"] as const;
/** One of them. */
export type Verdict = (typeof VERDICTS)[number];

/** What became of one number. */
export type Change = "better" | "worse" | "lost" | "new" | "same";

/** As much of a row as a comparison needs. */
export interface RowMarks {
  readonly failed: boolean;
  /** The numbers of its scores. */
  readonly scores: readonly (readonly [label: string, score: number])[];
}

/** The keys of a row's scores, numbered where there are several of one key. */
export function scoreLabels(keys: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return keys.map((key) => {
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key} (${String(times)})`;
  });
}

/** What a score has become. One that is not there any more was lost: what is not measured is not known to be good. */
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

/** True for what a reader should look at. */
export function isWorse(change: Change): boolean {
  return change === "worse" || change === "lost";
}

/** What a row has become: worse when anything of it is, better when something is and nothing is worse. */
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

/** Which scores are better when they are lower; a higher one is better for all others. */
export class Directions {
  readonly #lower: ReadonlySet<string>;

  constructor(lower: Iterable<string> = []) {
    this.#lower = new Set(lower);
  }

  /**
   * Reads `score_directions` in the metadata of experiments, texts of JSON objects: `{"toxicity": "lower"}`. The contract
   * has no field for it.
   */
  static of(metadata: readonly (string | null | undefined)[]): Directions {
    return new Directions(
      metadata.flatMap((text) => {
        const told = text == null ? undefined : membersOf(text).get("score_directions");
        const parsed = z.record(z.string(), z.unknown()).safeParse(told === undefined ? undefined : JSON.parse(told));
        return Object.entries(parsed.data ?? {}).flatMap(([key, direction]) => (direction === "lower" ? [key] : []));
      }),
    );
  }

  isLower(label: string): boolean {
    return this.#lower.has(label) || this.#lower.has(label.replace(/ \(\d+\)$/, ""));
  }
}
