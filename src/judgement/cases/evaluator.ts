import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { isJsonList } from "../../files/json-object.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { listed } from "../../text/quoted.ts";
import { digestOf } from "./case-table.ts";

/** What scored a run, as far as it is stated. */
export interface Evaluator {
  /** By name, such as `judge_model`; a long value is its digest, and several of the rows are a list. */
  readonly evaluator?: JsonObject | undefined;
  /** One digest of all that the metadata of the experiment state: snapshots of the first version have only this. */
  readonly evaluatorDigest?: string | undefined;
}

const DIGEST = "evaluator_digest";
// A row may hold a verdict or a reason under the name `judge`.
const ROW_KEYS = [
  ...[DIGEST, "evaluator", "evaluators", "evaluator_version", "evaluator_versions", "scorer", "scorers"],
  ...["score_versions", "judge_model", "judge_prompt", "judge_prompt_digest", "judge_version"],
];
const KEYS = [...ROW_KEYS, "judge"];
const LONGEST_VALUE = 200;

/** The evaluator that the metadata of an experiment state. */
export function statedEvaluator(metadata: JsonObject): Evaluator {
  const stated = KEYS.flatMap((key) => {
    const value = metadata[key];
    return value === undefined || value === null || value === "" ? [] : [[key, value] as const];
  });
  if (stated.length === 0) return {};
  return {
    evaluator: Object.fromEntries(stated.map(([key, value]) => [key, shortValue(value)])),
    evaluatorDigest: digestStated(metadata),
  };
}

/** As the first version of snapshots has it. */
function digestStated({ [DIGEST]: digest, ...metadata }: JsonObject): string {
  if (typeof digest === "number" || (typeof digest === "string" && digest !== "")) return String(digest);
  const parts = KEYS.flatMap((key) => {
    const value = metadata[key];
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  return digestOf(canonicalJson(Object.fromEntries(parts)));
}

/** The evaluator that a caller states: one text, or its parts by name. */
export function givenEvaluator(given: string | JsonObject): Evaluator {
  return statedEvaluator(typeof given === "string" ? { [DIGEST]: given } : given);
}

function shortValue(value: JsonValue): JsonValue {
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text.length <= LONGEST_VALUE ? value : `sha256:${digestOf(text)}`;
}

/** More values of one name are texts of the cases, such as a prompt with the answer in it. */
const MOST_VALUES = 3;
/** What is the same for all rows, whatever they ask. */
const FIXED = /_(?:digest|model|versions?)$/;

/** What the rows of one file, or of several, state of their evaluator, each value by its JSON. */
export class RowEvaluator {
  readonly #values = new Map<string, Map<string, { readonly value: JsonValue; rows: number }>>();

  take(metadata: JsonObject): void {
    for (const key of ROW_KEYS) {
      if (!Object.hasOwn(metadata, key)) continue;
      const given = metadata[key];
      if (given === undefined || given === null || given === "") continue;
      this.#add(key, shortValue(given), 1);
    }
  }

  /** Adds what other rows state. */
  addAll(other: RowEvaluator): void {
    for (const [key, values] of other.#values) for (const { value, rows } of values.values()) this.#add(key, value, rows);
  }

  #add(key: string, value: JsonValue, count: number): void {
    const values = this.#values.get(key) ?? new Map<string, { readonly value: JsonValue; rows: number }>();
    this.#values.set(key, values);
    if (values.size > MOST_VALUES) return;
    const text = canonicalJson(value);
    const known = values.get(text);
    if (known === undefined) values.set(text, { value, rows: count });
    else known.rows += count;
  }

  /** With what the experiment states of the same names. */
  with({ evaluator, evaluatorDigest }: Evaluator): Evaluator {
    const names = new Map(Object.entries(evaluator ?? {}));
    for (const [key, values] of this.#values) {
      const all = [...values.values()];
      const rows = all.reduce((sum, each) => sum + each.rows, 0);
      if (values.size > MOST_VALUES || (!FIXED.test(key) && rows < 2 * values.size)) continue;
      const stated = names.get(key);
      const texts = new Map(all.map(({ value }) => [canonicalJson(value), value]));
      if (stated !== undefined) texts.set(canonicalJson(stated), stated);
      const sorted = [...texts].sort(([one], [two]) => (one < two ? -1 : 1)).map(([, value]) => value);
      names.set(key, sorted.length === 1 && sorted[0] !== undefined ? sorted[0] : sorted);
    }
    return { evaluator: names.size === 0 ? undefined : Object.fromEntries(names), evaluatorDigest };
  }
}

/** How two evaluators compare, where both are known in the same form. */
export interface EvaluatorComparison {
  /** What differs, as in `judge_model: a → b`; empty where nothing does. */
  readonly changes: readonly string[];
  /** Names that only one side states, or all that is stated where nothing can be compared. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** True where nothing of the one could be compared with the other. */
  readonly isUnknown: boolean;
}

const NOTHING: EvaluatorComparison = { changes: [], before: [], now: [], isUnknown: false };

/** Compares what two sides state. What only one side states is unknown on the other, and not a difference. */
export function compareEvaluators(before: Evaluator, now: Evaluator): EvaluatorComparison {
  const [old, current] = [namesOf(before), namesOf(now)];
  if (before.evaluator === undefined || now.evaluator === undefined) {
    const [one, other] = [before.evaluatorDigest, now.evaluatorDigest];
    if (one === undefined || other === undefined) return { ...NOTHING, before: old, now: current, isUnknown: old.length + current.length > 0 };
    return one === other ? NOTHING : { ...NOTHING, changes: [changeText(DIGEST, one, other)] };
  }
  const [from, to] = [before.evaluator, now.evaluator];
  const differing = KEYS.filter((key) => {
    return from[key] !== undefined && to[key] !== undefined && canonicalJson(from[key]) !== canonicalJson(to[key]);
  });
  const changes = differing.map((key) => changeText(key, from[key], to[key]));
  const decides = from[DIGEST] !== undefined && to[DIGEST] !== undefined;
  if (decides) return differing.includes(DIGEST) ? { ...NOTHING, changes } : NOTHING;
  const [onlyBefore, onlyNow] = [old.filter((key) => to[key] === undefined), current.filter((key) => from[key] === undefined)];
  // Both state something, and nothing of it is the same.
  if (onlyBefore.length === old.length) {
    const all = [...onlyBefore, ...onlyNow];
    return { ...NOTHING, changes: all.map((key) => changeText(key, from[key], to[key])) };
  }
  return { changes, before: onlyBefore, now: onlyNow, isUnknown: false };
}

function namesOf({ evaluator, evaluatorDigest }: Evaluator): readonly string[] {
  if (evaluator !== undefined) return KEYS.filter((key) => evaluator[key] !== undefined);
  return evaluatorDigest === undefined ? [] : [DIGEST];
}

function changeText(key: string, from: JsonValue | undefined, to: JsonValue | undefined): string {
  return `\`${key}: ${valueText(from)} → ${valueText(to)}\``;
}

const LONGEST_SHOWN = 40;

/** A value on one line. */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return "not stated";
  if (isJsonList(value)) return listed(value.map(valueText), { conjunction: "and" });
  const text = (typeof value === "string" ? value : canonicalJson(value))
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("`", "'");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…` : text;
}
