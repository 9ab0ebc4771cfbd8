import { canonicalJson } from "../../text/canonical-json.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { isJsonList, isJsonObject, type JsonValue, numberIn, receivedValue, writeJsonValue } from "./value.ts";

/** Of the content of a message in parts, those that are text; of any other value that is no text, its JSON. */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (!isJsonList(value)) return writeJsonValue(value);
  const texts = value.flatMap((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : []));
  return texts.length > 0 || value.length === 0 ? texts.join("") : writeJsonValue(value);
}

/** What of a text does not count. */
export interface TextOptions {
  readonly "ignore-case"?: boolean | undefined;
  /** White space counts as one blank. */
  readonly squeeze?: boolean | undefined;
  readonly trim?: boolean | undefined;
}

/** What of the text of a value counts. */
export function comparedText(value: JsonValue, { trim, squeeze, "ignore-case": ignoreCase }: TextOptions): string {
  let text = textOf(value);
  if (squeeze === true) text = text.replaceAll(/\s+/gu, " ");
  if (trim === true) text = text.trim();
  return ignoreCase === true ? text.toLowerCase() : text;
}

/** An expected text is compared as text; any other value with the JSON that the seen one is, or holds as a text. */
export function isAsExpected(expected: JsonValue, seen: JsonValue, options: TextOptions = {}): boolean {
  if (typeof expected === "string") return comparedText(expected, options) === comparedText(seen, options);
  const json = typeof seen === "string" ? jsonOrUndefined(seen) : seen;
  return json !== undefined && canonicalJson(expected) === canonicalJson(json);
}

/** The JSON that a value is, or holds as a text; undefined for a text that holds none. */
export function heldJson(value: JsonValue): unknown {
  return typeof value === "string" ? jsonOrUndefined(value) : receivedValue(value);
}

/** The number that a value is, or that its text is; undefined for any other. */
export function numberOf(value: JsonValue): number | undefined {
  const text = typeof value === "string" || isJsonList(value) ? textOf(value) : "";
  return NUMBER.test(text) ? Number(text) : numberIn(value);
}

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

export interface ToolCall {
  readonly name: string;
  readonly args: JsonValue;
}

/** Without `args` all arguments are as expected. */
export type ExpectedCall = Pick<ToolCall, "name"> & Partial<ToolCall>;

export const CALL_MODES = ["exact", "in-order", "any-order", "subset", "superset"] as const;
export const ARGUMENT_MODES = ["exact", "subset", "ignore"] as const;

/** Calls that stand in JSON as `{"name", "args"}`, or as a name alone; undefined for anything else. */
export function expectedCalls(value: JsonValue): readonly ExpectedCall[] | undefined {
  if (!isJsonList(value)) return undefined;
  const calls = value.flatMap((call): ExpectedCall[] => {
    if (typeof call === "string") return [{ name: call }];
    if (!isJsonObject(call) || typeof call["name"] !== "string") return [];
    const { name, args } = call;
    return [args === undefined ? { name } : { name, args }];
  });
  return calls.length === value.length ? calls : undefined;
}

export interface CallOptions {
  readonly mode?: (typeof CALL_MODES)[number] | undefined;
  readonly arguments?: (typeof ARGUMENT_MODES)[number] | undefined;
}

/** Whether the calls are those that were expected; each call stands for one of the others at most. */
export function areCallsAsExpected(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  { mode = "exact", arguments: how = "exact" }: CallOptions,
): boolean {
  const fits: Fits = (wanted, call) => {
    if (wanted.name !== call.name) return false;
    if (wanted.args === undefined || how === "ignore") return true;
    return how === "subset"
      ? isPartOf(wanted.args, call.args)
      : canonicalJson(wanted.args) === canonicalJson(call.args);
  };
  switch (mode) {
    case "exact":
      return expected.length === calls.length && inOrder(expected, calls, fits) === expected.length;
    case "in-order":
      return inOrder(expected, calls, fits) === expected.length;
    case "any-order":
      return expected.length === calls.length && pairs(expected, calls, fits) === calls.length;
    case "subset":
      return pairs(expected, calls, fits) === calls.length;
    case "superset":
      return pairs(expected, calls, fits) === expected.length;
  }
}

/** True where each member of the part, at any depth of objects, is in the whole. */
function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (!isJsonObject(part) || !isJsonObject(whole)) return canonicalJson(part) === canonicalJson(whole);
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isPartOf(value, whole[key] ?? null));
}

type Fits = (wanted: ExpectedCall, call: ToolCall) => boolean;

/** How many of the expected calls were made, one behind the other. */
function inOrder(expected: readonly ExpectedCall[], calls: readonly ToolCall[], fits: Fits): number {
  let count = 0;
  for (const call of calls) {
    const next = expected[count];
    if (next && fits(next, call)) count++;
  }
  return count;
}

/** How many fit together at most, by augmenting paths (Kuhn): a call may be left to another that nothing else fits. */
function pairs(expected: readonly ExpectedCall[], calls: readonly ToolCall[], fits: Fits): number {
  const takers = new Map<number, ExpectedCall>();
  const take = (wanted: ExpectedCall, seen: Set<number>): boolean =>
    calls.some((call, at) => {
      if (seen.has(at) || !fits(wanted, call)) return false;
      seen.add(at);
      const taker = takers.get(at);
      if (taker && !take(taker, seen)) return false;
      takers.set(at, wanted);
      return true;
    });
  return expected.filter((wanted) => take(wanted, new Set())).length;
}
