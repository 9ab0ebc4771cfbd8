import { anyText } from "../../contract/argument-shapes.ts";
import { checkCall } from "../../contract/call-arguments.ts";
import { countText } from "../../text/number.ts";
import { listed } from "../../text/quoted.ts";
import { COST, LATENCY, MEASURES } from "../cases/case-set.ts";
import { scoreKey, scoreName } from "../cases/metric-key.ts";
import { unsureCount } from "./counted-yes-no.ts";
import { GatesError, type GateFault } from "./errors.ts";
import type { Token } from "./line-cursor.ts";
import { readRule, type NamedPlaces } from "./rule-parser.ts";
import { COUNTERS, numberIn, type NamedMetric, type Rule, type RuleFilter, type Vocabulary } from "./rule.ts";
import { written } from "../cases/written-name.ts";
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
      else if (reading !== undefined) faults.push(reading.fault);
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
  /** The whole line. */
  readonly line: string;
}

function whole(message: string): GateFault {
  return { line: 1, text: "", at: 0, length: 0, message, hint: undefined };
}

/** What is wrong with the names of a rule; `asWritten` has the name that the line has. */
function faultsOf({ rule, places, line }: ReadRule, vocabulary: Vocabulary, asWritten = rule): readonly GateFault[] {
  const { metrics, keys, unscored = new Set<string>() } = vocabulary;
  const faults: GateFault[] = [];
  const fault = ({ at, length }: Token, message: string, hint: string) => {
    faults.push({ line: rule.line, text: line, at, length, message, hint });
  };
  for (const key of places.filters) {
    if (!keys.has(key.text)) fault(key, "filters by a key that no case has", namesHint(key.text, [...keys]));
  }
  if (faults.length === 0 && vocabulary.isEmpty(rule.filters)) {
    const [alone] = rule.filters.flatMap((filter, at) => (vocabulary.isEmpty([filter]) ? { filter, at } : []));
    const hint =
      alone === undefined
        ? "no case has all of these values"
        : valuesHint(alone.filter, vocabulary.valuesOf(alone.filter.key));
    fault(places.filters[alone?.at ?? 0] ?? places.value, "filters out every case", hint);
  }
  const vacuousFaults = (of: NamedMetric | undefined) => {
    const vacuity = vacuityOf(rule, of);
    if (vacuity?.isCertain === true) fault(places.test, vacuity.message, vacuity.hint);
    return faults;
  };
  const { value, test } = rule;
  if (value.of === "counter") {
    const unit = test.by === "number" ? test.number.unit : "";
    const isPercentage = unit === "%" || unit === "pp";
    if (unit !== "" && !(isPercentage && value.counter === "error_rate")) {
      const what = isPercentage ? "a percentage" : unit === MONEY ? "an amount of money" : "a time";
      fault(places.test, `compares a count with ${what}`, `write \`${value.counter} = 0\``);
    }
    const unsure = unsureCount(value.counter, vocabulary);
    if (unsure?.isAll === true) fault(places.value, unsure.message, unsure.hint);
    return faults.length > 0 ? faults : vacuousFaults(undefined);
  }
  const metric = metrics.get(value.metric);
  const name = writtenMetric(value.metric);
  const [isTime, isCost] = [value.metric === LATENCY, value.metric === COST];
  // Nothing is known of its values, and the rule is incomplete.
  if (unscored.has(value.metric)) return faults;
  if (metric === undefined) {
    fault(
      places.value,
      "does not name a metric or a counter",
      namesHint(value.metric, [...metrics.keys(), ...unscored, ...COUNTERS]),
    );
    return faults;
  }
  const number = numberIn(test);
  const isMoney = number?.unit === MONEY;
  if (asWritten.value !== value && (number?.isTime === true || isMoney)) {
    fault(
      places.value,
      `is about the ${isMoney ? "cost" : "time"} that was measured, and no row has one: only a score has this name`,
      `write ${name} in quotes for the score, and the number alone`,
    );
    return faults;
  }
  if (isMoney && !isCost) {
    fault(places.test, "has a unit of money, which its metric does not have", `write the number alone for \`${name}\``);
  }
  if (number?.isTime === true && !isTime) {
    fault(
      places.test,
      "has a unit of time, which its metric does not have",
      `write the number alone, in the unit of \`${name}\``,
    );
  }
  if (number?.isTime === false && isTime && !number.isRelative && test.by !== "not-worse") {
    fault(places.test, "has a time without a unit", "write 3s or 250ms");
  }
  if (test.by !== "number" && metric.isDirectionUnsure === true) {
    fault(
      places.value,
      "is compared, and its name does not say whether more of it is better",
      `give its direction, \`${scoreName(value.metric)}: lower\` or \`${scoreName(value.metric)}: higher\``,
    );
    return faults;
  }
  const harm = metric.direction === "higher" ? "drop" : "rise";
  if (test.by === "point" && test.word !== harm) {
    fault(
      places.test,
      `limits a ${test.word}, but ${metric.direction} is better for \`${name}\``,
      `write \`${name} ${harm} <= …\``,
    );
  }
  if (test.by === "not-worse" && metric.kind === "positive" && !test.margin.isRelative) {
    fault(places.test, "is compared as a ratio", `write its margin in percent, as in \`${name} not worse by 10%\``);
  }
  return faults.length > 0 ? faults : vacuousFaults(metric);
}

function valuesHint({ key, operator, text }: RuleFilter, values: readonly string[]): string {
  if (operator === "=") return namesHint(text, values);
  return `the values of \`${written(key)}\` are ${listed(values, { conjunction: "and", most: MOST_VALUES })}`;
}
