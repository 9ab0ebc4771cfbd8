import * as z from "zod";
import { isJsonObject } from "../../../files/json-object.ts";
import { NOT_A_NUMBER, writeJsonValue, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { nameList, quotedName } from "../../../text/quoted.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/scores.ts";
import { anyField, booleanField, numberField, textField, type ShapePlace } from "../shared/shape.ts";

/** A metric of a case or of a span. */
export const DEEPEVAL_METRIC = z
  .object({
    name: z.string(),
    score: anyField,
    success: booleanField.nullish(),
    threshold: numberField,
    reason: textField,
    error: textField,
    evaluationModel: textField,
  })
  .register(LEFT_OUT, [
    ...["strictMode", "flaky", "evaluationCost", "verboseLogs", "inputTokens", "outputTokens", "expectationsData"],
    ...["inputTokenCount", "outputTokenCount", "cacheReadInputTokenCount", "cacheCreationInputTokenCount"],
  ]);
type Metric = z.infer<typeof DEEPEVAL_METRIC>;

const METRICS = z.array(DEEPEVAL_METRIC).nullish();
const SPANS = z
  .array(
    z
      .object({ name: textField, metricsData: METRICS })
      .register(LEFT_OUT, [
        ...["uuid", "status", "type", "parentUuid", "startTime", "endTime", "metadata", "input", "output", "error"],
        ...["retrievalContext", "context", "expectedOutput", "toolsCalled", "expectedTools", "availableTools"],
        ...["agentHandoffs", "description", "embedder", "topK", "chunkSize", "model", "provider", "prompt"],
        ...["inputTokenCount", "outputTokenCount", "costPerInputToken", "costPerOutputToken", "tokenIntervals"],
        ...["metricCollection", "promptAlias", "promptVersion", "promptLabel", "promptCommitHash", "integration"],
      ]),
  )
  .nullish();
/** The trace of a case: of it only the metrics of its spans are read. */
const TRACE = z
  .object({
    metricsData: METRICS,
    agentSpans: SPANS,
    llmSpans: SPANS,
    retrieverSpans: SPANS,
    toolSpans: SPANS,
    baseSpans: SPANS,
  })
  .register(LEFT_OUT, [
    ...["uuid", "startTime", "endTime", "name", "metadata", "tags", "environment", "threadId", "userId", "input"],
    ...["output", "status", "testCaseId", "testRunId", "turnId", "retrievalContext", "context", "expectedOutput"],
    ...["toolsCalled", "expectedTools", "metricCollection", "attachments"],
  ]);

/** A case as deepeval writes it into its reports. */
export const DEEPEVAL_CASE = z
  .object({
    name: textField,
    input: anyField,
    actualOutput: anyField,
    expectedOutput: anyField,
    scenario: textField,
    turns: z.array(z.custom<JsonObject>(isJsonObject, { error: "an object" })).nullish(),
    expectedOutcome: anyField,
    success: booleanField.nullish(),
    metricsData: METRICS,
    trace: TRACE.nullish(),
    inputTokenCount: numberField,
    outputTokenCount: numberField,
    runDuration: numberField,
    completionTime: numberField,
    metadata: anyField,
    additionalMetadata: anyField,
    context: anyField,
    retrievalContext: anyField,
    toolsCalled: anyField,
    expectedTools: anyField,
    userDescription: anyField,
    tags: anyField,
    comments: anyField,
    tokenCost: anyField,
    evaluationCost: anyField,
  })
  .register(LEFT_OUT, [
    ...["order", "index", "flaky", "conversational", "multimodal", "imagesMapping", "expectations", "classifications"],
  ]);
type Case = z.infer<typeof DEEPEVAL_CASE>;

// Of no file; a hostile one may name others in each case.
const MOST_NAMES = 1_000;

/** The names of the scores of all cases, to find one that a metric of cases and one of spans have. */
export class DeepevalNames {
  readonly #ofCases = new Set<string>();
  readonly #ofSpans = new Set<string>();

  addOfCase(name: string): void {
    if (this.#ofCases.size < MOST_NAMES) this.#ofCases.add(name);
  }

  addOfSpan(name: string): void {
    if (this.#ofSpans.size < MOST_NAMES) this.#ofSpans.add(name);
  }

  /** A sentence about names that mean two things; undefined without any. */
  get sentence(): string | undefined {
    const names = [...this.#ofCases].filter((name) => this.#ofSpans.has(name));
    if (names.length === 0) return undefined;
    const [are, have] = names.length === 1 ? ["is the name", "has"] : ["are names", "have"];
    return `${nameList(names.map(quotedName))} ${are} of a metric of cases and of a metric of spans, and ${have} one mean. Rename the span or the metric.`;
  }
}

/** The row of a case; `nameOf` gives the name of a repeat as that of what is repeated. */
export function deepevalRow(
  read: Case,
  place: ShapePlace,
  { names, nameOf }: { readonly names: DeepevalNames; readonly nameOf: (name: string) => string },
): SourceRow {
  const seconds = read.completionTime ?? read.runDuration;
  const { context, retrievalContext, toolsCalled, expectedTools, userDescription, tags, comments } = read;
  const { tokenCost, evaluationCost, inputTokenCount, outputTokenCount } = read;
  const replies = read.turns?.filter(isReply) ?? [];
  const counts = Object.entries({ inputTokenCount, outputTokenCount });
  const usage = counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, count] as const]));
  return {
    place,
    // Tests of two files may have one name: the repetitions are counted where all rows are seen.
    id: read.name == null || read.name === "" || COUNTED.test(read.name) ? undefined : nameOf(read.name),
    inputs: inputsOf(read),
    expected: read.expectedOutput ?? read.expectedOutcome ?? undefined,
    // Of a conversation what the model said, with the places of the turns in it.
    outputs: read.actualOutput ?? (replies.length === 0 ? undefined : { turns: replies }),
    scores: scoresOf(read, names),
    usage: usage.length === 0 ? undefined : Object.fromEntries(usage),
    times: seconds === undefined ? undefined : { milliseconds: seconds * 1000 },
    metadata: metadataOf(read.metadata ?? read.additionalMetadata, {
      context,
      retrievalContext,
      toolsCalled,
      expectedTools,
      userDescription,
      tags,
      comments,
      tokenCost,
      evaluationCost,
    }),
  };
}

// What deepeval calls a case without a name: only its place in the list.
const COUNTED = /^(?:conversational_)?test_case_\d+$/;

/** What is given: what the model said in a conversation is not, and differs in each run. */
function inputsOf({ input, scenario, turns }: Case): JsonValue | undefined {
  if (turns == null) return input;
  // The order of the turns is that of the list; a number shifts when the model says more in between.
  const said = turns
    .filter((turn) => !isReply(turn))
    .map((turn) => Object.fromEntries(Object.entries(turn).filter(([key]) => key !== "order")));
  return scenario == null ? { turns: said } : { scenario, turns: said };
}

function isReply({ role }: JsonObject): boolean {
  return role === "assistant";
}

function scoresOf({ metricsData, success, trace }: Case, names: DeepevalNames): readonly SourceScore[] {
  const keys = new ScoreKeys(["success"]);
  const ofCase = (metricsData ?? []).map((metric) => scoreOf(metric, keys.next(metric.name)));
  for (const { name } of metricsData ?? []) names.addOfCase(name);
  const scores = [...ofCase, ...traceScores(trace, metricsData ?? [], { keys, names })];
  if (success == null) return scores;
  const failed = success ? [] : (metricsData ?? []).filter((metric) => metric.success !== true).map(failureOf);
  const comment = failed.length === 0 ? undefined : failed.join("\n");
  return [...scores, { key: "success", value: success, comment, by: "code" }];
}

function scoreOf(metric: Metric, key: string): SourceScore {
  const { score, reason, evaluationModel } = metric;
  const comment = reason ?? (isMissing(score) ? whyMissing(metric) : undefined);
  return { key, value: score, comment, by: evaluationModel == null ? "code" : "model" };
}

/**
 * The metrics of a trace, which the case may have, too, and those of its spans, as `span.metric`. Spans of one name are
 * calls of one part of the program: their scores have one key, whatever the number of calls.
 */
function traceScores(
  trace: Case["trace"],
  ofCase: readonly Metric[],
  { keys, names }: { readonly keys: ScoreKeys; readonly names: DeepevalNames },
): readonly SourceScore[] {
  const { metricsData, ...byKind } = trace ?? {};
  const own = (metricsData ?? []).filter(({ name }) => !ofCase.some((metric) => metric.name === name));
  const keyOf = new Map<string, string>();
  const ofSpans = Object.values(byKind)
    .flatMap((spans) => spans ?? [])
    .flatMap(({ name, metricsData: metrics }) => (metrics ?? []).map((metric) => ({ span: name ?? "span", metric })))
    .map(({ span, metric }) => {
      const name = `${span}.${metric.name}`;
      names.addOfSpan(name);
      const key = keyOf.get(name) ?? keys.next(name);
      keyOf.set(name, key);
      return scoreOf(metric, key);
    });
  return [...own.map((metric) => scoreOf(metric, keys.next(metric.name))), ...ofSpans];
}

/** Which metric failed, and why. */
function failureOf(metric: Metric): string {
  const { name, score, threshold, reason } = metric;
  if (isMissing(score)) return `${name}: ${whyMissing(metric)}`;
  const limit = threshold === undefined ? "" : `, and its threshold is ${String(threshold)}`;
  return `${name}: the score is ${writeJsonValue(score)}${limit}${reason == null ? "" : `: ${reason}`}`;
}

/** A metric that broke has an error, unless the run ended with it: then deepeval writes nothing of it. */
function whyMissing({ error }: Metric): string {
  return error ?? "deepeval wrote no score and no error of this metric";
}

function isMissing(score: JsonValue | undefined): score is undefined | null | typeof NOT_A_NUMBER {
  return score === undefined || score === null || score === NOT_A_NUMBER;
}
