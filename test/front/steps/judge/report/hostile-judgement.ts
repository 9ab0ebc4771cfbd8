import fc from "fast-check";
import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import { JUDGE_INPUTS } from "../../../../../front/steps/judge/inputs.ts";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import type { FilePlace } from "../../../../../src/files/json/errors.ts";
import type { Judgement, ListedCase } from "../../../../../src/judgement/judgement.ts";
import { GatesError } from "../../../../../src/judgement/gates/errors.ts";
import { hostileText } from "../../../account/hostile-text.ts";
import { ended, JUDGEMENTS, READ } from "./judge-events.ts";

/** A judgement in which every text from outside is hostile. */
export const hostileJudgement: fc.Arbitrary<Judgement> = fc
  .tuple(fc.array(hostileText, { minLength: 12, maxLength: 12 }), fc.constantFrom(...Object.values(JUDGEMENTS)))
  .map(([texts, judgement]) => withTexts(judgement, texts));

function withTexts(judgement: Judgement, texts: readonly string[]): Judgement {
  const [name = "", metric = "", file = "", part = "", text = "", key = ""] = texts;
  const place: FilePlace = { file, line: 7 };
  const listed: ListedCase = { key, name, metric, now: 0, baseline: 1, place };
  const whole: ListedCase = { ...listed, metric: undefined, now: undefined, baseline: undefined };
  const run = {
    ...{ commit: text, ref: name, evaluator: file, agentRevision: metric, dataset: { id: key, name: part } },
    ...{ unmeasured: [{ outcome: text, count: 2 }], serverVersions: [name, part] },
  };
  const { baseline } = judgement;
  return {
    ...judgement,
    headline: `Regressed: ${name}. \`${text}\` broke.`,
    headlineParts: { first: `Regressed: ${name}.`, rest: `\`${text}\` broke.` },
    now: { ...judgement.now, ...run },
    baseline: baseline && { ...baseline, ...run, sources: texts },
    metrics: judgement.metrics.map((one) => ({ ...one, metric, part })),
    rules: judgement.rules.map((outcome) => ({
      ...outcome,
      rule: { ...outcome.rule, text, value: { of: "metric", metric, statistic: "mean" } },
      found: `${metric} ${name}`,
      places: [place],
    })),
    gaps: texts.slice(0, 3).map((message) => ({ kind: "lost-metric", message })),
    cases: {
      newlyFailing: [listed],
      newlyFlaky: [{ ...listed, key: name }],
      flaky: [listed],
      worse: texts.map((one) => ({ ...listed, key: one, name: one })),
      fixed: [listed],
      errors: [whole],
      unmeasured: [whole],
      missing: [listed],
      changed: [whole],
      added: [{ ...whole, place: { file, row: 3 } }],
      removed: [{ ...whole, place: undefined }],
    },
    counts: {
      ...{ newlyFailing: 1, newlyFlaky: 1, flaky: 1, worse: 40, fixed: 1 },
      ...{ errors: 1, unmeasured: 1, missing: 1, changed: 1, added: 1, removed: 1 },
    },
    warnings: texts,
  };
}

/** A step in which every text is hostile, however it ends. */
export const hostileRun: fc.Arbitrary<{
  readonly events: readonly JudgeEvent[];
  readonly judgement: Judgement | undefined;
}> = fc
  .tuple(hostileJudgement, fc.array(hostileText, { minLength: 6, maxLength: 6 }), fc.nat(3))
  .map(([judgement, texts, end]) => {
    const [a = "", b = "", c = ""] = texts;
    const fault = { line: 1, text: a, at: 0, length: Math.max(1, a.length), message: b, hint: c };
    const errors = [
      new GatesError([fault, { ...fault, line: 2, hint: undefined }]),
      new InputsError(
        Object.keys(JUDGE_INPUTS.defaults)
          .slice(0, 6)
          .map((input, at) => ({ input, message: texts[at] ?? "" })),
      ),
      new Error(a),
    ];
    const error = errors[end];
    const against = { patterns: texts, age: 3_600_000, anchors: texts };
    const events: readonly JudgeEvent[] = [
      ...READ,
      ...judgement.warnings.map((message): JudgeEvent => ({ type: "warning", message })),
      ...(error === undefined ? [{ type: "judged", judgement, against, milliseconds: 1 } as const] : []),
      { type: "written", what: "comment", path: a, bytes: 1 },
      ended(error),
    ];
    return { events, judgement: error === undefined ? judgement : undefined };
  });
