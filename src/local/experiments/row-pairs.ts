import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { flag, jsonColumn, type Page } from "../state/database.ts";
import { VERDICTS, verdictOf, type Directions, type Verdict } from "./row-verdict.ts";

const Scores = jsonColumn(z.array(z.tuple([z.string(), z.number()])));
const Line = z.object({
  row_id: z.string(),
  occurrence: z.number(),
  one_seq: z.number().nullable(),
  one_failed: flag.nullable(),
  one_scores: Scores.nullable(),
  other_seq: z.number().nullable(),
  other_failed: flag.nullable(),
  other_scores: Scores.nullable(),
});
const Text = z.object({ json: z.string() });

// Rows with a repeated id are paired in the order of the upload.
const PAIRED = `SELECT row_id, occurrence,
    max(iif(upload = :one, seq, NULL)) AS one_seq, max(iif(upload = :one, position, NULL)) AS one_position,
    max(iif(upload = :other, seq, NULL)) AS other_seq, max(iif(upload = :other, position, NULL)) AS other_position
  FROM (SELECT upload, row_id, seq, position,
      row_number() OVER (PARTITION BY upload, row_id ORDER BY position) AS occurrence
    FROM experiment_rows WHERE upload IN (:one, :other))
  GROUP BY row_id, occurrence`;
const MARKED = `SELECT paired.row_id, occurrence, one_seq, one.failed AS one_failed, one.scores AS one_scores,
    other_seq, other.failed AS other_failed, other.scores AS other_scores
  FROM (${PAIRED}) AS paired
  LEFT JOIN experiment_rows AS one ON one.seq = one_seq
  LEFT JOIN experiment_rows AS other ON other.seq = other_seq
  ORDER BY one_position IS NULL, one_position, other_position`;

interface Pair {
  readonly rowId: string;
  /** From 1; counts the rows of an experiment with this id. */
  readonly occurrence: number;
  readonly verdict: Verdict;
  readonly one: number | null;
  readonly other: number | null;
}

/** A row id with the text of the row in both experiments; null if one does not have it. */
export interface RowPair {
  readonly rowId: string;
  readonly occurrence: number;
  readonly verdict: Verdict;
  readonly one: string | null;
  readonly other: string | null;
}

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** The rows of two experiments side by side: the worse ones first, then in the order of the first experiment. */
export class RowPairs {
  readonly #database: DatabaseSync;
  readonly #counts = { worse: 0, better: 0, "only-compared": 0, "only-baseline": 0, same: 0 };
  readonly #pairs: readonly Pair[];

  /** `one` and `other` are the numbers of their uploads. */
  constructor(database: DatabaseSync, one: number, other: number, directions: Directions) {
    this.#database = database;
    const byVerdict = new Map<Verdict, Pair[]>(VERDICTS.map((verdict) => [verdict, []]));
    for (const row of database.prepare(MARKED).iterate({ one, other })) {
      const { row_id: rowId, occurrence, one_seq, other_seq, ...line } = Line.parse(row);
      const before = one_seq === null ? undefined : { failed: line.one_failed ?? false, scores: line.one_scores ?? [] };
      const after =
        other_seq === null ? undefined : { failed: line.other_failed ?? false, scores: line.other_scores ?? [] };
      const verdict = verdictOf(before, after, directions);
      this.#counts[verdict] += 1;
      byVerdict.get(verdict)?.push({ rowId, occurrence, verdict, one: one_seq, other: other_seq });
    }
    this.#pairs = [...byVerdict.values()].flat();
  }

  get counts(): VerdictCounts {
    return this.#counts;
  }

  /** Those of one verdict, or all. */
  page({ show, limit, offset }: Page & { readonly show: Verdict | undefined }): readonly RowPair[] {
    const chosen = show === undefined ? this.#pairs : this.#pairs.filter(({ verdict }) => verdict === show);
    return chosen
      .slice(offset, offset + limit)
      .map((pair) => ({ ...pair, one: this.#text(pair.one), other: this.#text(pair.other) }));
  }

  #text(seq: number | null): string | null {
    if (seq === null) return null;
    return Text.parse(this.#database.prepare("SELECT json FROM experiment_rows WHERE seq = ?").get(seq)).json;
  }
}
