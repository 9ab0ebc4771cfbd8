import { closest } from "../../text/closest.ts";
import { listed } from "../../text/quoted.ts";
import { scoreKey, written } from "../cases/metric-key.ts";
import type { GateFault } from "./errors.ts";
import { LineCursor, LineFault, type Token } from "./line-cursor.ts";
import {
  parseNumber,
  UNITS,
  COUNTERS,
  OPERATORS,
  STATISTICS,
  type Rule,
  type RuleFilter,
  type RuleNumber,
  type RuleTest,
  type RuleValue,
} from "./rule.ts";

/** Where in its line each name of a rule stands, for errors about names. */
export interface NamedPlaces {
  readonly value: Token;
  readonly test: Token;
  readonly filters: readonly Token[];
}

/** A line that holds a rule, or what is wrong with it; undefined for one without a rule. */
export type LineReading =
  | { readonly ok: true; readonly rule: Rule; readonly places: NamedPlaces }
  | { readonly ok: false; readonly fault: GateFault };

/** Reads one line of gates; `line` counts from 1. */
export function readRule(text: string, line: number): LineReading | undefined {
  try {
    const cursor = new LineCursor(text);
    if (cursor.isEmpty) return undefined;
    const first = cursor.peek() ?? cursor.end();
    const isWarning = cursor.takes("warn:");
    const { of: value, token } = readValue(cursor);
    const { filters, keys } = cursor.takes("[")
      ? readFilters(cursor, [...OPERATORS, "!="], "a key of the metadata", "the closing bracket of the filter")
      : { filters: [], keys: [] };
    const testToken = cursor.peek() ?? cursor.end();
    const test = readTest(cursor, value, token);
    needsEnd(cursor);
    return {
      ok: true,
      rule: { text: cursor.textOf(first, cursor.end()), line, isWarning, value, filters, test },
      places: { value: token, test: testToken, filters: keys },
    };
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    return { ok: false, fault: { line, text, ...error.fault } };
  }
}

const TESTS = "a test, as in `accuracy >= 0.9`, `accuracy drop <= 0.02` or `accuracy not regressed`";

const WARN = /^warn(?:ing)?:?$/;
const WARN_FIRST = "write `warn:` first, as in `warn: accuracy not regressed`";

function needsEnd(cursor: LineCursor): void {
  const rest = cursor.peek();
  if (!rest) return;
  const { text, kind } = rest;
  const number = cursor.last?.text ?? "";
  const whole = `${number}${text}`;
  let hint = "write each rule on its own line";
  if (WARN.test(text)) hint = WARN_FIRST;
  else if (kind === "name" && cursor.left === 1 && parseNumber(number)?.unit === "") {
    hint = parseNumber(whole) ? `write \`${whole}\` without a space` : `the units are ${UNITS}`;
  }
  cursor.fail(rest, `continues after its rule: \`${text}\``, hint);
}

function readValue(cursor: LineCursor): { readonly of: RuleValue; readonly token: Token } {
  const token = cursor.name("a metric or a counter");
  if (cursor.takes("(")) {
    const statistic = STATISTICS.find((name) => name === token.text);
    if (statistic === undefined) {
      const near = closest(token.text, STATISTICS);
      const all = `there are ${listed(STATISTICS, { conjunction: "and" })}`;
      const hint = near === undefined ? all : `did you mean \`${near}\`?`;
      cursor.fail(token, `has an unknown statistic \`${token.text}\``, hint);
    }
    const metric = cursor.name("a metric");
    cursor.checkQuotes(metric, [")"]);
    cursor.needs(")", "the closing bracket of the metric");
    return { of: { of: "metric", metric: keyOf(metric), statistic }, token: metric };
  }
  const counter = token.isQuoted ? undefined : COUNTERS.find((name) => name === token.text);
  if (counter !== undefined) return { of: { of: "counter", counter }, token };
  return { of: { of: "metric", metric: keyOf(token), statistic: "mean" }, token };
}

/** In quotes it is always a score. */
function keyOf({ text, isQuoted }: Token): string {
  return isQuoted ? scoreKey(text) : text;
}

/** Reads filters behind their opening bracket, and the bracket that closes them. */
export function readFilters(
  cursor: LineCursor,
  operators: readonly RuleFilter["operator"][],
  what: string,
  end: string,
): { readonly filters: readonly RuleFilter[]; readonly keys: readonly Token[] } {
  const filters: RuleFilter[] = [];
  const keys: Token[] = [];
  do {
    const key = cursor.name(what);
    cursor.checkQuotes(key, [...operators, "!="]);
    const operator = cursor.operator(operators);
    filters.push({ key: key.text, operator, text: readFilterText(cursor, operator) });
    keys.push(key);
  } while (cursor.takes(","));
  cursor.needs("]", end);
  return { filters, keys };
}

/** Words up to the next comma or bracket, as they stand there. */
function readFilterText(cursor: LineCursor, operator: RuleFilter["operator"]): string {
  const first = cursor.name("a value");
  const isOrder = operator !== "=" && operator !== "!=";
  const number = isOrder ? parseNumber(first.text) : undefined;
  if (isOrder && !number) {
    cursor.fail(first, `compares with \`${first.text}\`, which is not a number`, "write `=` or `!=` for a text");
  }
  if (number && number.unit !== "") {
    cursor.fail(first, `compares with \`${first.text}\`, and metadata have no unit`, "write the number alone");
  }
  if (first.isQuoted) return first.text;
  let last = first;
  for (let token = cursor.peek(); token?.kind === "name" && !token.isQuoted; token = cursor.peek())
    last = cursor.take(token);
  return cursor.textOf(first, last);
}

function readTest(cursor: LineCursor, value: RuleValue, named: Token): RuleTest {
  const token = cursor.peek();
  if (!token) cursor.fail(named, "lacks its test", `add ${TESTS}`);
  if (token.kind === "symbol")
    return { by: "number", operator: cursor.operator(OPERATORS), number: readNumber(cursor) };
  cursor.take(token);
  const word = token.text;
  if (word !== "drop" && word !== "rise" && word !== "not") {
    cursor.fail(token, `has no test: \`${word}\``, wordHint(cursor, token, named));
  }
  if (value.of === "counter") {
    cursor.fail(token, "is a count, which can only be compared with a number", `write \`${value.counter} = 0\``);
  }
  if (word !== "not") {
    cursor.operator(["<="]);
    return { by: "point", word, most: readSize(cursor, `${word} <= 0.02`) };
  }
  return readBurden(cursor, token, value);
}

/** What was meant by a word that stands where the test of a rule does. */
function wordHint(cursor: LineCursor, { text: word }: Token, named: Token): string {
  const { text: name, isQuoted } = named;
  if (WARN.test(name) && !isQuoted) return WARN_FIRST;
  if (isStatistic(word)) {
    const said = `write \`${word}(${written(name)})\``;
    try {
      cursor.operator(OPERATORS);
      readNumber(cursor);
      needsEnd(cursor);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      // What else is wrong with the line.
      if (error.fault.hint !== undefined) return `${said}; ${error.fault.hint}`;
    }
    return said;
  }
  if (isStatistic(name) && !isQuoted) return `write \`${name}(${written(word)})\``;
  const near = closest(word, ["drop", "rise", "not"]) ?? closest(`${name}_${word}`, COUNTERS);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const whole = cursor.quoted(named);
  return isQuoted || !cursor.peek() ? `write ${TESTS}` : `quote a name with a space: \`${whole}\``;
}

function isStatistic(word: string): boolean {
  return STATISTICS.some((name) => name === word);
}

function readBurden(cursor: LineCursor, not: Token, value: RuleValue & { readonly of: "metric" }): RuleTest {
  const token = cursor.peek();
  const text = value.metric;
  if (value.statistic !== "mean") {
    cursor.fail(not, "tests a change, and only that of a mean can be tested", `write \`${text} not regressed\``);
  }
  if (token?.text === "regressed") {
    cursor.take(token);
    return { by: "not-regressed" };
  }
  if (token?.text !== "worse") {
    cursor.fail(
      token ?? not,
      "has no test after `not`",
      `write \`${text} not regressed\` or \`${text} not worse by 0.02\``,
    );
  }
  cursor.take(token);
  const example = `${text} not worse by 0.02`;
  const by = cursor.peek();
  const at = cursor.peek(1);
  if (by?.text !== "by" || !at) {
    const hint = `as in \`${example}\`; without one write \`${text} not regressed\``;
    cursor.fail(by?.text === "by" ? by : token, "lacks its margin", hint);
  }
  cursor.take(by);
  const margin = readSize(cursor, example);
  if (margin.value === 0) cursor.fail(at, "has a margin of 0, which no result can rule out", `as in \`${example}\``);
  return { by: "not-worse", margin };
}

/** A number that is not negative; a percentage is a part of what the baseline has. */
function readSize(cursor: LineCursor, example: string): RuleNumber {
  const token = cursor.name("a number", example);
  const number = parseNumber(token.text);
  if (!number || token.isQuoted) cursor.fail(token, `has an invalid number \`${token.text}\``, `as in \`${example}\``);
  if (number.value < 0)
    cursor.fail(token, "has a negative number", "write the allowed loss as a positive number, such as 0.02");
  return { ...number, isRelative: number.unit === "%" };
}

function readNumber(cursor: LineCursor): RuleNumber {
  const token = cursor.name("a number");
  const number = token.isQuoted ? undefined : parseNumber(token.text);
  if (!number) cursor.fail(token, `has an invalid number \`${token.text}\``, "write 0.9, 90%, 3s, 250ms or $0.05");
  return { ...number, isRelative: false };
}
