import type { ColumnRole } from "../../rows/columns.ts";
import { isFactName } from "./column-claims.ts";
import {
  categoryNameOf,
  isNeverScore,
  NAMES_OF_MEASURES,
  NAMES_OF_SCORE_LISTS,
  plainName,
  scoreNameOf,
  TOKEN_COUNT,
  wordsOfName,
} from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";

/** The role of a column that is none of the chosen parts of a row; undefined where only a value could tell. */
export function roleOfOther(sample: ColumnSample): ColumnRole | undefined {
  const { name, kind, form } = sample;
  const key = name.trim();
  const plain = plainName(name);
  if (plain === "" || UNNAMED.test(plain)) return { part: "skipped" };
  const [, below] = METADATA.exec(key) ?? [];
  if (below !== undefined) return { part: "metadata", key: below };
  if (kind === "nothing") return undefined;
  if (TOKEN_COUNT.test(wordsOfName(name)) && isCount(sample)) return usageRole(sample);
  if (LISTS.has(plain) && sample.holdsScores) return { part: "scores", isMeasured: MEASURES.has(plain) };
  const scoreName = scoreNameOf(name);
  if (scoreName !== undefined || SCORES.has(plain)) {
    if (form !== undefined) return { part: "score", key: scoreName ?? key, form };
    const category = kind === "text" ? categoryNameOf(name) : undefined;
    return category === undefined ? { part: "metadata", key } : { part: "score", key: category, form: "category" };
  }
  const isScore = isScoreKind(sample) && !isNeverScore(name) && !isFactName(name);
  if (isScore) return { part: "score", key, form };
  return { part: "metadata", key: plain === "metadata" && kind === "object" ? undefined : key };
}

/** The role of a column by a name that only scores have, if their values are such. */
export function roleOfScoreName(name: string): ColumnRole | undefined {
  const key = scoreNameOf(name);
  if (key !== undefined) return { part: "score", key };
  return LISTS.has(plainName(name)) ? { part: "scores" } : undefined;
}

/** True for a column that holds scores, if its name does not say otherwise. */
export function holdsScores(sample: ColumnSample): boolean {
  return sample.holdsScores || isScoreKind(sample);
}

/** True where each value is one score. */
function isScoreKind({ kind }: ColumnSample): boolean {
  return kind === "number" || kind === "word" || kind === "percent" || kind === "comma";
}

const UNNAMED = /^unnamed:?\d+$/;
const METADATA = /^metadata\.\s*(.+)$/i;
const SCORES: ReadonlySet<string> = new Set(["score", "scores"]);
const LISTS: ReadonlySet<string> = new Set(NAMES_OF_SCORE_LISTS.map(plainName));
const MEASURES: ReadonlySet<string> = new Set(NAMES_OF_MEASURES.map(plainName));

function isCount({ kind }: ColumnSample): boolean {
  return kind === "number" || kind === "digits" || kind === "comma" || kind === "object";
}

/** `usage.total_tokens` is one of the counts, and `usage` may be all of them. */
function usageRole({ name, kind }: ColumnSample): ColumnRole {
  const key = name.trim().replace(/^usage\.\s*(?=.)/i, "");
  return { part: "usage", key: kind === "object" && plainName(name) === "usage" ? undefined : key };
}
