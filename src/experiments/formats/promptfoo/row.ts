import type { FormatContext } from "../shared/format.ts";
import type { JsonPiece } from "../../../files/json/array-split.ts";
import { isJsonObject, type JsonObject, type JsonValue, numberIn } from "../../../files/json/value.ts";
import { skimJson } from "../../../files/json/skim.ts";
import { SkimMembers, type SkimPlan } from "../../../files/json/skim-plan.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { distinctScores, errorText, metadataOf, ScoreKeys, UNKNOWN_ERROR } from "../shared/tool-values.ts";
import { Fields } from "../shared/fields.ts";
import { ALL_OTHERS, type LeftOut, type ValuePlace } from "../shared/ledger.ts";
import { promptfooId, providerName, type PromptfooColumns } from "./columns.ts";

const LEFT_OUT = new Set(["id", "evalId", "promptId", "testIdx", "tokenUsage"]);
const LEFT_OUT_OF_PROMPT = new Set(["id", "config", "provider", "template"]);
const LEFT_OUT_OF_RESPONSE = new Set([
  ...["cost", "cached", "raw", "metadata", "logProbs", "finishReason", "latencyMs", "isRefusal", "sessionId"],
  ...["prompt", "headers", "cacheKey", "format", "guardrails"],
]);
// The row has them, too.
const LEFT_OUT_OF_GRADING = new Set(["pass", "score", "tokensUsed", "assertion", "metadata", "comment"]);
const LEFT_OUT_OF_COMPONENT = new Set([
  ...["pass", "namedScores", "tokensUsed", "metadata", "componentResults", "comment"],
]);

/** A row of the JSON or JSONL of promptfoo; none after an error. */
export function promptfooRows(
  value: JsonValue,
  place: ValuePlace,
  { columns, context }: { readonly columns: PromptfooColumns; readonly context: FormatContext },
): readonly SourceRow[] {
  const row = Fields.of(value, place, context, LEFT_OUT);
  // The conversation so far, which promptfoo adds by itself, differs in every run.
  const vars = without(row.someRecord("vars"), "_conversation");
  const asked = row.someObject("prompt", LEFT_OUT_OF_PROMPT);
  const [label, raw] = [asked.text("label"), asked.text("raw")];
  const prompt = label ?? raw ?? "";
  const index = row.number("promptIdx");
  const provider = providerName(row);
  const response = row.object("response", LEFT_OUT_OF_RESPONSE);
  const grading = row.object("gradingResult", LEFT_OUT_OF_GRADING);
  const description = row.object("testCase", ALL_OTHERS).text("description");
  const position = index === undefined ? undefined : columns.positionOf(provider, index);
  const found: SourceRow = {
    place,
    ...promptfooId({ vars, description, provider, prompt: position ?? prompt }),
    inputs: vars,
    outputs: response.value("output"),
    scores: scoresOf(row, grading),
    times: { milliseconds: row.number("latencyMs") },
    error: errorOf(row, grading, response),
    metadata: metadataOf(without(row.record("metadata") ?? {}, "_promptfooFileMetadata"), {
      prompt,
      provider,
      description,
      cost: row.value("cost"),
      tokenUsage: response.value("tokenUsage"),
    }),
  };
  return row.checked(found);
}

/**
 * What of a row is passed over: what is left out on purpose, and the text of the prompt, which names the one that has no
 * label.
 */
export const ROW_PLAN = leaving(LEFT_OUT, {
  prompt: leaving(LEFT_OUT_OF_PROMPT, { raw: "blank" }),
  response: leaving(LEFT_OUT_OF_RESPONSE),
  gradingResult: leaving(LEFT_OUT_OF_GRADING, {
    componentResults: {
      item: leaving(LEFT_OUT_OF_COMPONENT, {
        assertion: leaving(ALL_OTHERS, { type: "whole", metric: "whole", weight: "whole" }),
      }),
    },
  }),
  testCase: leaving(ALL_OTHERS, { description: "whole" }),
});

function leaving(leftOut: LeftOut, below: Readonly<Record<string, SkimPlan>> = {}): SkimMembers {
  const plans = new Map(Object.entries(below));
  return new SkimMembers((key) => plans.get(key) ?? (leftOut.has(key) ? "sign" : "whole"));
}

/**
 * A row of which no more is parsed than is read: its test case has the vars once more, and what the user wrote to configure
 * the tool. Undefined for one that is to be parsed as a whole.
 */
export function skimmedRow({ bytes, skimmed }: JsonPiece): JsonObject | undefined {
  const skim = skimmed === undefined ? skimJson(bytes, ROW_PLAN) : undefined;
  const row = skim?.end === bytes.length ? skim.value : skimmed;
  if (!isJsonObject(row)) return undefined;
  const { prompt } = row;
  return isJsonObject(prompt) && typeof prompt["label"] === "string" ? row : undefined;
}

function scoresOf(row: Fields, grading: Fields): readonly SourceScore[] {
  const [success, reason, error] = [row.someFlag("success"), grading.text("reason"), errorText(row.value("error"))];
  const own: SourceScore[] = [
    { key: "pass", value: success, comment: reason ?? (success ? undefined : error) },
    { key: "score", value: row.value("score") },
  ];
  // The row has those of its grading, too; a program that made the file may have kept one of them.
  const named = namedScores({ ...grading.record("namedScores"), ...row.record("namedScores") }, grading);
  const isPlain = named.every(({ key }) => key !== "pass" && key !== "score" && key.trim() !== "");
  return [...own, ...(isPlain ? named : distinctScores(named, new ScoreKeys(["pass", "score"])))];
}

function errorOf(row: Fields, grading: Fields, response: Fields): string | undefined {
  const [own, answered] = [errorText(row.value("error")), errorText(response.value("error"))];
  const said = own ?? answered;
  const reason = row.number("failureReason");
  // Files from before `failureReason`: what was graded is not an error.
  if (reason === undefined) return grading.isThere ? undefined : said;
  return reason === FAILED_BY_ERROR ? (said ?? UNKNOWN_ERROR) : undefined;
}

// How the enum ResultFailureReason of promptfoo calls an error; 1 is a failed assertion, which has an `error`, too.
const FAILED_BY_ERROR = 2;

function without(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    : object;
}

/** The named scores of a row, each with who judged and, where one assertion alone made it, why. */
function namedScores(named: JsonObject, grading: Fields): readonly SourceScore[] {
  const components = componentsByMetric(grading);
  const weights = grading.record("namedScoreWeights") ?? {};
  return Object.entries(named).map(([key, value]) => {
    const parts = components.get(key);
    if (!parts) return { key, value };
    const score = {
      key,
      // A row that knows of weights has the mean; before, it had the sum of its assertions.
      value: Object.hasOwn(weights, key) ? value : (weightedMean(parts) ?? value),
      by: parts.some(({ type }) => ASKS_MODEL.test(type)) ? ("model" as const) : ("code" as const),
    };
    return parts.length === 1 ? { ...score, comment: parts[0]?.reason } : score;
  });
}

/** What each assertion with a metric gave, by the metric. */
function componentsByMetric(grading: Fields) {
  const results = grading.list("componentResults", LEFT_OUT_OF_COMPONENT, { hasGaps: true });
  const components = results.map((result) => {
    const assertion = result.object("assertion", ALL_OTHERS);
    return {
      metric: assertion.text("metric"),
      score: result.value("score"),
      reason: result.text("reason"),
      type: assertion.text("type") ?? "",
      weight: assertion.number("weight") ?? 1,
    };
  });
  return Map.groupBy(components, ({ metric }) => metric);
}

type Component = NonNullable<ReturnType<ReturnType<typeof componentsByMetric>["get"]>>[number];

/** Undefined where there is nothing to weigh, or where a part has no number. */
function weightedMean(parts: readonly Component[]): number | undefined {
  let [sum, weights] = [0, 0];
  // An assertion of no weight is a metric all the same.
  const isWeighted = parts.some(({ weight }) => weight !== 0);
  for (const part of parts) {
    const score = numberIn(part.score);
    if (score === undefined) return undefined;
    const weight = isWeighted ? part.weight : 1;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0 ? undefined : sum / weights;
}

// The assertions that ask a model, by promptfoo's list of "model-graded" ones.
const ASKS_MODEL =
  /^(?:not-)?(?:llm-rubric|model-graded-.*|factuality|answer-relevance|context-.*|conversation-relevance|g-eval|select-best|search-rubric|agent-rubric|trajectory:goal-success)$/;
