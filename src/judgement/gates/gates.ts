import { anyText, checkCall } from "../../contract/call-arguments.ts";
import { countText } from "../../text/number.ts";
import { listed } from "../../text/quoted.ts";
import { COST, LATENCY, MEASURES } from "../cases/case-set.ts";
import { scoreKey, scoreName, written } from "../cases/metric-key.ts";
import { GatesError, type GateFault } from "./errors.ts";
import type { Token } from "./line-cursor.ts";
import { readRule, type NamedPlaces } from "./rule-parser.ts";
import {
  countsYesNo,
  COUNTERS,
  numberIn,
  type Counter,
  type NamedMetric,
  type Rule,
  type RuleValue,
  type Vocabulary,
} from "./rule.ts";
import { namesHint, writtenMetric } from "./suggestion.ts";
import { vacuityOf } from "./vacuous.ts";

// Each rule is a line of the log and of the summary.
const MOST_RULES = 200;
const LONGEST_TEXT = 64 * 1024;
const MOST_VALUES = 8;
const MONEY = "$";

/** Gates as they were written: rules whose names are not checked yet. */
export class Gates {
  readonly #rules: readonly ReadRule[];

  private constructor(rules: readonly ReadRule[]) {
    this.#rules = rules;
  }

  /** Reads one rule from each line; `#` begins a comment. Throws GatesError with all faults. */
  static parse(text: string): Gates {
    checkCall("Gates.parse", { text: [anyText, text] });
    if (text.length > LONGEST_TEXT) {
      throw new GatesError([
        whole(`have ${countText(text.length)} characters; at most ${countText(LONGEST_TEXT)} are allowed`),
      ]);
    }
    const rules: ReadRule[] = [];
    const faults: GateFault[] = [];
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const reading = readRule(line, index + 1);
      if (reading?.ok === true) rules.push({ ...reading, line });
      else if (reading) faults.push(reading.fault);
    }
    if (rules.length > MOST_RULES) {
      faults.unshift(whole(`have ${countText(rules.length)} rules; at most ${countText(MOST_RULES)} are allowed`));
    }
    if (faults.length > 0) throw new GatesError(faults);
    return new Gates(rules);
  }

  /** True without a rule: the text is empty, or has comments alone. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The rules as they were written: whether there is such a metric is not checked. */
  get written(): readonly Rule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  /** The rules, if all their names are known and fit their tests. Throws GatesError with all faults. */
  rules(vocabulary: Vocabulary): readonly Rule[] {
    const { metrics, unscored } = vocabulary;
    const resolved = this.#rules.map((read) => {
      const { value } = read.rule;
      if (value.of !== "metric" || metrics.has(value.metric) || !MEASURES.has(value.metric)) return read;
      // A bare name that nothing was measured for is that of a score.
      const metric = scoreKey(value.metric);
      const isScore = metrics.has(metric) || unscored?.has(metric) === true;
      return isScore ? { ...read, rule: { ...read.rule, value: { ...value, metric } } } : read;
    });
    const faults = resolved.flatMap((read, at) => faultsOf(read, vocabulary, this.#rules[at]?.rule));
    if (faults.length > 0) throw new GatesError(faults);
    return resolved.map(({ rule }) => rule);
  }
}

interface ReadRule {
  readonly rule: Rule;
  readonly places: NamedPlaces;
  readonly line: string;
}

function whole(message: string): GateFault {
  return { line: 1, text: "", at: 0, length: 0, message, hint: undefined };
}

/** What is wrong at a place of the line, and what would be right. */
type Wrong = readonly [place: Token, message: string, hint: string];

/** What is wrong with the names of a rule; `asWritten` has the name that the line has. */
function faultsOf(read: ReadRule, vocabulary: Vocabulary, asWritten = read.rule): readonly GateFault[] {
  const { rule, places, line } = read;
  const { value } = rule;
  const wrong = [
    ...wrongFilters(read, vocabulary),
    ...(value.of === "counter"
      ? wrongCounter(value.counter, read, vocabulary)
      : wrongMetric(value, read, vocabulary, asWritten.value !== value)),
  ];
  const metric = value.of === "metric" ? vocabulary.metrics.get(value.metric) : undefined;
  const vacuity = wrong.length === 0 ? vacuityOf(rule, metric) : undefined;
  if (vacuity?.isCertain === true) wrong.push([places.test, vacuity.message, vacuity.hint]);
  return wrong.map(([{ at, length }, message, hint]) => ({ line: rule.line, text: line, at, length, message, hint }));
}

function wrongFilters({ rule: { filters }, places }: ReadRule, vocabulary: Vocabulary): readonly Wrong[] {
  const { keys, isEmpty, valuesOf } = vocabulary;
  const unknown = places.filters.filter(({ text }) => !keys.has(text));
  if (unknown.length > 0) {
    return unknown.map((key) => [key, "filters by a key that no case has", namesHint(key.text, [...keys])]);
  }
  if (!isEmpty(filters)) return [];
  const at = filters.findIndex((filter) => isEmpty([filter]));
  const alone = filters[at];
  let hint = "no case has all of these values";
  if (alone) {
    const values = valuesOf(alone.key);
    const all = listed(values, { conjunction: "and", most: MOST_VALUES });
    hint =
      alone.operator === "=" ? namesHint(alone.text, values) : `the values of \`${written(alone.key)}\` are ${all}`;
  }
  return [[places.filters[Math.max(0, at)] ?? places.value, "filters out every case", hint]];
}

function* wrongCounter(counter: Counter, { rule, places }: ReadRule, vocabulary: Vocabulary): Generator<Wrong> {
  const unit = numberIn(rule.test)?.unit ?? "";
  const isPercentage = unit === "%" || unit === "pp";
  if (unit !== "" && !(isPercentage && counter === "error_rate")) {
    const what = isPercentage ? "a percentage" : unit === MONEY ? "an amount of money" : "a time";
    yield [places.test, `compares a count with ${what}`, `write \`${counter} = 0\``];
  }
  const unsure = unsureCount(counter, vocabulary);
  if (unsure?.isAll === true) yield [places.value, unsure.message, unsure.hint];
}

/** `isRenamed`: the rule is about the score of a name whose measure no row has. */
function* wrongMetric(
  { metric: key }: Extract<RuleValue, { readonly of: "metric" }>,
  { rule: { test }, places }: ReadRule,
  { metrics, unscored = new Set() }: Vocabulary,
  isRenamed: boolean,
): Generator<Wrong> {
  // Nothing is known of its values, and the rule is incomplete.
  if (unscored.has(key)) return;
  const metric = metrics.get(key);
  if (!metric) {
    const hint = namesHint(key, [...metrics.keys(), ...unscored, ...COUNTERS]);
    yield [places.value, "does not name a metric or a counter", hint];
    return;
  }
  const name = writtenMetric(key);
  const number = numberIn(test);
  const isMoney = number?.unit === MONEY;
  if (isRenamed && (number?.isTime === true || isMoney)) {
    const what = isMoney ? "cost" : "time";
    const message = `is about the ${what} that was measured, and no row has one: only a score has this name`;
    yield [places.value, message, `write ${name} in quotes for the score, and the number alone`];
    return;
  }
  if (isMoney && key !== COST) {
    const hint = `write the number alone for \`${name}\``;
    yield [places.test, "has a unit of money, which its metric does not have", hint];
  }
  if (number?.isTime === true && key !== LATENCY) {
    const hint = `write the number alone, in the unit of \`${name}\``;
    yield [places.test, "has a unit of time, which its metric does not have", hint];
  }
  if (number?.isTime === false && key === LATENCY && !number.isRelative && test.by !== "not-worse") {
    yield [places.test, "has a time without a unit", "write 3s or 250ms"];
  }
  if (test.by !== "number" && metric.isDirectionUnsure === true) {
    const hint = `give its direction, \`${scoreName(key)}: lower\` or \`${scoreName(key)}: higher\``;
    yield [places.value, "is compared, and its name does not say whether more of it is better", hint];
    return;
  }
  const harm = metric.direction === "higher" ? "drop" : "rise";
  if (test.by === "point" && test.word !== harm) {
    const message = `limits a ${test.word}, but ${metric.direction} is better for \`${name}\``;
    yield [places.test, message, `write \`${name} ${harm} <= …\``];
  }
  if (test.by === "not-worse" && metric.kind === "positive" && !test.margin.isRelative) {
    const hint = `write its margin in percent, as in \`${name} not worse by 10%\``;
    yield [places.test, "is compared as a ratio", hint];
  }
}

const MOST_NAMES = 8;

/**
 * The yes/no scores whose names do not say whether 1 is better, where a counter counts by them: a clause that follows the
 * rule, and whether there is no other such score.
 */
export function unsureCount(counter: Counter, { metrics }: Pick<Vocabulary, "metrics">) {
  const yesNo = [...metrics].filter(([, { kind }]) => kind === "binary");
  const unsure = yesNo.filter(([, { isDirectionUnsure }]) => isDirectionUnsure === true).map(([key]) => key);
  const [first] = unsure;
  if (first === undefined || !countsYesNo({ of: "counter", counter })) return undefined;
  const names = listed(
    unsure.map((key) => `\`${writtenMetric(key)}\``),
    { conjunction: "and", most: MOST_NAMES },
  );
  return {
    message: `counts by yes/no scores, and the names of some do not say whether 1 is better: ${names}`,
    hint: `give the direction, \`${scoreName(first)}: lower\` or \`${scoreName(first)}: higher\``,
    isAll: unsure.length === yesNo.length,
  };
}

export function unsureCountWarnings(
  rules: readonly Rule[],
  metrics: ReadonlyMap<string, NamedMetric>,
): readonly string[] {
  return rules.flatMap(({ value, text }) => {
    const unsure = value.of === "counter" ? unsureCount(value.counter, { metrics }) : undefined;
    if (!unsure) return [];
    const { message, hint } = unsure;
    return [`The rule \`${text}\` ${message}. 1 is taken as better. To settle it, ${hint}.`];
  });
}
