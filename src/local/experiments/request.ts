import type * as z from "zod";
import { ExperimentHead, ExperimentRow, Feedback, FeedbackConfig } from "../../contract/experiment.ts";
import type { ValidationError } from "../../contract/validation-error.ts";
import { isObject } from "../http/raw-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const namesOf = (schema: z.ZodObject): ReadonlySet<string> => new Set(Object.keys(schema.shape));
const HEAD = new Set([...namesOf(ExperimentHead), "results"]);
const ROW = namesOf(ExperimentRow);
const FEEDBACK = namesOf(Feedback);
const CONFIG = namesOf(FeedbackConfig);

/** Errors for names that the contract does not have; ignoring them would hide mistakes of a client. */
export function unknownHeadNames(head: unknown): readonly ValidationError[] {
  return [...unknown(head, HEAD, []), ...unknownInFeedback(head, "summary_experiment_scores")];
}

export function unknownRowNames(row: unknown): readonly ValidationError[] {
  return [...unknown(row, ROW, []), ...unknownInFeedback(row, "evaluation_scores")];
}

/** Translates what public clients send beyond the contract: null for absent values, true and false for 1 and 0. */
export function lenientHead(head: unknown): unknown {
  return withFeedback(head, "summary_experiment_scores");
}

export function lenientRow(row: unknown): unknown {
  return withFeedback(row, "evaluation_scores");
}

function unknownInFeedback(owner: unknown, field: string): readonly ValidationError[] {
  const list = isObject(owner) ? owner[field] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((feedback: unknown, index) => [
    ...unknown(feedback, FEEDBACK, [field, index]),
    ...(isObject(feedback) ? unknown(feedback["feedback_config"], CONFIG, [field, index, "feedback_config"]) : []),
  ]);
}

function unknown(
  value: unknown,
  known: ReadonlySet<string>,
  loc: readonly (string | number)[],
): readonly ValidationError[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => ({ loc: [...loc, name], msg: "Extra inputs are not permitted", type: "extra_forbidden" }));
}

function withFeedback(owner: unknown, field: string): unknown {
  if (!isObject(owner)) return owner;
  const list = owner[field];
  return withoutNulls(Array.isArray(list) ? { ...owner, [field]: list.map(lenientFeedback) } : owner);
}

function lenientFeedback(feedback: unknown): unknown {
  if (!isObject(feedback)) return feedback;
  const { score, feedback_config: config } = feedback;
  return withoutNulls({
    ...feedback,
    score: typeof score === "boolean" ? Number(score) : (score ?? null),
    feedback_config: isObject(config) ? withoutNulls(config) : (config ?? null),
  });
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}
