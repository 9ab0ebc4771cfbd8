import * as z from "zod";
import { ExactNumber, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { anyField, numberField, objectField, textField } from "../shared/shape.ts";

/** The part of a row of promptfoo that tells how it was graded. */
export const GRADING = z
  .object({
    reason: textField,
    namedScoreWeights: objectField,
    componentResults: z
      .array(
        z
          .object({
            score: anyField,
            reason: textField,
            assertion: z.object({ type: textField, metric: textField, weight: numberField }).nullish(),
          })
          .nullish(),
      )
      .nullish(),
  })
  .nullish();
type Grading = z.infer<typeof GRADING>;

/** The named scores of a row, each with who judged and, where one assertion alone made it, why. */
export function namedScores(named: JsonObject, grading: Grading): readonly SourceScore[] {
  const components = componentsByMetric(grading);
  const weights = grading?.namedScoreWeights ?? {};
  return Object.entries(named).map(([key, value]) => {
    const parts = components.get(key) ?? [];
    const [only] = parts;
    const score = {
      key,
      // A row that knows of weights has the mean; before, it had the sum of its assertions.
      value: Object.hasOwn(weights, key) ? value : (weightedMean(parts) ?? value),
      by: judgeOf(parts),
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

function componentsByMetric(grading: Grading): ReadonlyMap<string, readonly Component[]> {
  const components = new Map<string, Component[]>();
  for (const result of grading?.componentResults ?? []) {
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

function judgeOf(parts: readonly Component[]): SourceScore["by"] {
  if (parts.length === 0) return undefined;
  return parts.some(({ type }) => ASKS_MODEL.test(type)) ? "model" : "code";
}
