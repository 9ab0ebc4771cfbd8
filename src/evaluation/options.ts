import * as z from "zod";
import {
  amount,
  choice,
  count,
  countOrZero,
  duration,
  entries,
  flag,
  label,
  line,
  path,
  reading,
  text,
  TIMEOUT_BOUNDS,
} from "../contract/option-kinds.ts";
import { someText } from "../contract/call-arguments.ts";
import { kebabCase, option, type Kind } from "../contract/options.ts";
import type { DatasetRequest } from "../scoring/dataset.ts";
import type { Prices } from "../scoring/usage.ts";

const object = () => z.record(z.string(), z.unknown(), "must be an object");

/** Values with keys and lists; a text of them is YAML, which the door reads. */
const structure: Kind<string, unknown> = {
  ...text,
  type: "string | readonly unknown[] | Readonly<Record<string, unknown>>",
  shape: () => z.unknown(),
};
const structures: Kind<string, Readonly<Record<string, unknown>>> = {
  ...text,
  type: "Readonly<Record<string, unknown>>",
  shape: object,
};
const scorers: Kind<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>> = {
  ...text,
  type: "Readonly<Record<string, Readonly<Record<string, unknown>>>>",
  shape: () => z.record(z.string(), object(), "must be an object"),
};
const price = z.number("must be a number").min(0, "must be 0 or more");
const prices: Kind<string, Prices> = {
  ...text,
  type: "Prices",
  shape: () => {
    const of = z.strictObject({ input: price, output: price, cached: price.exactOptional() }, "must be an object");
    return z.record(z.string(), of, "must be an object");
  },
};

const conditions: Kind<readonly string[], string | readonly string[]> = {
  ...entries,
  type: "string | readonly string[]",
  shape: () => z.union([someText, z.array(someText)], "must be a condition, or a list of them"),
};
const SHARD = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/;
const NOT_A_SHARD = "is not a part of the cases (example: 2/5)";
const shard: Kind<NonNullable<DatasetRequest["shard"]>, string> = {
  type: "string",
  shape: () => someText.refine((written) => shard.parse(written).fault === undefined, NOT_A_SHARD),
  parse: (written) => {
    const [, index = 0, count = 0] = (SHARD.exec(written) ?? []).map(Number);
    const value = { index, count };
    return reading(written, index >= 1 && index <= count ? value : undefined, value, NOT_A_SHARD);
  },
};

/** How the names are spelt where they are written as texts. */
export const EVALUATION_NAMES = { timeoutMilliseconds: "timeout", deadlineMilliseconds: "deadline" } as const;
export const spelling = kebabCase(EVALUATION_NAMES);

/** What is written as YAML where the others are plain texts. */
export const STRUCTURED = {
  input: option(structure, {
    about:
      "Input of a run, as YAML: a text that begins with `$.` is a path in the row of the dataset, and stands for the value there. Default: the `inputs` of the row, else the whole row.",
    inPrograms:
      "Input of a run: a text that begins with `$.` is a path in the row of the dataset, and stands for the value there. Default: the `inputs` of the row, else the whole row.",
  }),
  scorers: option(scorers, {
    about:
      "What scores the answers, by the names of the scores, as YAML lines such as `correct: { equals: $.answer }`. Paths begin at the row.",
    inPrograms:
      'What scores the answers, by the names of the scores, such as `{ correct: { equals: "$.answer" } }`. Paths begin at the row.',
  }),
  run: option(structures, {
    about: "`config`, `context` and more fields of each run, as YAML; they are sent as they are.",
    inPrograms: "`config`, `context` and more fields of each run; they are sent as they are.",
  }),
  prices: option(prices, {
    about:
      "Prices for a million tokens by model, as YAML lines such as `small: { input: 0.1, output: 0.4, cached: 0.05 }`. Without them the cost is unknown.",
    inPrograms: "Prices for a million tokens, by model. Without them the cost is unknown.",
  }),
};

/** What is evaluated, and how: a committed file holds it as well as the inputs do. */
export const DEFINITION_OPTIONS = {
  graph: option(line, { about: "Graph or assistant to ask. Default: the only graph that the agent server serves." }),
  dataset: option(path, {
    about: "File of the cases, relative to the workspace: JSONL, a list in JSON or YAML, CSV or TSV.",
    inPrograms: "File of the cases, relative to the working directory: JSONL, a list in JSON or YAML, CSV or TSV.",
  }),
  datasetName: option(label, {
    about:
      "Name of the dataset. The keys of the cases follow from it, so it must stay the same. Default: the name of the file without its ending.",
  }),
  input: STRUCTURED.input,
  output: option(line, {
    about: "Path of the answer in the final state of the agent.",
    default: "$.messages[-1].content",
  }),
  scorers: STRUCTURED.scorers,
  trials: option(count(), { about: "Number of times that each case is asked.", default: "1" }),
  concurrency: option(count(), {
    about: "How many runs are open at a time; fewer where the agent server has fewer workers, or is busy.",
    default: "8",
  }),
  timeoutMilliseconds: option(duration(TIMEOUT_BOUNDS), {
    about: "Timeout of one run, from when a worker of the agent server took it, {form}.",
    default: "120s",
  }),
  deadlineMilliseconds: option(duration(TIMEOUT_BOUNDS), {
    about: "Timeout of all runs together, {form}; what is not asked by then makes the evaluation `overdue`.",
    default: "30m",
  }),
  maxErrors: option(countOrZero, {
    about:
      "How many trials may end without a measurement, such as a timeout or an agent server that does not answer, before the evaluation is `incomplete`.",
    default: "0",
  }),
  retryErrors: option(countOrZero, {
    about: "Number of times that a trial which timed out or could not be asked is asked again, after all others.",
    default: "0",
  }),
  onAgentError: option(choice(["zero", "missing"]), {
    about: "What a run that the agent failed is scored: `zero`, or `missing` for no score.",
    default: "zero",
  }),
  allowUnverified: option(flag, {
    about:
      "Accept the answers of an agent server without threads, where nothing shows how a run ended but its stream. Their rows are marked.",
    default: "false",
  }),
  run: STRUCTURED.run,
  maxTokens: option(count("none"), {
    about: "Most tokens; beyond them no further run is begun. Needs an agent whose messages tell their tokens.",
    word: "none",
  }),
  maxCost: option(amount, {
    about: "Highest cost, in the unit of `prices`; beyond it no further run is begun.",
    word: "none",
    with: "prices",
  }),
  prices: STRUCTURED.prices,
  filter: option(conditions, {
    about: "Which cases are asked: a line such as `metadata.topic = billing` for each condition; all must hold.",
    inPrograms: "Which cases are asked: conditions such as `metadata.topic = billing`, which all must hold.",
    word: "none",
  }),
  limit: option(count("none"), { about: "Most cases that are asked.", word: "none" }),
  keepState: option(flag, { about: "Keep the whole final state in the rows of the results.", default: "false" }),
};

/** What each run of an evaluation says for itself. */
export const RUN_OPTIONS = {
  shard: option(shard, {
    about: "Part of the cases that this run asks, such as `2/5`. A case is in the same part whatever others there are.",
    word: "all",
  }),
  resume: option(flag, {
    about: "Keep the answers of an earlier attempt that did not end, and ask for the others only.",
    default: "true",
  }),
  revisionId: option(line, {
    about:
      "Revision that must serve, such as the output `revision-id` of a deploy; another one is an error before the first run.",
    inPrograms: "Revision that must serve, such as that of a deploy; another one is an error before the first run.",
    word: "any",
  }),
};
