import type { ColumnRole, SeenColumn } from "../../rows/columns.ts";
import { byRule, claimsOf, isFactName } from "./column-claims.ts";
import {
  categoryNameOf,
  isNeverScore,
  isScoreListName,
  isScoreName,
  NAMES_OF_MEASURES,
  plainName,
  scoreNameOf,
  TOKEN_COUNT,
  wordsOfName,
} from "./column-names.ts";
import { type ColumnSample, ColumnValues, isScoreKind, kindOfJson } from "./column-sample.ts";
import { LEAST_SHARE, PART_RULES, saysRight, shareIn } from "./part-rules.ts";
import type { ChosenPart, ColumnClaim, SeenNames } from "./part-rules.ts";
import { gradeOf } from "./number-columns.ts";

/** What the columns of a table are. */
export interface DecidedColumns {
  readonly decided: readonly SeenColumn[];
  /** A column that begins behind those that were seen: it takes nothing away from them. */
  readonly late: (sample: ColumnSample) => SeenColumn;
}

const PARTS: ReadonlySet<ChosenPart> = new Set(PART_RULES.map(({ part }) => part));

/** What the columns of a table are, by their names and by what stands in them, in whatever order they come. */
export class ColumnRoles implements DecidedColumns {
  readonly #samples: readonly ColumnSample[];
  readonly #table: SeenNames;
  readonly #metrics: ReadonlySet<string>;
  readonly #chosen = new Map<ChosenPart, ColumnClaim>();
  /** The parts that one column holds alone; others have columns with keys, such as `inputs.question`. */
  readonly #wholes = new Set<ChosenPart>();
  readonly #roles = new Map<string, ColumnRole>();
  readonly #passedOver = new Map<string, NonNullable<SeenColumn["passedOver"]>>();
  readonly #scoreKeys = new Set<string>();
  readonly #names = new Set<string>();

  constructor(samples: readonly ColumnSample[]) {
    this.#samples = samples;
    this.#metrics = metricGroups(samples);
    const names = new Map(samples.map((sample) => [plainName(sample.name), sample]));
    const claims = samples.flatMap((sample) => this.#claimsOf(sample, names)).toSorted(byRule);
    this.#table = { names, claims, chosen: this.#chosen };
    for (const part of PARTS) {
      const meant = claims.filter((claim) => claim.rule.part === part && this.#isMeant(claim));
      for (const claim of inTurn(meant, this.#chosen.get("outputs")?.sample)) this.#take(claim);
    }
    this.#takeOthers(samples);
  }

  /** The columns, in the order in which they came. */
  get decided(): readonly SeenColumn[] {
    return this.#samples.map((sample) => this.#decided(sample));
  }

  /** A column that begins behind those that were seen: it takes nothing away from them. */
  late(sample: ColumnSample): SeenColumn {
    for (const claim of this.#claimsOf(sample, this.#table.names)) if (this.#isMeant(claim)) this.#take(claim);
    this.#takeOthers([sample]);
    return this.#decided(sample);
  }

  #decided({ name, kind, inner, texts }: ColumnSample): SeenColumn {
    return { name, kind, inner, texts, role: this.#roles.get(name), passedOver: this.#passedOver.get(name) };
  }

  #claimsOf(sample: ColumnSample, names: SeenNames["names"]): readonly ColumnClaim[] {
    return metricRole(sample, this.#metrics) ? [] : claimsOf(sample, names);
  }

  #isMeant({ rule, sample }: ColumnClaim): boolean {
    return !this.#roles.has(sample.name) && rule.unless?.(sample, this.#table) !== true;
  }

  /** Gives a column its part, unless another one has it: one of the same rule may stand beside it. */
  #take(claim: ColumnClaim): void {
    const { rule, key, role } = claim;
    const { part, beginnings } = rule;
    const { name } = claim.sample;
    if (this.#roles.has(name) || (beginnings && this.#passedOver.has(name))) return;
    const chosen = this.#chosen.get(part);
    const isWhole = key === undefined && !beginnings;
    const isBeside = chosen?.rule === rule && !(isWhole && this.#wholes.has(part));
    const isJoining = rule.joins === true && chosen?.rule === PART_RULES.find((first) => first.part === part);
    if (chosen && !isBeside && !isJoining) {
      if (!beginnings) this.#passedOver.set(name, { part, taken: chosen.sample.name });
      return;
    }
    if (!chosen) this.#chosen.set(part, claim);
    if (isWhole) this.#wholes.add(part);
    this.#passedOver.delete(name);
    this.#roles.set(name, role);
  }

  /** Scores, metadata and what is measured: all that no part was chosen for. */
  #takeOthers(samples: readonly ColumnSample[]): void {
    const others = samples.filter(({ name }) => !this.#roles.has(name));
    const roles = others.flatMap((sample) => {
      const role = this.#other(sample);
      return role ? [{ name: sample.name, role }] : [];
    });
    for (const { name } of samples) this.#names.add(name);
    const counts = new Map<string, number>();
    for (const { role } of roles) if (role.part === "score") counts.set(role.key, (counts.get(role.key) ?? 0) + 1);
    const isTaken = (name: string, key: string) =>
      counts.get(key) !== 1 || this.#scoreKeys.has(key) || (key !== name && this.#names.has(key));
    for (const { name, role } of roles) {
      // Two columns that have one score by their names, such as `feedback.exact` and `metrics.exact`, keep their names.
      const named = role.part === "score" && isTaken(name, role.key) ? { ...role, key: name } : role;
      if (named.part === "score") this.#scoreKeys.add(named.key);
      this.#roles.set(name, named);
    }
  }

  #other(sample: ColumnSample): ColumnRole | undefined {
    const { name } = sample;
    if (this.#passedOver.has(name)) return { part: "metadata", key: name.trim() };
    const scores = this.#table.names.get("scores");
    if (
      plainName(name) === "score" &&
      scores &&
      scores !== sample &&
      (scores.holdsScores || isScoreKind(scores.kind))
    ) {
      this.#passedOver.set(name, { part: "score", taken: scores.name });
      return { part: "metadata", key: name.trim() };
    }
    const role = metricRole(sample, this.#metrics) ?? roleOfOther(sample);
    // A text that became no part of the row says in words what the numbers say, such as a category and its number.
    const isKey =
      role?.part === "score" && role.grade !== undefined && sample.twins.some((twin) => !this.#roles.has(twin));
    return isKey ? { ...role, grade: "key" } : role;
  }
}

/**
 * The claims for one part in the order in which they are tried. An empty column is taken where there is no other; but the
 * outputs may be missing in each row that was seen.
 */
function inTurn(claims: readonly ColumnClaim[], output: ColumnSample | undefined): readonly ColumnClaim[] {
  const isEmpty = ({ rule, sample }: ColumnClaim) => rule.part !== "outputs" && sample.kind === "nothing";
  const inTurn = claims.toSorted((one, other) => Number(isEmpty(one)) - Number(isEmpty(other)));
  const [first, ...rest] = inTurn.filter(({ rule, key }) => rule.byValues && key === undefined);
  // Verdicts may be the numbers of two classes as well: they take nothing away from another column.
  const others = rest.filter(({ sample }) => !saysRight(sample));
  if (!first || !output || others.length === 0) return inTurn;
  const best = others
    .map((claim) => ({ claim, share: shareIn(output, claim.sample) }))
    .reduce((one, other) => (other.share > one.share ? other : one));
  if (best.share < LEAST_SHARE || 2 * shareIn(output, first.sample) > best.share) return inTurn;
  return inTurn.flatMap((claim) => (claim === first ? [best.claim, first] : claim === best.claim ? [] : claim));
}

/** The roles by names alone, given all names. */
export function rolesOfNames(names: Iterable<string>): (name: string) => ColumnRole | undefined {
  const roles = new ColumnRoles([...new Set(names)].map((name) => new ColumnValues(kindOfJson).sample(name)));
  const byName = new Map(roles.decided.map(({ name, role }) => [name, role ?? roleOfScoreName(name)]));
  return (name) => byName.get(name);
}

/** The role of a column that was not chosen for a part of a row; undefined if it depends on values yet to come. */
function roleOfOther(sample: ColumnSample): ColumnRole | undefined {
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
function roleOfScoreName(name: string): ColumnRole | undefined {
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
function metricGroups(samples: readonly ColumnSample[]): ReadonlySet<string> {
  return new Set(
    samples.flatMap((sample) => {
      const [, group = "", rest = ""] = METRIC.exec(sample.name.trim()) ?? [];
      return group !== "" && rest.startsWith(group) && holdsOneScore(sample) ? [group] : [];
    }),
  );
}

/** The role of a column that belongs to a metric; undefined for any other. */
function metricRole(sample: ColumnSample, groups: ReadonlySet<string>): ColumnRole | undefined {
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
