import { expect, test } from "vitest";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import type { EvaluateEvent } from "../../../../../front/steps/evaluate/events.ts";
import { evaluateBrief } from "../../../../../front/steps/evaluate/report/account.ts";
import { cancelledEvaluation } from "../../../../../front/steps/evaluate/report/words.ts";
import { evaluateStep } from "../../../../../front/steps/evaluate/step.ts";
import { EvaluationError, RevisionMismatchError } from "../../../../../src/evaluation/errors.ts";
import { pageOfRuns, type Run } from "../../../account/seen-run.ts";
import { ended, OUTAGE, planned, progress, SUMMARY } from "./evaluate-events.ts";

const RUN = "https://forge.example/acme/support/actions/runs/77";
const PROGRESS = {
  done: 30,
  trials: 60,
  milliseconds: 31_000,
  unmeasured: {},
  agentErrors: 0,
  tokens: undefined,
  inFlight: 4,
};
const broken = {
  key: "helpful",
  mean: undefined,
  count: 0,
  missing: 60,
  broken: 60,
  reason: "the command ended with 1",
};

const RUNS: readonly Run<EvaluateEvent>[] = [
  ["An evaluation", [planned(), ended("complete")]],
  [
    "An evaluation that was taken up, of a busy server, with progress and outputs",
    [
      { type: "journal-aside", path: "/work/results/support.jsonl.journal.aside" },
      planned({ tokens: 15_400, cost: 0.04 }),
      { type: "resumed", kept: 12, joined: 1, removed: 2 },
      { type: "slowed", concurrency: 2 },
      progress(13, 5_000),
      progress(20, 16_000, { tokens: { input: 4_000, output: 1_000 } }),
      progress(25, 20_000),
      progress(40, 33_000, { unmeasured: { timeout: 2, unreachable: 1 }, agentErrors: 1 }),
      { type: "trial", caseId: "cheaper", repetition: 0, outcome: "answered", error: "", output: "Change your plan" },
      { type: "trial", caseId: "cheaper", repetition: 1, outcome: "timeout", error: "took 120 s", output: undefined },
      { type: "warning", message: "The agent server has no threads: nothing shows how a run ended but its stream." },
      ended("complete"),
      { type: "traced", session: "evaluations", runs: 60 },
    ],
  ],
  ["A rehearsal", [planned(), ended("complete")], { rehearsal: true }],
  ["A dry run", [planned({ tokens: 15_400, cost: 0.04 }), ended("dry-run")], { dryRun: true }],
  ["Kept answers that are scored again", [ended("complete")]],
  [
    "An outage",
    [
      planned(),
      ended("incomplete", {
        summary: OUTAGE,
        error: new EvaluationError({
          status: "incomplete",
          why: "12 of 60 trials have no measurement, and at most 0 may.",
        }),
      }),
    ],
  ],
  [
    "A scorer that broke",
    [
      planned(),
      ended("incomplete", {
        summary: { ...SUMMARY, scores: [broken] },
        error: new EvaluationError({
          status: "incomplete",
          why: 'The scorer "helpful" failed on 60 trials: the command ended with 1.',
          reasons: ["SCORER_BROKEN"],
        }),
      }),
    ],
  ],
  [
    "A budget that was reached",
    [
      planned(),
      ended("over-budget", {
        summary: OUTAGE,
        error: new EvaluationError({ status: "over-budget", why: "The runs took more than 10,000 tokens." }),
      }),
    ],
  ],
  [
    "A deadline that passed",
    [
      planned(),
      ended("overdue", {
        summary: OUTAGE,
        error: new EvaluationError({ status: "overdue", why: "The evaluation took longer than 30 min." }),
      }),
    ],
  ],
  [
    "A cancelled evaluation",
    [planned(), progress(30, 31_000), ended("failed", { error: cancelledEvaluation({ progress: PROGRESS }) })],
  ],
  ["Another revision", [ended("failed", { error: new RevisionMismatchError("4f1c09a2", "77aa01c3") })]],
  [
    "Invalid inputs",
    [
      ended("failed", {
        error: new InputsError([{ input: "evaluation", message: "line 3: `trials` must be 1 or more" }]),
      }),
    ],
  ],
  ["An evaluation without an end", [planned(), progress(30, 31_000)]],
];

test("every sentence of the log, the job summary and the comment of an evaluation stands in one file", async () => {
  const page = { heading: "What users see of an evaluation", brief: evaluateBrief, kind: { runUrl: RUN } };
  await expect(pageOfRuns(evaluateStep.reporting, RUNS, page)).toMatchFileSnapshot("what-users-see.md");
});
