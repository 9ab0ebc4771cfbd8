import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonPiece } from "../../../files/json/array-split.ts";
import { skimJson } from "../../../files/json/skim.ts";
import { type JsonObject, type JsonValue, ExactNumber } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { promptfooId, providerName, type PromptfooColumns } from "./columns.ts";
import { ALL_OTHERS, LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/scores.ts";
import { skimPlan } from "../shared/skimmed.ts";
import {
  anyField,
  booleanField,
  numberField,
  objectField,
  readShape,
  textField,
  type ShapePlace,
} from "../shared/shape.ts";

/** A row of the JSON or JSONL of promptfoo; undefined after an error. */
export function promptfooRow(
  value: JsonValue,
  place: ShapePlace,
  { columns, context }: { readonly columns: PromptfooColumns; readonly context: FormatContext },
): SourceRow | undefined {
  const row = readShape(ROW, value, place, context);
  if (!row) return undefined;
  if (isJsonObject(row.provider)) context.ledger.look(PROVIDER, row.provider, place, "provider");
  // The conversation so far, which promptfoo adds by itself, differs in every run.
  const vars = without(row.vars, "_conversation");
  const provider = providerName(row.provider);
  const prompt = row.prompt.label ?? row.prompt.raw ?? "";
  const description = row.testCase?.description ?? undefined;
  const position = row.promptIdx === undefined ? undefined : columns.positionOf(provider, row.promptIdx);
  return {
    place,
    ...promptfooId({ vars, description, provider, prompt: position ?? prompt }),
    inputs: vars,
    outputs: row.response?.output,
    scores: scoresOf(row),
    times: row.latencyMs === undefined ? undefined : { milliseconds: row.latencyMs },
    error: errorOf(row),
    metadata: metadataOf(row.metadata == null ? undefined : without(row.metadata, "_promptfooFileMetadata"), {
      prompt,
      provider,
      description,
      cost: row.cost,
      tokenUsage: row.response?.tokenUsage,
    }),
  };
}

/** The part of a row of promptfoo that holds its grading. */
const GRADING = z
  .object({
    reason: textField,
    namedScores: objectField,
    namedScoreWeights: objectField,
    componentResults: z
      .array(
        z
          .object({
            score: anyField,
            reason: textField,
            assertion: z
              .object({ type: textField, metric: textField, weight: numberField })
              .register(LEFT_OUT, ALL_OTHERS)
              .nullish(),
          })
          .register(LEFT_OUT, ["pass", "namedScores", "tokensUsed", "metadata", "componentResults", "comment"])
          .nullish(),
      )
      .nullish(),
  })
  // The row has them, too.
  .register(LEFT_OUT, ["pass", "score", "tokensUsed", "assertion", "metadata", "comment"])
  .nullish();
type Grading = z.infer<typeof GRADING>;

// How the enum ResultFailureReason of promptfoo calls an error; 1 is a failed assertion, which has an `error`, too.
const FAILED_BY_ERROR = 2;

const PROVIDER = z.object({ id: anyField, label: anyField }).register(LEFT_OUT, ALL_OTHERS);

const ROW = z
  .object({
    vars: z.custom<JsonObject>(isJsonObject, { error: "an object" }),
    prompt: z.object({ raw: textField, label: textField }).register(LEFT_OUT, ["id", "config", "provider", "template"]),
    promptIdx: numberField,
    provider: z.custom<string | JsonObject>((value) => typeof value === "string" || isJsonObject(value), {
      error: "an object",
    }),
    response: z
      .object({ output: anyField, tokenUsage: anyField, error: anyField })
      .register(LEFT_OUT, [
        ...["cost", "cached", "raw", "metadata", "logProbs", "finishReason", "latencyMs", "isRefusal", "sessionId"],
        ...["prompt", "headers", "cacheKey", "format", "guardrails"],
      ])
      .nullish(),
    success: booleanField,
    score: anyField,
    namedScores: objectField,
    gradingResult: GRADING,
    failureReason: numberField,
    error: anyField,
    latencyMs: numberField,
    cost: anyField,
    testCase: z.object({ description: textField }).register(LEFT_OUT, ALL_OTHERS).nullish(),
    metadata: objectField,
  })
  .register(LEFT_OUT, ["id", "evalId", "promptId", "testIdx", "tokenUsage"]);
type Row = z.infer<typeof ROW>;

/** What is read of a row. */
export const ROW_PLAN = skimPlan(ROW, ["prompt.raw"]);

/**
 * A row of which no more is parsed than is read: its test case has the vars once more, and what the user wrote to configure
 * the tool. Undefined for one that is to be parsed as a whole.
 */
export function skimmedRow({ bytes, skimmed }: JsonPiece): JsonObject | undefined {
  const skim = skimmed === undefined ? skimJson(bytes, ROW_PLAN) : undefined;
  const row = skim?.end === bytes.length ? skim.value : skimmed;
  if (!isJsonObject(row)) return undefined;
  // The text of a prompt names the one that has no label.
  const { prompt } = row;
  return isJsonObject(prompt) && typeof prompt["label"] === "string" ? row : undefined;
}

function scoresOf(row: Row): SourceRow["scores"] {
  const { gradingResult: grading } = row;
  const comment = grading?.reason ?? (row.success ? undefined : errorText(row.error));
  const scores: SourceScore[] = [
    { key: "pass", value: row.success, comment },
    { key: "score", value: row.score },
  ];
  // The row has those of its grading, too; a program that made the file may have kept one of them.
  const graded = grading?.namedScores ?? {};
  const isGraded = Object.keys(graded).length > 0;
  const named = namedScores(isGraded ? { ...graded, ...row.namedScores } : (row.namedScores ?? {}), grading);
  const keys = named.some(({ key }) => key === "pass" || key === "score" || key.trim() === "")
    ? new ScoreKeys(["pass", "score"])
    : undefined;
  for (const score of named) scores.push(keys ? { ...score, key: keys.next(score.key) } : score);
  return scores;
}

function errorOf({ failureReason, gradingResult, error, response }: Row): string | undefined {
  const said = errorText(error) ?? errorText(response?.error);
  // Files from before `failureReason`: what was graded is not an error.
  if (failureReason === undefined) return gradingResult == null ? said : undefined;
  return failureReason === FAILED_BY_ERROR ? (said ?? UNKNOWN_ERROR) : undefined;
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    : object;
}

/** The named scores of a row, each with who judged and, where one assertion alone made it, why. */
function namedScores(named: JsonObject, grading: Grading): readonly SourceScore[] {
  const components = componentsByMetric(grading);
  const weights = grading?.namedScoreWeights ?? {};
  return Object.keys(named).map((key) => {
    const value = named[key];
    const parts = components?.get(key);
    if (!parts) return { key, value };
    const [only] = parts;
    const score = {
      key,
      // A row that knows of weights has the mean; before, it had the sum of its assertions.
      value: Object.hasOwn(weights, key) ? value : (weightedMean(parts) ?? value),
      by: parts.some(({ type }) => ASKS_MODEL.test(type)) ? ("model" as const) : ("code" as const),
    };
    return parts.length === 1 ? { ...score, comment: only?.reason } : score;
  });
}

interface Component {
  readonly score: JsonValue | undefined;
  readonly reason: string | undefined;
  readonly type: string;
  readonly weight: number;
}

/** Undefined for a row without. */
function componentsByMetric(grading: Grading): ReadonlyMap<string, readonly Component[]> | undefined {
  const { componentResults } = grading ?? {};
  if (componentResults == null || componentResults.length === 0) return undefined;
  const components = new Map<string, Component[]>();
  for (const result of componentResults) {
    const metric = result?.assertion?.metric;
    if (typeof metric !== "string") continue;
    const { score, reason, assertion } = result ?? {};
    const component = {
      score,
      reason: reason ?? undefined,
      type: assertion?.type ?? "",
      weight: assertion?.weight ?? 1,
    };
    components.set(metric, [...(components.get(metric) ?? []), component]);
  }
  return components;
}

/** Undefined where there is nothing to weigh, or where a part has no number. */
function weightedMean(parts: readonly Component[]): number | undefined {
  let [sum, weights] = [0, 0];
  // An assertion of no weight is a metric all the same.
  const isWeighted = parts.some(({ weight }) => weight !== 0);
  for (const part of parts) {
    const score = part.score instanceof ExactNumber ? part.score.value : part.score;
    if (typeof score !== "number") return undefined;
    const weight = isWeighted ? part.weight : 1;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0 ? undefined : sum / weights;
}

// The assertions that ask a model, by promptfoo's list of "model-graded" ones.
const ASKS_MODEL =
  /^(?:not-)?(?:llm-rubric|model-graded-.*|factuality|answer-relevance|context-.*|conversation-relevance|g-eval|select-best|search-rubric|agent-rubric|trajectory:goal-success)$/;
