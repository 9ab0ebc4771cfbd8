import * as z from "zod";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, writeJsonValue } from "../files/json/value.ts";
import {
  areCallsAsExpected,
  ARGUMENT_MODES,
  CALL_MODES,
  comparedText,
  expectedCalls,
  heldJson,
  isAsExpected,
  numberOf,
  textOf,
} from "../files/json/comparison.ts";
import { jsonCheck, type JsonCheck } from "../files/json/json-schema.ts";
import { faultyPathIn, filledFrom, parsePath, valueAtPath, type JsonPath } from "../files/json/path.ts";
import { boundedSearch, patternIn } from "../text/bounded-search.ts";
import { closest } from "../text/closest.ts";
import { parseDuration } from "../text/duration.ts";
import { listed, nameList, quoted } from "../text/quoted.ts";
import type { ScoredRow, Scorer, Verdict } from "./scorer.ts";
import { command, commandFault, CommandOptions, contentOf } from "./scorer-command.ts";

export interface ScorerFault {
  /** In the definitions: the name of a scorer, then of its option. */
  readonly path: readonly string[];
  /** A clause that follows the path. */
  readonly message: string;
}

/** A kind of scorer: what it scores by stands at its word in the definition, beside its options. */
interface Kind {
  readonly word: string;
  readonly read: (name: string, definition: JsonObject) => Scorer | readonly ScorerFault[];
}

type Shape<Options> = z.ZodType<Options> & { readonly shape: z.ZodRawShape };

function kind<Options extends object>(
  word: string,
  faultOf: (wanted: JsonValue) => string,
  shape: Shape<Options>,
  make: (name: string, wanted: JsonValue, options: Options) => Pick<Scorer, "start"> & Partial<Pick<Scorer, "keys">>,
): Kind {
  const read = (name: string, definition: JsonObject): Scorer | readonly ScorerFault[] => {
    const { [word]: wanted = null, ...beside } = definition;
    const fault = faultOf(wanted);
    const { data, error } = shape.safeParse(beside);
    if (fault === "" && data) return { name, keys: [name], definition, ...make(name, wanted, data) };
    const faults: ScorerFault[] = fault === "" ? [] : [{ path: [word], message: fault }];
    for (const issue of error?.issues ?? []) {
      if (issue.code !== "unrecognized_keys") faults.push({ path: issue.path.map(String), message: issue.message });
      else faults.push(...issue.keys.map((key) => ({ path: [key], message: unknown(key, Object.keys(shape.shape)) })));
    }
    return faults;
  };
  return { word, read };
}

function unknown(key: string, known: readonly string[]): string {
  const near = closest(key, known);
  if (near !== undefined) return `is not known; did you mean \`${near}\`?`;
  return known.length === 0
    ? "is not known; this kind has no options"
    : `is not known; known are ${listed(known, { conjunction: "and" })}`;
}

const none = (missing: string): Verdict => ({ missing, isBroken: false });
const broken = (missing: string): Verdict => ({ missing, isBroken: true });
const right = (isRight: boolean, comment = ""): Verdict =>
  isRight || comment === "" ? { score: isRight ? 1 : 0 } : { score: 0, comment };

function scoredBy(name: string, judge: (row: ScoredRow) => Promise<Verdict> | Verdict): Pick<Scorer, "start"> {
  const score = async (row: ScoredRow) => [{ key: name, ...(await judge(row)) }];
  return { start: () => ({ score, contents: () => Promise.resolve([]), end: () => Promise.resolve() }) };
}

/** What a scorer can expect: a value of this form, or a path in the row that leads to one. */
interface Form<Value> {
  readonly says: string;
  readonly read: (given: JsonValue) => Value | undefined;
}

/** A kind that compares what the row expects with anything of the row. */
function byRow<Value, Options extends object>(
  word: string,
  { says, read }: Form<Value>,
  shape: Shape<Options>,
  judge: (expected: Value, row: ScoredRow, options: Options) => Verdict,
): Kind {
  const faultOf = (wanted: JsonValue) => {
    const faulty = faultyPathIn(wanted);
    if (faulty !== undefined) return `has ${quoted(faulty)}, which is not a valid path`;
    if (typeof wanted === "string" && parsePath(wanted)) return "";
    return read(wanted) !== undefined ? "" : `must be ${says}, or its path in the row, as $.answer`;
  };
  return kind(word, faultOf, shape, (name, wanted, options) =>
    scoredBy(name, (row) => {
      const filled = filledFrom(row.row, wanted);
      if (!filled.ok) return none(`the row has nothing at ${filled.path}`);
      const expected = read(filled.value);
      if (expected !== undefined) return judge(expected, row, options);
      // Datasets have null in place of what nobody wrote down, where it is not a value like any other.
      return filled.value === null ? none("the row has null for it") : broken(`what is expected is not ${says}`);
    }),
  );
}

const PATH_FAULT = "must be a path, for example $.messages[-1].content";
const OfState = z.strictObject({
  of: z
    .string({ error: PATH_FAULT })
    .refine((text) => parsePath(text) !== undefined, { error: PATH_FAULT })
    .transform((text) => parsePath(text))
    .optional(),
});

/** The output, or what stands at a path of the final state; where there is neither, what that means. */
function seenIn({ state, output }: ScoredRow, of: JsonPath | undefined): { readonly value: JsonValue } | Verdict {
  // As in results that are scored again.
  if (of && state === undefined) return none("the final state was not kept");
  const value = of && state !== undefined ? valueAtPath(state, of)?.value : output;
  if (value !== undefined) return { value };
  return right(false, of ? `the final state has nothing at ${of.text}` : "the run has no output");
}

/** A kind that compares what the row expects with its output. An output that is not there is a wrong one. */
function byOutput<Value, Options extends z.output<typeof OfState>>(
  word: string,
  form: Form<Value>,
  shape: Shape<Options>,
  judge: (expected: Value, seen: JsonValue, options: Options) => Verdict,
): Kind {
  return byRow(word, form, shape, (expected, row, options) => {
    const seen = seenIn(row, options.of);
    return "value" in seen ? judge(expected, seen.value, options) : seen;
  });
}

const flag = z.boolean({ error: "must be true or false" }).optional();
const AsText = OfState.extend({ trim: flag, "ignore-case": flag, squeeze: flag });
const WITHIN_FAULT = "must be a number or a percentage, as 0.5 or 1%";
const within = z
  .union([z.number(), z.string()], { error: WITHIN_FAULT })
  .refine((given) => (typeof given === "number" ? given >= 0 : /^\d+(?:\.\d+)?\s*%$/.test(given)), {
    error: WITHIN_FAULT,
  })
  .optional();
const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: `must be one of ${listed(words)}` }).optional();

const texts: Form<readonly JsonValue[]> = {
  says: "a text or a list of texts",
  read: (given) => {
    const list = isJsonList(given) ? given : [given];
    return list.every((each) => ["number", "string"].includes(typeof each)) ? list : undefined;
  },
};

const contains = (word: string, scoreOf: (held: number, all: number) => number): Kind =>
  byOutput(word, texts, AsText, (expected, seen, options) => {
    if (expected.length === 0) return none("the list of what is expected is empty");
    const text = comparedText(seen, options);
    const held = expected.filter((each) => text.includes(comparedText(each, options)));
    return { score: scoreOf(held.length, expected.length) };
  });

const pattern: Form<RegExp> = {
  says: "a regular expression, /PATTERN/flags (flags: imsu)",
  read: (given) => (typeof given === "string" ? patternIn(given) : undefined),
};

const matches = (word: string, isWanted: boolean): Kind =>
  byOutput(word, pattern, OfState, (expected, seen) => {
    const search = boundedSearch(() => expected.test(textOf(seen)));
    if (!search) return broken(`the output cannot be searched for ${quoted(String(expected))} within 2 s`);
    return right(search.found === isWanted);
  });

const below = (word: string, form: Form<number>, what: string, of: (row: ScoredRow) => number | undefined): Kind =>
  byRow(word, form, z.strictObject({}), (limit, row) => {
    const value = of(row);
    return value === undefined ? none(`no ${what} of the run is known`) : right(value < limit);
  });

const positive: Form<number> = {
  says: "a number above 0",
  read: (given) => ((numberOf(given) ?? 0) > 0 ? numberOf(given) : undefined),
};
const span: Form<number> = {
  says: "a duration, for example 90s, 4s or 0.5s",
  read: (given) => (typeof given === "string" ? parseDuration(given) : undefined),
};

const schemaFault = (wanted: JsonValue) =>
  isJsonObject(wanted) || (typeof wanted === "string" && wanted !== "") ? "" : "must be a JSON schema, or its file";

const jsonSchema = (name: string, wanted: JsonValue, { of }: z.output<typeof OfState>): Pick<Scorer, "start"> => ({
  start: (deps) => {
    let loading: Promise<{ readonly text: string; readonly check: JsonCheck }> | undefined;
    const load = async () => {
      const text = typeof wanted === "string" ? await contentOf(wanted, deps) : writeJsonValue(wanted);
      return { text, check: await jsonCheck(text) };
    };
    const judged = scoredBy(name, async (row) => {
      const { check } = await (loading ??= load());
      const seen = seenIn(row, of);
      if (!("value" in seen)) return seen;
      // The patterns of a schema are regular expressions.
      const search = boundedSearch(() => check(heldJson(seen.value) ?? seen.value));
      if (!search) return broken("the output cannot be checked by the schema within 2 s");
      return right(search.found === "", search.found);
    });
    return { ...judged.start(deps), contents: async () => [(await (loading ??= load())).text] };
  },
});

export const SCORER_KINDS: readonly Kind[] = [
  byOutput("equals", { says: "a value", read: (given) => given }, AsText, (expected, seen, options) =>
    right(isAsExpected(expected, seen, options)),
  ),
  byOutput(
    "one-of",
    { says: "a list", read: (given) => (isJsonList(given) ? given : undefined) },
    AsText,
    (expected, seen, options) => right(expected.some((one) => isAsExpected(one, seen, options))),
  ),
  // The share, so that an answer that names most of them counts.
  contains("contains-all", (held, all) => held / all),
  contains("contains-any", (held) => Math.min(held, 1)),
  contains("contains-none", (held) => 1 - Math.min(held, 1)),
  matches("matches", true),
  matches("not-matches", false),
  byOutput(
    "number",
    { says: "a number", read: numberOf },
    OfState.extend({ within }),
    (expected, seen, { within: most = 0 }) => {
      const given = numberOf(seen);
      if (given === undefined) return right(false, "the output is not a number");
      const distance = typeof most === "number" ? most : (Number.parseFloat(most) / 100) * Math.abs(expected);
      // As doubles, 0.4 is more than 0.1 above 0.3.
      return right(Math.abs(given - expected) <= distance + 4 * Number.EPSILON * Math.abs(expected));
    },
  ),
  byRow(
    "tool-calls",
    { says: "a list of calls, each a name or { name, args }", read: expectedCalls },
    z.strictObject({ mode: oneOf(CALL_MODES), arguments: oneOf(ARGUMENT_MODES) }),
    (expected, { toolCalls }, options) =>
      right(
        areCallsAsExpected(expected, toolCalls, options),
        `it called ${nameList(toolCalls.map(({ name }) => name)) || "no tool"}`,
      ),
  ),
  below("latency-below", span, "time", ({ runMilliseconds }) => runMilliseconds),
  below("tokens-below", positive, "count of tokens", ({ tokens }) => tokens),
  below("cost-below", positive, "cost", ({ cost }) => cost),
  kind("json-schema", schemaFault, OfState, jsonSchema),
  kind("command", commandFault, CommandOptions, command),
];
