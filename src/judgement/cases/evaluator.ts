import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { RunOfCases } from "./case-set.ts";
import { digestOf } from "./case-table.ts";

/** What scored a run, as far as it is stated. */
type Stated = Pick<RunOfCases, "evaluator" | "evaluatorDigest" | "evaluatorOfRows">;

const DIGEST = "evaluator_digest";
// A row may hold a verdict or a reason under the name `judge`.
const ROW_KEYS = [
  ...[DIGEST, "evaluator", "evaluators", "evaluator_version", "evaluator_versions", "scorer", "scorers"],
  ...["score_versions", "judge_model", "judge_prompt", "judge_prompt_digest", "judge_version"],
];
const KEYS = [...ROW_KEYS, "judge"];
const LONGEST_VALUE = 200;

export function statedEvaluator(metadata: JsonObject): Stated {
  const stated = KEYS.flatMap((key) => {
    const value = metadata[key];
    return isStated(value) ? [[key, textOf(value)] as const] : [];
  });
  if (stated.length === 0) return {};
  // As the first version of snapshots has it.
  const { [DIGEST]: digest, ...others } = metadata;
  const isDigest = typeof digest === "number" || (typeof digest === "string" && digest !== "");
  const parts = KEYS.flatMap((key) => {
    const value = others[key];
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  const evaluatorDigest = isDigest ? String(digest) : digestOf(canonicalJson(Object.fromEntries(parts)));
  return { evaluator: Object.fromEntries(stated), evaluatorDigest };
}

export function givenEvaluator(given: Stated["evaluator"]): Stated | undefined {
  if (given === undefined) return undefined;
  return typeof given === "object" ? statedEvaluator(given) : { evaluator: given };
}

function isStated(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== "";
}

/** A value as it is kept: a long one, such as a prompt, as its digest. */
function textOf(value: JsonValue): string {
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text.length <= LONGEST_VALUE ? text : `sha256:${digestOf(text)}`;
}

/** More values of one name are texts of the cases, such as a prompt with the answer in it. */
const MOST_VALUES = 3;
/** What is the same for all rows, whatever they ask. */
const FIXED = /_(?:digest|model|versions?)$/;

/** What the rows of one file, or of several, state of their evaluator: how many rows have which value of a name. */
export class RowEvaluator {
  readonly #rows = new Map<string, Map<string, number>>();

  take(metadata: JsonObject): void {
    for (const key of ROW_KEYS) {
      if (!Object.hasOwn(metadata, key)) continue;
      const value = metadata[key];
      if (isStated(value)) this.#add(key, textOf(value), 1);
    }
  }

  addAll(other: RowEvaluator): void {
    for (const [key, values] of other.#rows) for (const [value, rows] of values) this.#add(key, value, rows);
  }

  #add(key: string, value: string, rows: number): void {
    const values = this.#rows.get(key) ?? new Map<string, number>();
    this.#rows.set(key, values);
    if (values.size <= MOST_VALUES) values.set(value, (values.get(value) ?? 0) + rows);
  }

  /** With what the experiment states; several values of one name are a list. */
  with({ evaluator, evaluatorDigest }: Stated): Stated {
    const names = new Map(Object.entries(typeof evaluator === "object" ? evaluator : {}));
    const ofRows: string[] = [];
    for (const [key, values] of this.#rows) {
      const rows = [...values.values()].reduce((sum, count) => sum + count, 0);
      if (values.size > MOST_VALUES || (!FIXED.test(key) && rows < 2 * values.size)) continue;
      const stated = names.get(key);
      if (stated === undefined) ofRows.push(key);
      names.set(key, listText([...values.keys(), ...(stated === undefined ? [] : [stated])]));
    }
    return {
      evaluator: names.size === 0 ? undefined : Object.fromEntries(names),
      evaluatorDigest,
      ...(ofRows.length === 0 ? {} : { evaluatorOfRows: ofRows.sort() }),
    };
  }
}

function listText(values: readonly string[]): string {
  const all = [...new Set(values)].sort();
  return all.length === 1 ? all.join() : JSON.stringify(all);
}

/** The values that `listText` has made one text of. */
function valuesIn(text: string): readonly string[] {
  if (!text.startsWith("[")) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((value) => typeof value === "string") ? list : [text];
  } catch {
    return [text];
  }
}

/** The evaluator of several parts of one run: that of the first, with what the rows of the others state. */
export function joinedEvaluators(parts: readonly Stated[]): Stated {
  const stating = parts.filter(({ evaluator }) => evaluator !== undefined);
  const evaluatorDigest = parts.find((part) => part.evaluatorDigest !== undefined)?.evaluatorDigest;
  const [first] = stating;
  if (typeof first?.evaluator !== "object") return { evaluator: first?.evaluator, evaluatorDigest };
  const names = new Map(Object.entries(first.evaluator));
  const ofRows = new Set(first.evaluatorOfRows);
  for (const { evaluator, evaluatorOfRows = [] } of stating.slice(1)) {
    for (const key of evaluatorOfRows) {
      const [known, text] = [names.get(key), typeof evaluator === "object" ? evaluator[key] : undefined];
      if (text === undefined || (known !== undefined && !ofRows.has(key))) continue;
      ofRows.add(key);
      names.set(key, known === undefined ? text : listText([...valuesIn(known), ...valuesIn(text)]));
    }
  }
  const evaluatorOfRows = [...ofRows].sort();
  return {
    ...{ evaluator: Object.fromEntries(names), evaluatorDigest },
    ...(evaluatorOfRows.length === 0 ? {} : { evaluatorOfRows }),
  };
}

/**
 * Compares what two sides state: `changes` is what differs, as in `judge_model: a → b`; `widened` the same for what only rows
 * state, where all values of one side are there on the other; `ofKinds` the same for what may be of some cases only, and of
 * which the sides have not all values: shards by kind of case. What only one side states, by name in `before` and `now`, is
 * unknown on the other, and not a difference.
 */
export function compareEvaluators(before: Stated, now: Stated) {
  const [from, to] = [namesOf(before), namesOf(now)];
  const [one, other] = [digestOfAll(before), digestOfAll(now)];
  const hasNames = typeof before.evaluator === "object" && typeof now.evaluator === "object";
  // `evaluator_digest` counts alone; a snapshot of the first version has nothing else.
  const isSame = hasNames
    ? from.get(DIGEST) !== undefined && from.get(DIGEST) === to.get(DIGEST)
    : one !== undefined && one === other;
  type Lists = Record<"before" | "changes" | "now" | "ofKinds" | "widened", string[]>;
  const found: Lists = { changes: [], widened: [], ofKinds: [], before: [], now: [] };
  if (isSame) return found;
  if (!hasNames && one !== undefined && other !== undefined) {
    return { ...found, changes: [changeText("evaluator", one, other)] };
  }
  const ofRows = new Set(before.evaluatorOfRows?.filter((key) => now.evaluatorOfRows?.includes(key)));
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [was, is] = [from.get(key), to.get(key)];
    if (was === is) continue;
    if (is === undefined) found.before.push(key);
    else if (was === undefined) found.now.push(key);
    else {
      const [some, others] = [valuesIn(was), valuesIn(is)];
      const isPart = some.every((value) => others.includes(value)) || others.every((value) => some.includes(value));
      const isOfKind = ofRows.has(key) && !FIXED.test(key);
      const list = ofRows.has(key) && isPart ? found.widened : isOfKind ? found.ofKinds : found.changes;
      list.push(changeText(key, was, is));
    }
  }
  return found.changes.length + found.ofKinds.length > 0 ? { ...found, before: [], now: [] } : found;
}

// A map: a snapshot may name anything, such as `constructor`.
function namesOf({ evaluator = {} }: Stated): ReadonlyMap<string, string> {
  return new Map(Object.entries(typeof evaluator === "string" ? { [DIGEST]: evaluator } : evaluator));
}

function digestOfAll({ evaluator, evaluatorDigest }: Stated): string | undefined {
  return typeof evaluator === "string" ? evaluator : evaluatorDigest;
}

function changeText(key: string, from: string | undefined, to: string | undefined): string {
  return `\`${key}: ${valueText(from)} → ${valueText(to)}\``;
}

const LONGEST_SHOWN = 40;

function valueText(value = "not stated"): string {
  const text = shortDigest(value)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("`", "'");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…` : text;
}

/** A digest as long as a reader needs to tell it from another. */
function shortDigest(text: string): string {
  return /^[\da-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

export function evaluatorText({ evaluator, evaluatorDigest = "" }: Stated): string | undefined {
  if (typeof evaluator !== "object") return shortDigest(evaluator ?? evaluatorDigest) || undefined;
  return Object.entries(evaluator)
    .map(([name, text]) => `${name}: ${name === DIGEST ? shortDigest(text) : text}`)
    .join(", ");
}
