import type { ColumnRole, SeenColumn } from "../../rows/columns.ts";
import { BEGINNING, byTable, claimsOf, type ColumnClaim } from "./column-claims.ts";
import { JOINING_INPUT, NAMES_OF_PARTS, plainName, TWIN_BEGINNINGS, type ChosenPart } from "./column-names.ts";
import { ColumnValues, kindOfJson, type ColumnSample } from "./column-sample.ts";
import { begunAs, inTurn, isMeant, type Choice, type Choices } from "./names-in-doubt.ts";
import { holdsScores, roleOfOther, roleOfScoreName, metricGroups, metricRole } from "./other-columns.ts";

/** What the columns of a table are. */
export interface DecidedColumns {
  readonly decided: readonly SeenColumn[];
  /** A column that begins behind those that were seen: it takes nothing away from them. */
  readonly late: (sample: ColumnSample) => SeenColumn;
}

// What an answer or a label is depends on the outputs, and what an id names on the inputs, so they are chosen first.
const ORDER: ReadonlySet<ChosenPart> = new Set([
  "outputs",
  "expected",
  ...NAMES_OF_PARTS.map(([part]) => part),
] as const);

/** What the columns of a table are, by their names and by what stands in them, in whatever order they come. */
export class ColumnRoles implements DecidedColumns {
  readonly #table: Choices;
  readonly #metrics: ReadonlySet<string>;
  readonly #chosen = new Map<ChosenPart, Choice>();
  readonly #roles = new Map<string, ColumnRole>();
  readonly #passedOver = new Map<string, NonNullable<SeenColumn["passedOver"]>>();
  readonly #scoreKeys = new Set<string>();
  readonly #names = new Set<string>();

  constructor(samples: readonly ColumnSample[]) {
    const names = new Map(samples.map((sample) => [plainName(sample.name), sample]));
    this.#table = { samples, names, chosen: this.#chosen };
    this.#metrics = metricGroups(samples);
    this.#takeTwins();
    const claims = samples.flatMap((sample) => this.#claimsOf(sample)).toSorted(byTable);
    for (const part of ORDER) {
      const mine = claims.filter((claim) => claim.part === part && this.#isMeant(claim));
      for (const claim of inTurn(part, mine, this.#chosen.get("outputs")?.seen)) this.#take(claim);
    }
    this.#takeOthers(samples);
  }

  /** The columns, in the order in which they came. */
  get decided(): readonly SeenColumn[] {
    return this.#table.samples.map((sample) => this.#decided(sample));
  }

  /** A column that begins behind those that were seen: it takes nothing away from them. */
  late(sample: ColumnSample): SeenColumn {
    for (const claim of this.#claimsOf(sample)) if (this.#isMeant(claim)) this.#take(claim);
    this.#takeOthers([sample]);
    return this.#decided(sample);
  }

  #decided({ name, kind, inner, texts }: ColumnSample): SeenColumn {
    return { name, kind, inner, texts, role: this.#roles.get(name), passedOver: this.#passedOver.get(name) };
  }

  #claimsOf(sample: ColumnSample): readonly ColumnClaim[] {
    const named = metricRole(sample, this.#metrics) ? [] : claimsOf(sample);
    return [...named, ...begunAs(sample, this.#table.names)];
  }

  #isMeant(claim: ColumnClaim): boolean {
    return !this.#roles.has(claim.sample.name) && isMeant(claim, this.#table);
  }

  /** Gives a column its part, unless another one has it: one of the same line may stand beside it under a key. */
  #take({ sample: { name }, part, line, key, role }: ColumnClaim): void {
    if (this.#roles.has(name)) return;
    const choice = this.#chosen.get(part);
    const isBegun = line === BEGINNING;
    const isWhole = key === undefined && !isBegun;
    const isBeside = choice?.line === line && !(isWhole && choice.hasWhole);
    const isJoining = choice?.line === 0 && plainName(name) === JOINING_INPUT;
    if (isBegun && this.#passedOver.has(name)) return;
    if (choice && !isBeside && !isJoining) {
      if (!isBegun) this.#passedOver.set(name, { part, taken: choice.name });
      return;
    }
    const hasWhole = isWhole || choice?.hasWhole === true;
    if (choice && !isBegun) this.#chosen.set(part, { ...choice, hasWhole });
    else this.#choose(part, { name, line, hasWhole });
    this.#passedOver.delete(name);
    this.#roles.set(name, role);
  }

  /** What a case and its prediction have both; where there is no prediction, the case has it under its plain name. */
  #takeTwins(): void {
    const names = new Set(this.#table.samples.map(({ name }) => name));
    for (const name of names) {
      if (!name.startsWith(TWIN_BEGINNINGS.expected)) continue;
      const key = name.slice(TWIN_BEGINNINGS.expected.length);
      const prediction = `${TWIN_BEGINNINGS.outputs}${key}`;
      if (key === "" || !names.has(prediction)) continue;
      for (const wanted of [name, key]) if (names.has(wanted)) this.#roles.set(wanted, { part: "expected", key });
      this.#roles.set(prediction, { part: "outputs", key });
      this.#choose("expected", { name, line: 0, hasWhole: false });
      this.#choose("outputs", { name: prediction, line: 0, hasWhole: false });
    }
  }

  #choose(part: ChosenPart, choice: Omit<Choice, "seen">): void {
    this.#chosen.set(part, { ...choice, seen: this.#table.names.get(plainName(choice.name)) });
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
    if (plainName(name) === "score" && scores && scores !== sample && holdsScores(scores)) {
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

/** The roles by names alone, given all names. */
export function rolesOfNames(names: Iterable<string>): (name: string) => ColumnRole | undefined {
  const roles = new ColumnRoles([...new Set(names)].map((name) => new ColumnValues(kindOfJson).sample(name)));
  const byName = new Map(roles.decided.map(({ name, role }) => [name, role ?? roleOfScoreName(name)]));
  return (name) => byName.get(name);
}
