import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { isSecretName } from "../contract/secret.ts";
import { describeReadError } from "../files/file-error.ts";
import { isInside } from "../files/inside.ts";
import { isJsonList, isJsonObject } from "../files/json-object.ts";
import {
  areCallsAsExpected,
  ARGUMENT_MODES,
  CALL_MODES,
  comparedText,
  expectedCalls,
  isAsExpected,
  numberOf,
  textOf,
  type CallOptions,
  type TextOptions,
} from "../files/json/comparison.ts";
import { jsonCheck, type JsonCheck } from "../files/json/json-schema.ts";
import { faultyPathIn, filledFrom, parsePath, valueAtPath, type JsonPath } from "../files/json/path.ts";
import { numberIn, receivedValue, writeJsonValue, type JsonObject, type JsonValue } from "../files/json/value.ts";
import { boundedSearch, patternIn } from "../text/bounded-search.ts";
import { closest } from "../text/closest.ts";
import { parseDuration } from "../text/duration.ts";
import { jsonOrUndefined } from "../text/json-text.ts";
import { listed, nameList, quoted } from "../text/quoted.ts";
import type { ScoredRow, Scorer, ScoringDeps, StartedScorer, Verdict } from "./evaluation.ts";
import { ScorerCommand } from "./scorer-command.ts";

export interface ScorerFault {
  /** In the definitions: the name of a scorer, then of its option. */
  readonly path: readonly string[];
  /** A clause that follows the path. */
  readonly message: string;
}

interface Made<Options> {
  readonly name: string;
  readonly wanted: JsonValue;
  readonly options: Options;
}

/** A kind of scorer: what it scores by stands at its word in the definition, beside its options. */
function kind<Options extends z.ZodRawShape>(
  word: string,
  faultOf: (wanted: JsonValue) => string,
  options: Options,
  make: (made: Made<z.output<z.ZodObject<Options, z.core.$strict>>>) => Pick<Scorer, "start"> & Partial<Scorer>,
) {
  const known = Object.keys(options);
  const read = (name: string, definition: JsonObject): Scorer | readonly ScorerFault[] => {
    const { [word]: wanted = null, ...beside } = definition;
    const fault = faultOf(wanted);
    const { data, error } = z.strictObject(options).safeParse(beside);
    if (fault === "" && data) return { name, keys: [name], definition, ...make({ name, wanted, options: data }) };
    const faults: ScorerFault[] = fault === "" ? [] : [{ path: [word], message: fault }];
    for (const issue of error?.issues ?? []) {
      if (issue.code !== "unrecognized_keys") faults.push({ path: issue.path.map(String), message: issue.message });
      else for (const key of issue.keys) faults.push({ path: [key], message: unknownOption(key, known) });
    }
    return faults;
  };
  return { word, read, shape: z.strictObject({ [word]: z.unknown(), ...options }) };
}

function unknownOption(key: string, known: readonly string[]): string {
  const near = closest(key, known);
  return `is not known; ${near === undefined ? `known are ${listed(known, { conjunction: "and" })}` : `did you mean \`${near}\`?`}`;
}

const wrong = (comment: string): Verdict => ({ score: 0, comment });
const none = (missing: string): Verdict => ({ missing, isBroken: false });
const broken = (missing: string): Verdict => ({ missing, isBroken: true });
const right = (isRight: boolean): Verdict => ({ score: isRight ? 1 : 0 });

function scoredBy(name: string, judge: (row: ScoredRow) => Promise<Verdict> | Verdict): Pick<Scorer, "start"> {
  return {
    start: () => ({
      score: async (row) => [{ key: name, ...(await judge(row)) }],
      contents: () => Promise.resolve([]),
      end: () => Promise.resolve(),
    }),
  };
}

interface OfState {
  readonly of?: JsonPath | undefined;
}

/** Compares what the row expects with the output, or with what stands at a path of the final state. */
function comparison<Options extends OfState>(
  compare: (expected: JsonValue, seen: JsonValue, options: Options) => Verdict,
) {
  return ({ name, wanted, options }: Made<Options>) =>
    scoredBy(name, (row) => {
      const found = expectedOf(row.row, wanted);
      if (!found.ok) return none(found.reason);
      const seen = seenIn(row, options);
      return seen.ok ? compare(found.value, seen.value, options) : wrong(seen.reason);
    });
}

function expectedOf(row: JsonObject, wanted: JsonValue) {
  const filled = filledFrom(row, wanted);
  if (!filled.ok) return { ok: false, reason: `the row has nothing at ${filled.path}` } as const;
  // Datasets have null in place of what nobody wrote down.
  return filled.value === null ? ({ ok: false, reason: "the row has null for what is expected" } as const) : filled;
}

function seenIn({ state = null, output }: ScoredRow, { of }: OfState) {
  const value = of ? valueAtPath(state, of)?.value : output;
  if (value !== undefined) return { ok: true, value } as const;
  return { ok: false, reason: of ? `the final state has nothing at ${of.text}` : "the run has no output" } as const;
}

const contains = (isRight: (held: number, all: number) => boolean) =>
  comparison<OfState & TextOptions>((expected, seen, options) => {
    const texts = isJsonList(expected) ? expected : [expected];
    if (texts.length === 0) return none("the list of what is expected is empty");
    const text = comparedText(seen, options);
    const held = texts.filter((each) => text.includes(comparedText(each, options)));
    return right(isRight(held.length, texts.length));
  });

const matches = (isWanted: boolean) =>
  comparison<OfState>((expected, seen) => {
    const written = textOf(expected);
    const pattern = patternIn(written);
    if (!pattern) return broken(`${quoted(written)} ${PATTERN_FAULT}`);
    const search = boundedSearch(() => pattern.test(textOf(seen)));
    return search
      ? right(search.found === isWanted)
      : broken(`it cannot be searched for ${quoted(written)} within 2 s`);
  });

const toolCalls = ({ name, wanted, options }: Made<CallOptions>) =>
  scoredBy(name, ({ row, toolCalls: calls }) => {
    const found = expectedOf(row, wanted);
    if (!found.ok) return none(found.reason);
    const list = expectedCalls(found.value);
    if (!list) return broken("what is expected is not a list of calls with `name` and `args`");
    return areCallsAsExpected(list, calls, options)
      ? right(true)
      : wrong(`it called ${nameList(calls.map((call) => call.name)) || "nothing"}`);
  });

const below = (of: (row: ScoredRow) => number | undefined, unknown: string) => {
  return ({ name, wanted }: Made<unknown>) => {
    const limit = typeof wanted === "string" ? parseDuration(wanted) : numberIn(wanted);
    return scoredBy(name, (row) => {
      const value = of(row);
      return value === undefined || limit === undefined ? none(unknown) : right(value < limit);
    });
  };
};

const jsonSchema = ({ name, wanted, options }: Made<OfState>): Pick<Scorer, "start"> => ({
  start: (deps) => {
    let loading: Promise<{ readonly text: string; readonly check: JsonCheck }> | undefined;
    const load = async () => {
      const text = typeof wanted === "string" ? await contentOf(wanted, deps) : writeJsonValue(wanted);
      return { text, check: await jsonCheck(text) };
    };
    const judged = scoredBy(name, async (row) => {
      const { check } = await (loading ??= load());
      const seen = seenIn(row, options);
      if (!seen.ok) return wrong(seen.reason);
      const held = typeof seen.value === "string" ? jsonOrUndefined(seen.value) : receivedValue(seen.value);
      // The patterns of a schema are regular expressions.
      const search = boundedSearch(() => check(held ?? seen.value));
      if (!search) return broken("the output cannot be checked by the schema within 2 s");
      return search.found === "" ? right(true) : wrong(search.found);
    });
    return { ...judged.start(deps), contents: async () => [(await (loading ??= load())).text] };
  },
});

const command = ({ name, wanted, options }: Made<z.output<typeof CommandOptions>>) => {
  const { keys = [name], env = [], timeout = 60_000 } = options;
  const line = textOf(wanted);
  const start = (deps: ScoringDeps): StartedScorer => {
    const process = new ScorerCommand({ command: line, keys, env, timeoutMilliseconds: timeout }, deps);
    return {
      score: async (row) => process.score(row),
      contents: async () => {
        process.variables();
        // A word that names no file is a program or an option.
        return Promise.all(line.split(/[\s"']+/).map(async (word) => contentOf(word, deps).catch(() => "")));
      },
      end: async () => process.end(),
    };
  };
  return { keys, start };
};

async function contentOf(name: string, { workspace }: ScoringDeps): Promise<string> {
  const path = resolve(workspace, name);
  if (!isInside(workspace, path)) throw new Error(`${quoted(name)} is outside of the workspace`);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`${quoted(name)} ${describeReadError(cause) ?? "cannot be read"}`, { cause });
  }
}

const PATTERN_FAULT = "is not a valid regular expression; write /PATTERN/flags (flags: imsu)";
const PATH_FAULT = "must be a path, for example $.messages[-1].content";
const DURATION_FAULT = "must be a duration, for example 90s, 4s or 0.5s";

/** What is wrong with what a definition expects; empty where it is a path, or has the form. */
const expected = (form: string, hasForm: (wanted: JsonValue) => boolean) => (wanted: JsonValue) => {
  const faulty = faultyPathIn(wanted);
  if (faulty !== undefined) return `has ${quoted(faulty)}, which is not a valid path`;
  const isPath = typeof wanted === "string" && parsePath(wanted) !== undefined;
  return isPath || (wanted !== null && hasForm(wanted)) ? "" : `must be ${form}, or its path in the row, as $.answer`;
};

const flag = z.boolean({ error: "must be true or false" }).optional();
const names = z.array(z.string().min(1), { error: "must be a list of names" });
const ofState = {
  of: z
    .string({ error: PATH_FAULT })
    .refine((text) => parsePath(text) !== undefined, { error: PATH_FAULT })
    .transform((text) => parsePath(text))
    .optional(),
};
const asText = { ...ofState, trim: flag, "ignore-case": flag, squeeze: flag };
const CommandOptions = z.strictObject({
  env: z.array(z.string().refine(isSecretName), { error: "must be a list of names of variables" }).optional(),
  keys: names.min(1).optional(),
  timeout: z
    .string({ error: DURATION_FAULT })
    .refine((text) => (parseDuration(text) ?? 0) > 0, { error: DURATION_FAULT })
    .transform((text) => parseDuration(text))
    .optional(),
});

const isTextual = (wanted: JsonValue): boolean => ["number", "string"].includes(typeof wanted);
const aTextOrTexts = expected("a text or a list of texts", (wanted) =>
  isJsonList(wanted) ? wanted.length > 0 && wanted.every(isTextual) : isTextual(wanted),
);
const aPattern = expected(
  "a regular expression, /PATTERN/flags (flags: imsu)",
  (wanted) => patternIn(textOf(wanted)) !== undefined,
);
const aDuration = (wanted: JsonValue) =>
  typeof wanted === "string" && (parseDuration(wanted) ?? 0) > 0 ? "" : DURATION_FAULT;
const aLimit = (wanted: JsonValue) => ((numberIn(wanted) ?? 0) > 0 ? "" : "must be a number above 0");

/** All kinds of scorers. */
export const SCORER_KINDS = [
  kind(
    "equals",
    expected("what is expected", () => true),
    asText,
    comparison((wanted, seen, options) => right(isAsExpected(wanted, seen, options))),
  ),
  kind(
    "one-of",
    expected("a list", (wanted) => isJsonList(wanted) && wanted.length > 0),
    asText,
    comparison((wanted, seen, options) => {
      if (!isJsonList(wanted)) return broken("what is expected is not a list");
      return right(wanted.some((one) => isAsExpected(one, seen, options)));
    }),
  ),
  kind(
    "contains-all",
    aTextOrTexts,
    asText,
    contains((held, all) => held === all),
  ),
  kind(
    "contains-any",
    aTextOrTexts,
    asText,
    contains((held) => held > 0),
  ),
  kind(
    "contains-none",
    aTextOrTexts,
    asText,
    contains((held) => held === 0),
  ),
  kind("matches", aPattern, ofState, matches(true)),
  kind("not-matches", aPattern, ofState, matches(false)),
  kind(
    "json-schema",
    (wanted) =>
      isJsonObject(wanted) || (typeof wanted === "string" && wanted !== "")
        ? ""
        : "must be the path of a file, or a JSON schema",
    ofState,
    jsonSchema,
  ),
  kind(
    "number",
    expected("a number", (wanted) => numberOf(wanted) !== undefined),
    {
      ...ofState,
      within: z
        .union([z.number().min(0), z.string().regex(/^\d+(?:\.\d+)?\s*%$/)], {
          error: "must be a number or a percentage, for example 0.5 or 1%",
        })
        .optional(),
    },
    comparison((wanted, seen, { within = 0 }) => {
      const [number, given] = [numberOf(wanted), numberOf(seen)];
      if (number === undefined) return broken("what is expected is not a number");
      if (given === undefined) return wrong("the output is not a number");
      const most = typeof within === "number" ? within : (Number.parseFloat(within) / 100) * Math.abs(number);
      // As doubles, 0.4 is more than 0.1 above 0.3.
      return right(Math.abs(given - number) <= most + 4 * Number.EPSILON * Math.abs(number));
    }),
  ),
  kind(
    "tool-calls",
    expected("a list of calls with `name` and `args`", (wanted) => expectedCalls(wanted) !== undefined),
    {
      mode: z.enum(CALL_MODES, { error: `must be one of ${listed(CALL_MODES)}` }).optional(),
      arguments: z.enum(ARGUMENT_MODES, { error: `must be one of ${listed(ARGUMENT_MODES)}` }).optional(),
    },
    toolCalls,
  ),
  kind(
    "latency-below",
    aDuration,
    {},
    below(({ runMilliseconds }) => runMilliseconds, "no time of the run is known"),
  ),
  kind(
    "tokens-below",
    aLimit,
    {},
    below(({ tokens }) => tokens, "no tokens of the run are known"),
  ),
  kind(
    "cost-below",
    aLimit,
    {},
    below(({ cost }) => cost, "no cost of the run is known"),
  ),
  kind(
    "command",
    (wanted) => (typeof wanted === "string" && wanted.trim() !== "" ? "" : "must be a command line"),
    CommandOptions.shape,
    command,
  ),
];
