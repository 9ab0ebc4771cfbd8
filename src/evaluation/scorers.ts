import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isSecretName } from "../contract/secret.ts";
import { describeReadError } from "../files/file-error.ts";
import { isInside } from "../files/inside.ts";
import { isJsonList, isJsonObject } from "../files/json-object.ts";
import { jsonCheck, type JsonCheck } from "../files/json/json-schema.ts";
import { faultyPathIn, filledFrom, parsePath, valueAtPath, type JsonPath } from "../files/json/path.ts";
import { numberIn, receivedValue, writeJsonValue, type JsonObject, type JsonValue } from "../files/json/value.ts";
import { boundedSearch, patternIn } from "../text/bounded-search.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { closest } from "../text/closest.ts";
import { parseDuration } from "../text/duration.ts";
import { jsonOrUndefined, parseJson } from "../text/json-text.ts";
import { listed, quoted, quotedName } from "../text/quoted.ts";
import { ScorerCommand, type ScoringDeps } from "./scorer-command.ts";

/** A trial that is a measurement, as scorers see it. */
export interface ScoredRow {
  /** Unique for a trial. */
  readonly id: string;
  /** Of the dataset. */
  readonly row: JsonObject;
  readonly output: JsonValue | undefined;
  /** The final state. */
  readonly state: JsonValue | undefined;
  readonly toolCalls: readonly ToolCall[];
  readonly runMilliseconds: number | undefined;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
}

export interface ToolCall {
  readonly name: string;
  readonly args: JsonValue;
}

type Verdict =
  /** From 0 to 1. */
  | { readonly score: number; readonly comment?: string }
  /** Why there is no score; broken where the scorer failed, and not the row has nothing to score by. */
  | { readonly missing: string; readonly isBroken: boolean };

export type TrialScore = { readonly key: string } & Verdict;

/** What one or more scores are made by. */
export interface Scorer {
  readonly name: string;
  /** Of its scores. */
  readonly keys: readonly string[];
  readonly definition: JsonObject;
  readonly start: (deps: ScoringDeps) => StartedScorer;
}

interface StartedScorer {
  readonly score: (row: ScoredRow) => Promise<readonly TrialScore[]> | readonly TrialScore[];
  /** Of the files that it scores by. Throws what is wrong with them. */
  readonly contents?: () => Promise<readonly string[]>;
  readonly end?: () => Promise<void>;
}

export type ScorersReading =
  | { readonly ok: true; readonly scorers: readonly Scorer[] }
  | { readonly ok: false; readonly faults: readonly ScorerFault[] };

export interface ScorerFault {
  /** In the definitions: the name of a scorer, then of its option. */
  readonly path: readonly string[];
  /** A clause that follows the path. */
  readonly message: string;
}

/** Reads the definitions of scorers by their names. */
export function readScorers(given: JsonObject): ScorersReading {
  const scorers: Scorer[] = [];
  const faults: ScorerFault[] = [];
  for (const [name, definition] of Object.entries(given)) {
    const read = readScorer(name, definition);
    if ("start" in read) scorers.push(read);
    else faults.push(...read.map(({ path, message }) => ({ path: [name, ...path], message })));
  }
  const all = scorers.flatMap(({ keys }) => keys);
  for (const { name, keys } of scorers) {
    const twice = keys.find((key) => all.indexOf(key) !== all.lastIndexOf(key));
    if (twice !== undefined) faults.push({ path: [name], message: `makes the score ${quoted(twice)}, as another does` });
  }
  return faults.length === 0 ? { ok: true, scorers } : { ok: false, faults };
}

function readScorer(name: string, definition: JsonValue): Scorer | readonly ScorerFault[] {
  if (!isJsonObject(definition)) return [{ path: [], message: "must be a scorer, for example `{ equals: $.answer }`" }];
  const written = Object.keys(definition);
  const [kind, other] = written.filter((key) => KINDS.has(key));
  if (other !== undefined) return [{ path: [other], message: `stands beside ${quotedName(kind ?? "")}; set one of them` }];
  const read = KINDS.get(kind ?? "")?.read;
  if (read) return read(name, definition);
  for (const key of written) {
    const near = closest(key, KINDS.keys());
    if (near !== undefined) return [{ path: [key], message: `is no kind of scorer; did you mean \`${near}\`?` }];
  }
  return [{ path: [], message: `has no kind of scorer; the kinds are ${listed([...KINDS.keys()], { conjunction: "and" })}` }];
}

/** Scores the trials of an evaluation; what it starts ends when it is disposed of. */
export class Scoring implements AsyncDisposable {
  readonly #started: readonly { readonly scorer: Scorer; readonly started: StartedScorer }[];

  constructor(scorers: readonly Scorer[], deps: ScoringDeps) {
    this.#started = scorers.map((scorer) => ({ scorer, started: scorer.start(deps) }));
  }

  /** Of the definitions and the files that they name, in hex. Throws ScorerError where one of these cannot be used. */
  async digest(): Promise<string> {
    const parts: Record<string, unknown> = {};
    for (const { scorer, started } of this.#started) {
      try {
        parts[scorer.name] = [scorer.definition, (await started.contents?.()) ?? []];
      } catch (error) {
        throw new ScorerError(scorer.name, error);
      }
    }
    return hash("sha256", canonicalJson(parts), "hex");
  }

  /** A score for each key, in the order of the scorers. */
  async score(row: ScoredRow): Promise<readonly TrialScore[]> {
    const scores = this.#started.map(async ({ scorer, started }) => {
      try {
        return await started.score(row);
      } catch (error) {
        // An answer may be nested deeper than the stack.
        return scorer.keys.map((key) => ({ key, ...broken(`the scorer failed: ${reasonOf(error)}`) }));
      }
    });
    return (await Promise.all(scores)).flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map(({ started }) => started.end?.()));
  }
}

/** A scorer cannot be used, because of what it names. */
export class ScorerError extends GraphDeployError {
  readonly code = "SCORER";

  constructor(name: string, cause: unknown) {
    super(`The scorer ${quoted(name)} cannot be used: ${reasonOf(cause)}.`, { cause });
  }
}

function reasonOf(error: unknown): string {
  return describeReadError(error) ?? (error instanceof Error ? error.message : String(error));
}

const wrong = (comment: string): Verdict => ({ score: 0, comment });
const none = (missing: string): Verdict => ({ missing, isBroken: false });
const broken = (missing: string): Verdict => ({ missing, isBroken: true });
const right = (isRight: boolean): Verdict => ({ score: isRight ? 1 : 0 });

/** A kind of scorer: what it scores by stands at its name in the definition, beside its options. */
function kind<Options extends z.ZodRawShape>(
  word: string,
  wanted: z.ZodType,
  options: Options,
  make: (made: Made<z.output<z.ZodObject<Options>>>) => Pick<Scorer, "start"> & Partial<Scorer>,
) {
  const shape = z.strictObject({ [word]: wanted, ...options });
  const read = (name: string, definition: JsonObject): Scorer | readonly ScorerFault[] => {
    const { error } = shape.safeParse(definition);
    if (error) return error.issues.flatMap((issue) => faultsOf(issue, Object.keys(shape.shape)));
    const made = { name, wanted: definition[word] ?? null, options: z.object(options).parse(definition) };
    return { name, keys: [name], definition, ...make(made) };
  };
  return { word, shape, read };
}

interface Made<Options> {
  readonly name: string;
  readonly wanted: JsonValue;
  readonly options: Options;
}

function faultsOf(issue: z.core.$ZodIssue, known: readonly string[]): readonly ScorerFault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path.map(String), message: issue.message }];
  return issue.keys.map((key) => {
    const near = closest(key, known);
    const hint = near === undefined ? `known are ${listed(known, { conjunction: "and" })}` : `did you mean \`${near}\`?`;
    return { path: [key], message: `is not known; ${hint}` };
  });
}

type Judge = (row: ScoredRow) => Promise<Verdict> | Verdict;

function scoredBy(name: string, judge: Judge): Pick<Scorer, "start"> {
  return { start: () => ({ score: async (row) => [{ key: name, ...(await judge(row)) }] }) };
}

/** Compares what is expected of the row with its output, or with what stands at a path of its final state. */
function comparison<Options extends { readonly of?: JsonPath | undefined }>(
  compare: (expected: JsonValue, seen: JsonValue, options: Options) => Verdict,
) {
  return ({ name, wanted, options }: Made<Options>) =>
    scoredBy(name, (row) => {
      const expected = expectedOf(row, wanted);
      if (!expected.ok) return none(expected.reason);
      const seen = seenIn(row, options.of);
      return seen.ok ? compare(expected.value, seen.value, options) : wrong(seen.reason);
    });
}

type Found = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

function expectedOf({ row }: ScoredRow, wanted: JsonValue): Found {
  const filled = filledFrom(row, wanted);
  if (!filled.ok) return { ok: false, reason: `the row has nothing at ${filled.path}` };
  // Datasets have null in place of what nobody wrote down.
  return filled.value === null ? { ok: false, reason: "the row has null for what is expected" } : filled;
}

function seenIn({ state = null, output }: ScoredRow, of: JsonPath | undefined): Found {
  const value = of ? valueAtPath(state, of)?.value : output;
  if (value !== undefined) return { ok: true, value };
  return { ok: false, reason: of ? `the final state has nothing at ${of.text}` : "the run has no output" };
}

const contains = (isRight: (held: number, all: number) => boolean) =>
  comparison<TextOptions & OfState>((expected, seen, options) => {
    const texts = isJsonList(expected) ? expected : [expected];
    if (texts.length === 0) return none("the list of what is expected is empty");
    const text = comparedText(seen, options);
    const held = texts.filter((each) => text.includes(comparedText(each, options)));
    return right(isRight(held.length, texts.length));
  });

const matches = (isWanted: boolean) =>
  comparison<OfState>((expected, seen) => {
    const pattern = patternIn(textOf(expected));
    if (!pattern) return broken(`${quoted(textOf(expected))} ${NO_PATTERN}`);
    const search = boundedSearch(() => pattern.test(textOf(seen)));
    return search ? right(search.found === isWanted) : broken(`the output cannot be searched for ${pattern.source} in 2 s`);
  });

const number = comparison<OfState & { readonly within?: number | string | undefined }>((expected, seen, options) => {
  const [wanted, given] = [numberOf(expected), numberOf(seen)];
  if (wanted === undefined) return broken("what is expected is no number");
  if (given === undefined) return wrong("the output is no number");
  const within = String(options.within ?? 0);
  const most = Number.parseFloat(within) * (within.endsWith("%") ? Math.abs(wanted) / 100 : 1);
  // 0.4 is within 0.1 of 0.3, and not so as doubles.
  return right(Math.abs(given - wanted) <= most + 4 * Number.EPSILON * Math.abs(wanted));
});

const below = (of: (row: ScoredRow) => number | undefined, unknown: string) => {
  return ({ name, wanted }: Made<unknown>) => {
    const limit = (typeof wanted === "string" ? parseDuration(wanted) : numberIn(wanted)) ?? 0;
    return scoredBy(name, (row) => {
      const value = of(row);
      return value === undefined ? none(unknown) : right(value < limit);
    });
  };
};

const jsonSchema = ({ name, wanted, options: { of } }: Made<OfState>): Pick<Scorer, "start"> => ({
  start: ({ workspace }) => {
    let loading: Promise<{ readonly text: string; readonly check: JsonCheck }> | undefined;
    const load = async () => {
      const text = typeof wanted === "string" ? await contentOf(wanted, workspace) : writeJsonValue(wanted);
      return { text, check: await jsonCheck(jsonOrUndefined(text)) };
    };
    const judge: Judge = async (row) => {
      const { check } = await (loading ??= load());
      const seen = seenIn(row, of);
      if (!seen.ok) return wrong(seen.reason);
      const held = typeof seen.value === "string" ? jsonOrUndefined(seen.value) : undefined;
      const search = boundedSearch(() => check(held ?? receivedValue(seen.value)));
      if (!search) return broken("the output cannot be checked by the schema in 2 s");
      return search.found === "" ? right(true) : wrong(search.found);
    };
    return { ...scoredBy(name, judge), contents: async () => [(await (loading ??= load())).text] };
  },
});

const command = ({ name, wanted, options }: Made<z.output<typeof COMMAND_OPTIONS>>): Pick<Scorer, "keys" | "start"> => {
  const { keys = [name], env = [], timeout = 60_000 } = options;
  const line = textOf(wanted);
  return {
    keys,
    start: (deps) => {
      const asked = new ScorerCommand({ command: line, env, timeoutMilliseconds: timeout }, deps);
      return {
        score: async ({ id, row, output = null, state = null, toolCalls, runMilliseconds, tokens, cost }) => {
          const facts = { run_ms: runMilliseconds ?? null, tokens: tokens ?? null, cost: cost ?? null };
          const tool_calls = toolCalls.map((call) => ({ ...call }));
          const answer = await asked.ask(id, { row, output, state, tool_calls, ...facts });
          return answer.ok ? scoresIn(answer.scores, keys) : keys.map((key) => ({ key, ...broken(answer.reason) }));
        },
        // A word that is no file of the workspace is the name of a program or an option.
        contents: async () => {
          const words = line.split(/[\s"']+/).map((word) => contentOf(word, deps.workspace).catch(() => ""));
          return Promise.all(words);
        },
        end: async () => asked.end(),
      };
    },
  };
};

/** What a command says of a row: a list of `{"key", "score", "comment"}`. */
function scoresIn(answer: JsonObject, keys: readonly string[]): readonly TrialScore[] {
  const list = isJsonList(answer["scores"]) ? answer["scores"] : [];
  const scores = new Map(list.map((each) => isJsonObject(each) ? [each["key"] ?? (keys.length === 1 ? keys[0]) , each]));
}
