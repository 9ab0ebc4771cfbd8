import { Feedback, type FeedbackConfig } from "../../contract/experiment.ts";
import { checkFeedback } from "../../contract/experiment-rules.ts";
import { isJsonList, isJsonObject, type JsonValue, receivedValue } from "../../files/json/value.ts";
import { readYaml } from "../../files/yaml.ts";
import { quotedName } from "../../text/quoted.ts";
import { readScore } from "./score.ts";
import type { SourceScore } from "./source-row.ts";

/** Who judged; a service may know more fields than these. */
export interface FeedbackSource {
  /** What kind of judge it is, such as `model`. */
  readonly type: string;
  /** Further fields, in the names of the service. */
  readonly [more: string]: unknown;
}

/**
 * What a program says of one score, in the names of the feedback object of an upload (section 2.6 of the contract). A
 * field that is null counts as left out.
 */
export interface ScoreFields {
  /** True and false are 1 and 0; null and no score at all are a missing score. */
  readonly score?: number | boolean | null | undefined;
  /** The score in words, beside the number or in its place. */
  readonly value?: string | null | undefined;
  /** The reason for the score. */
  readonly comment?: string | null | undefined;
  /** Who judged, such as `{ type: "model" }`. */
  readonly feedback_source?: FeedbackSource | null | undefined;
  /** What scores of this name look like: their type, their range or their categories. */
  readonly feedback_config?: FeedbackConfig | null | undefined;
  /** A Date, or a text in ISO 8601; the service takes the current time when not given. */
  readonly created_at?: Date | string | null | undefined;
  /** The same. */
  readonly modified_at?: Date | string | null | undefined;
  /** What would have been right: a text or an object. */
  readonly correction?: string | Readonly<Record<string, unknown>> | null | undefined;
}

/** A score: a number, or true and false for 1 and 0; null is a missing score. */
export type ResultScore = number | boolean | null | ScoreFields;

/** A score with its name, for a list. */
export interface NamedScore extends ScoreFields {
  /** The name of the score. */
  readonly key: string;
}

/** Scores by name, or as a list in which a name may stand several times. */
export type ResultScores = Readonly<Record<string, ResultScore>> | readonly NamedScore[];

/** Scores that were read, or what is wrong with them: clauses that can follow the name of an input. */
export type SummaryScoresReading =
  | { readonly ok: true; readonly value: readonly SourceScore[] }
  | { readonly ok: false; readonly faults: readonly string[] };

const YAML_SHAPE = "must be a YAML mapping, for example `accuracy: 0.91`, or a list of feedback objects";
const SHAPE = "must be an object of names and scores, or a list of feedback objects";
const FIELDS = Object.keys(Feedback.shape).filter((field) => field !== "key");

/**
 * Reads the scores of an experiment as a whole from YAML: names and their numbers, true or false, or objects with the
 * fields of a feedback object (`score`, `value`, `comment`, …); or a list of such objects with their keys. An empty
 * text has none. A score that is empty, e.g. from an empty expression, is an error.
 */
export async function parseSummaryScores(text: string): Promise<SummaryScoresReading> {
  const read = await readYaml(text);
  return read.ok ? readSummaryScores(read.value, YAML_SHAPE) : read;
}

/** Reads the same from the JSON of a program's value. */
export function readSummaryScores(value: JsonValue, shape = SHAPE): SummaryScoresReading {
  const named = namedScores(value);
  if (!named) return { ok: false, faults: [shape] };
  const faults: string[] = [];
  const scores = named.map(({ key, unnamed, value: score }) => {
    const fault = (message: string) => faults.push(`${key === "" ? unnamed : quotedName(key)} ${message}`);
    const read = sourceScore(key, score, fault);
    const reading = readScore(read);
    if (!reading.score) fault(reading.fault);
    else if (!reading.score.feedback) fault("has no number; leave the score out if it is missing");
    return read;
  });
  const keys = named.map(({ key }) => key);
  const twice = keys.filter((key, index) => key !== "" && keys.indexOf(key) !== index);
  faults.push(...twice.map((key) => `${quotedName(key)} is set twice`));
  return faults.length === 0 ? { ok: true, value: scores } : { ok: false, faults: [...new Set(faults)] };
}

/** Reads the scores of a program's row. That each has a number, or none, is checked with the rest of the row. */
export function readRowScores(value: JsonValue, fault: (message: string) => void): readonly SourceScore[] {
  const named = namedScores(value);
  if (!named) fault(`\`scores\` ${SHAPE}`);
  return (named ?? []).map(({ key, unnamed, value: score }) => {
    return sourceScore(key, score, (message) => {
      fault(`${key === "" ? unnamed : `the score ${quotedName(key)}`} ${message}`);
    });
  });
}

interface GivenScore {
  /** Empty where it has none. */
  readonly key: string;
  /** How a fault calls it without a key. */
  readonly unnamed: string;
  readonly value: JsonValue;
}

function namedScores(value: JsonValue): readonly GivenScore[] | undefined {
  if (value === null) return [];
  if (isJsonObject(value))
    return Object.entries(value).map(([key, score]) => ({ key, unnamed: "a score", value: score }));
  if (!isJsonList(value) || !value.every(isJsonObject)) return undefined;
  return value.map(({ key, ...score }, index) => {
    return { key: typeof key === "string" ? key : "", unnamed: `score ${String(index + 1)}`, value: score };
  });
}

function sourceScore(key: string, value: JsonValue, fault: (message: string) => void): SourceScore {
  // Most scores are a number alone: a program may have millions of them.
  if (!isJsonObject(value)) return { key, value };
  const { score = null, ...rest } = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  for (const field of Object.keys(rest).filter((name) => !FIELDS.includes(name))) {
    fault(`has an unknown field ${quotedName(field)}; a score has ${FIELDS.join(", ")}`);
  }
  for (const { loc, msg } of checkFeedback(receivedValue({ key, ...rest })).faults) {
    // The name is checked with the number, in words that do not call it a field.
    if (loc[0] !== "key") fault(`has an invalid ${quotedName(loc.join("."))}: ${msg}`);
  }
  const { comment, ...more } = rest;
  return {
    key,
    value: score,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
}
