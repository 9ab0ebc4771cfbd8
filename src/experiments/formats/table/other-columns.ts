import type { ColumnRole } from "../../rows/columns.ts";
import { isFactName } from "./column-claims.ts";
import {
  categoryNameOf,
  isNeverScore,
  isScoreListName,
  NAMES_OF_MEASURES,
  plainName,
  scoreNameOf,
  TOKEN_COUNT,
  wordsOfName,
} from "./column-names.ts";
import { gradeOf } from "./score-grade.ts";
import { isScoreName } from "./score-names.ts";
import { isScoreKind, type ColumnSample } from "./column-sample.ts";

/** The role of a column that was not chosen for a part of a row; undefined if it depends on values yet to come. */
export function roleOfOther(sample: ColumnSample): ColumnRole | undefined {
  const { name, kind, form } = sample;
  const key = name.trim();
  const plain = plainName(name);
  if (plain === "" || UNNAMED.test(plain)) return { part: "skipped" };
  const [, below] = METADATA.exec(key) ?? [];
  if (below !== undefined) return { part: "metadata", key: below };
  if (kind === "nothing") return undefined;
  if (TOKEN_COUNT.test(wordsOfName(name)) && ["number", "digits", "comma", "object"].includes(kind)) {
    // `usage.total_tokens` is one of the counts, and `usage` may be all of them.
    const isAll = kind === "object" && plain === "usage";
    return { part: "usage", key: isAll ? undefined : key.replace(/^usage\.\s*(?=.)/i, "") };
  }
  if (isScoreListName(name) && sample.holdsScores) return { part: "scores", isMeasured: MEASURES.has(plain) };
  const scoreName = scoreNameOf(name);
  if (scoreName !== undefined || SCORES.has(plain)) {
    if (form !== undefined) return { part: "score", key: scoreName ?? key, form };
    const category = kind === "text" ? categoryNameOf(name) : undefined;
    return category === undefined ? { part: "metadata", key } : { part: "score", key: category, form: "category" };
  }
  const isCounted = sample.isCount && !isScoreName(name);
  const isScore = isScoreKind(kind) && !isCounted && !isNeverScore(name) && !isFactName(name);
  if (isScore) return { part: "score", key, form, grade: gradeOf(sample) };
  return { part: "metadata", key: plain === "metadata" && kind === "object" ? undefined : key };
}

/** The role of a column by a name that only scores have, if their values are such. */
export function roleOfScoreName(name: string): ColumnRole | undefined {
  const key = scoreNameOf(name);
  if (key !== undefined) return { part: "score", key };
  return isScoreListName(name) ? { part: "scores" } : undefined;
}

const UNNAMED = /^unnamed:?\d+$/;
const METADATA = /^metadata\.\s*(.+)$/i;
const SCORES: ReadonlySet<string> = new Set(["score", "scores"]);
const MEASURES: ReadonlySet<string> = new Set(NAMES_OF_MEASURES.map(plainName));

/** A column of a metric among the outputs, as Azure AI evaluation writes it. */
const METRIC = /^outputs\.([^.]+)\.([^.]+)$/;

/** The names X of metrics that stand as `outputs.X.X` or `outputs.X.X_score` among the outputs. */
export function metricGroups(samples: readonly ColumnSample[]): ReadonlySet<string> {
  return new Set(
    samples.flatMap((sample) => {
      const [, group = "", rest = ""] = METRIC.exec(sample.name.trim()) ?? [];
      return group !== "" && rest.startsWith(group) && holdsOneScore(sample) ? [group] : [];
    }),
  );
}

/** The role of a column that belongs to a metric; undefined for any other. */
export function metricRole(sample: ColumnSample, groups: ReadonlySet<string>): ColumnRole | undefined {
  const [, group = "", rest = ""] = METRIC.exec(sample.name.trim()) ?? [];
  if (!groups.has(group)) return undefined;
  // The threshold is the same in each row, and gpt_X is X once more.
  const isOfMetric = rest === group || (rest.startsWith(`${group}_`) && !rest.endsWith("_threshold"));
  if (!isOfMetric || !holdsOneScore(sample)) return { part: "metadata", key: sample.name.trim() };
  return { part: "score", key: rest === `${group}_score` ? group : rest, form: sample.form };
}

function holdsOneScore({ kind }: ColumnSample): boolean {
  return isScoreKind(kind) || kind === "digits";
}
