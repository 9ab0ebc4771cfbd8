import { Feedback } from "../../contract/experiment.ts";
import { checkFeedback } from "../../contract/experiment-rules.ts";
import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import { receivedValue, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { readYaml } from "../../files/yaml.ts";
import { quotedName } from "../../text/quoted.ts";
import { readScore } from "./score.ts";
import type { SourceScore } from "./source-row.ts";

/** Scores that were read, or the errors of their text: clauses that can follow the name of an input. */
type SummaryScoresReading =
  | { readonly ok: true; readonly value: readonly SourceScore[] }
  | { readonly ok: false; readonly faults: readonly string[] };

const SHAPE = "must be a YAML mapping, for example `accuracy: 0.91`, or a list of feedback objects";
const FIELDS = Object.keys(Feedback.shape).filter((field) => field !== "key");

/**
 * Reads the scores of an experiment as a whole from YAML: names and their numbers, true or false, or objects with the
 * fields of a feedback object (`score`, `value`, `comment`, …); or a list of such objects with their keys. An empty
 * text has none. A score that is empty, e.g. from an empty expression, is an error.
 */
export function parseSummaryScores(text: string): SummaryScoresReading {
  const read = readYaml(text);
  if (!read.ok) return read;
  const named = namedScores(read.value);
  if (named === undefined) return { ok: false, faults: [SHAPE] };
  const faults: string[] = [];
  const scores = named.map(({ place, key, value }) => {
    return scoreOf(key, value, (message) => faults.push(`${place} ${message}`));
  });
  faults.push(...repeated(named.map(({ key }) => key)).map((key) => `${quotedName(key)} is set twice`));
  return faults.length === 0 ? { ok: true, value: scores } : { ok: false, faults: [...new Set(faults)] };
}

interface NamedScore {
  /** How a fault calls it. */
  readonly place: string;
  readonly key: string;
  readonly value: JsonValue;
}

function namedScores(value: JsonValue): readonly NamedScore[] | undefined {
  if (value === null) return [];
  if (isJsonObject(value))
    return Object.entries(value).map(([key, score]) => ({ place: nameOf(key), key, value: score }));
  if (!isJsonList(value) || !value.every(isJsonObject)) return undefined;
  return value.map(({ key = "", ...score }, index) => {
    const isName = typeof key === "string" && key !== "";
    return { place: isName ? quotedName(key) : `score ${String(index + 1)}`, key: isName ? key : "", value: score };
  });
}

function nameOf(key: string): string {
  return key === "" ? "a score" : quotedName(key);
}

function scoreOf(key: string, value: JsonValue, fault: (message: string) => void): SourceScore {
  const given: JsonObject = isJsonObject(value) ? value : { score: value };
  const { score = null, ...rest } = Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null));
  for (const field of Object.keys(rest).filter((name) => !FIELDS.includes(name))) {
    fault(`has an unknown field ${quotedName(field)}; a score has ${FIELDS.join(", ")}`);
  }
  for (const { loc, msg } of checkFeedback(receivedValue({ key, ...rest })).faults) {
    // The name is checked with the number, in words that do not call it a field.
    if (loc[0] !== "key") fault(`has an invalid ${quotedName(loc.join("."))}: ${msg}`);
  }
  const { comment, ...more } = rest;
  const read: SourceScore = {
    key,
    value: score,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
  const reading = readScore(read);
  if (reading.score === undefined) fault(reading.fault);
  else if (reading.score.feedback === undefined) fault("has no number; leave the score out if it is missing");
  return read;
}

function repeated(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.filter((key, index) => key !== "" && keys.indexOf(key) !== index))];
}
