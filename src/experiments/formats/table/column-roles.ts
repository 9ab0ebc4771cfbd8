import type { NotedColumn, ColumnKind, ColumnRole } from "../../rows/columns.ts";
import { claimsOf, isJudging, isNumeric, type ColumnClaim } from "./column-claims.ts";
import {
  CASE_IDS_IN_DOUBT,
  EXPECTED_LINES,
  JOINING_INPUT,
  NAMES_OF_PARTS,
  plainName,
  TWIN_BEGINNINGS,
  type ChosenPart,
} from "./column-names.ts";
import { NO_VALUE, type ColumnSample } from "./column-sample.ts";
import { COMPOSED_ACTUAL } from "./composed-names.ts";
import { beginsAs, byOutput, isActualOfBare, isActualOfPair, isVerdictOfOutput } from "./names-in-doubt.ts";
import { mayNameCases, nameEach } from "./ids.ts";
import { holdsScores, roleOfOther, roleOfScoreName, metricGroups, metricRole } from "./other-columns.ts";

/** A column and its role; undefined where it has no telling name, and no value yet. */
export interface DecidedColumn extends Omit<NotedColumn, "kind" | "role"> {
  readonly kind: ColumnKind;
  readonly role: ColumnRole | undefined;
}

/** What was chosen for a part. */
interface Choice {
  readonly name: string;
  /** The line in the table of names. */
  readonly line: number;
  /** False where there are only columns with keys, such as `inputs.question`. */
  readonly hasWhole: boolean;
}

const IDS_IN_DOUBT: ReadonlySet<string> = new Set(CASE_IDS_IN_DOUBT.map(plainName));
const ACTUAL: ReadonlySet<string> = new Set(COMPOSED_ACTUAL.flat().map(plainName));
// Columns whose names only begin as that of a part.
const BEGINNING = -1;
// What an answer or a label is depends on the outputs, so they are chosen first.
const OTHERS = NAMES_OF_PARTS.map(([part]) => part).filter((part) => part !== "outputs" && part !== "expected");

/** What the columns of a table are, by their names and by what stands in them, in whatever order they come. */
export class ColumnRoles {
  readonly #samples: readonly ColumnSample[];
  readonly #byPlainName: ReadonlyMap<string, ColumnSample>;
  readonly #metrics: ReadonlySet<string>;
  readonly #chosen = new Map<ChosenPart, Choice>();
  readonly #roles = new Map<string, ColumnRole>();
  readonly #passedOver = new Map<string, NonNullable<NotedColumn["passedOver"]>>();
  readonly #scoreKeys = new Set<string>();
  readonly #names = new Set<string>();

  constructor(samples: readonly ColumnSample[]) {
    this.#samples = samples;
    this.#byPlainName = new Map(samples.map((sample) => [plainName(sample.name), sample]));
    this.#metrics = metricGroups(samples);
    this.#takeTwins();
    const claims = samples.flatMap((sample) => this.#claimsOf(sample)).toSorted(byTable);
    this.#choose("outputs", claims);
    this.#takeBeginnings("outputs", samples);
    this.#chooseExpected(claims);
    for (const part of OTHERS) this.#choose(part, claims);
    this.#takeOthers(samples);
  }

  /** The columns, in the order in which they came. */
  get decided(): readonly DecidedColumn[] {
    return this.#samples.map((sample) => this.#decided(sample));
  }

  /** A column that begins behind those that were seen: it takes nothing away from them. */
  late(sample: ColumnSample): DecidedColumn {
    for (const claim of this.#claimsOf(sample)) this.#take(claim);
    for (const part of ["outputs", "expected"] as const) this.#takeBeginnings(part, [sample]);
    this.#takeOthers([sample]);
    return this.#decided(sample);
  }

  #decided({ name, kind, inner, texts }: ColumnSample): DecidedColumn {
    return { name, kind, inner, texts, role: this.#roles.get(name), passedOver: this.#passedOver.get(name) };
  }

  #claimsOf(sample: ColumnSample): readonly ColumnClaim[] {
    return metricRole(sample, this.#metrics) === undefined ? claimsOf(sample) : [];
  }

  /** `expected…` leaves no doubt. Of all other names the values decide. */
  #chooseExpected(claims: readonly ColumnClaim[]): void {
    const mine = claims.filter(({ part, sample }) => {
      return part === "expected" && !this.#roles.has(sample.name) && this.#isMeant(sample, part);
    });
    const { sure, unsure } = EXPECTED_LINES;
    this.#choose(
      "expected",
      mine.filter(({ line }) => line < sure),
    );
    const others = byOutput(
      mine.filter(({ line }) => line >= sure),
      this.#output,
    );
    // Names that mean other things as well come behind those that only begin as `expected_city` does.
    if (!mine.some(({ line }) => line < unsure)) this.#takeBeginnings("expected", this.#samples);
    this.#choose("expected", others);
  }

  get #output(): ColumnSample | undefined {
    const { name } = this.#chosen.get("outputs") ?? {};
    return name === undefined ? undefined : this.#byPlainName.get(plainName(name));
  }

  #choose(part: ChosenPart, claims: readonly ColumnClaim[]): void {
    const mine = claims.filter((claim) => claim.part === part);
    // An empty column is taken where there is no other; but the outputs may be missing in each row that was seen.
    const isEmpty = ({ sample }: ColumnClaim) => part !== "outputs" && sample.kind === "nothing";
    for (const claim of mine) if (!isEmpty(claim)) this.#take(claim);
    for (const claim of mine) if (isEmpty(claim)) this.#take(claim);
  }

  #take({ sample, part, line, key, role }: ColumnClaim): void {
    const { name } = sample;
    if (this.#roles.has(name) || !this.#isMeant(sample, part)) return;
    const choice = this.#chosen.get(part);
    const isWhole = key === undefined;
    if (choice === undefined) this.#chosen.set(part, { name, line, hasWhole: isWhole });
    else {
      const isBeside = choice.line === line && !(isWhole && choice.hasWhole);
      const isJoining = choice.line === 0 && plainName(name) === JOINING_INPUT;
      if (!isBeside && !isJoining) {
        this.#passedOver.set(name, { part, taken: choice.name });
        return;
      }
      if (isWhole) this.#chosen.set(part, { ...choice, hasWhole: true });
    }
    this.#passedOver.delete(name);
    this.#roles.set(name, role);
  }

  /** Whether a name that has more than one meaning has this one here. */
  #isMeant(sample: ColumnSample, part: ChosenPart): boolean {
    const plain = plainName(sample.name);
    if (part === "outputs" && plain === "result") return this.#isResult(sample);
    if (part === "id" && IDS_IN_DOUBT.has(plain)) return this.#namesCases(sample);
    if (part === "outputs")
      return !isActualOfPair(plain, this.#byPlainName) && !isActualOfBare(plain, this.#byPlainName);
    if (part !== "expected") return true;
    if (isVerdictOfOutput(sample, this.#output)) return false;
    const outputs = this.#chosen.get("outputs");
    switch (plain) {
      case "answer":
        // Beside a final answer it may be all that the model wrote.
        return outputs !== undefined && outputs.line !== BEGINNING && !plainName(outputs.name).startsWith("final");
      case "actual":
        return outputs !== undefined && plainName(outputs.name).startsWith("predict");
      case "label":
        return outputs !== undefined && this.#isLabel(sample);
      default:
        return !ACTUAL.has(plain) || isActualOfPair(plain, this.#byPlainName);
    }
  }

  #namesCases(sample: ColumnSample): boolean {
    const inputs = this.#byPlainName.get(plainName(this.#chosen.get("inputs")?.name ?? ""));
    if (inputs === undefined) return true;
    if (!mayNameCases(sample, inputs)) return false;
    // Of fewer ids than inputs, one has several: then another column that names each row names the cases.
    const isOther = (other: ColumnSample) =>
      other !== sample &&
      other.facts.isUnique &&
      claimsOf(other).some(({ part }) => part === "id") &&
      other.facts.count >= sample.facts.count;
    return nameEach(sample, inputs) || !this.#samples.some(isOther) || this.#samples.some(isRepetition);
  }

  /** A result may be what the judge says: a verdict, or a number where no number is expected. */
  #isResult(sample: ColumnSample): boolean {
    if (isJudging(sample)) return false;
    if (!isNumeric(sample.kind)) return true;
    return this.#samples.some((other) => {
      return other !== sample && isNumeric(other.kind) && claimsOf(other).some(({ part }) => part === "expected");
    });
  }

  /** A label may also be what a judge says, with an explanation; or a class, where the output is one. */
  #isLabel(sample: ColumnSample): boolean {
    if (isJudging(sample) || this.#byPlainName.has("explanation")) return false;
    const output = this.#output;
    return output === undefined || !isNumeric(output.kind) || isNumeric(sample.kind);
  }

  /** What a case and its prediction have both; where there is no prediction, the case has it under its plain name. */
  #takeTwins(): void {
    const names = new Set(this.#samples.map(({ name }) => name));
    for (const name of names) {
      if (!name.startsWith(TWIN_BEGINNINGS.expected)) continue;
      const key = name.slice(TWIN_BEGINNINGS.expected.length);
      const prediction = `${TWIN_BEGINNINGS.outputs}${key}`;
      if (key === "" || !names.has(prediction)) continue;
      for (const wanted of [name, key]) if (names.has(wanted)) this.#roles.set(wanted, { part: "expected", key });
      this.#roles.set(prediction, { part: "outputs", key });
      this.#chosen.set("expected", { name, line: 0, hasWhole: false });
      this.#chosen.set("outputs", { name: prediction, line: 0, hasWhole: false });
    }
  }

  #takeBeginnings(part: "expected" | "outputs", samples: readonly ColumnSample[]): void {
    const choice = this.#chosen.get(part);
    if (choice !== undefined && choice.line !== BEGINNING) return;
    for (const sample of samples) {
      if (
        this.#roles.has(sample.name) ||
        this.#passedOver.has(sample.name) ||
        !beginsAs(part, sample, this.#byPlainName)
      )
        continue;
      this.#roles.set(sample.name, { part, key: undefined });
      this.#chosen.set(part, { name: sample.name, line: BEGINNING, hasWhole: false });
    }
  }

  /** Scores, metadata and what is measured: all that no part was chosen for. */
  #takeOthers(samples: readonly ColumnSample[]): void {
    const others = samples.filter(({ name }) => !this.#roles.has(name));
    const roles = others.flatMap((sample) => {
      const role = this.#other(sample);
      return role === undefined ? [] : [{ name: sample.name, role }];
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
    const scores = this.#byPlainName.get("scores");
    if (plainName(name) === "score" && scores !== undefined && scores !== sample && holdsScores(scores)) {
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

function isRepetition(sample: ColumnSample): boolean {
  return claimsOf(sample).some(({ part }) => part === "repetition");
}

function byTable(one: ColumnClaim, other: ColumnClaim): number {
  if (one.line !== other.line) return one.line - other.line;
  if (one.place !== other.place) return one.place - other.place;
  return one.sample.name < other.sample.name ? -1 : 1;
}

/** The roles by names alone, given all names. */
export function rolesOfNames(names: Iterable<string>): (name: string) => ColumnRole | undefined {
  const roles = new ColumnRoles([...new Set(names)].map((name) => ({ ...NO_VALUE, name })));
  const byName = new Map(roles.decided.map(({ name, role }) => [name, role ?? roleOfScoreName(name)]));
  return (name) => byName.get(name);
}
