import { expect, test } from "vitest";
import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import { commentOf } from "../../../../../front/steps/judge/report/comment.ts";
import { JudgementCancelledError } from "../../../../../front/steps/judge/report/failure.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import { SnapshotError } from "../../../../../src/judgement/cases/errors.ts";
import { GatesError } from "../../../../../src/judgement/gates/errors.ts";
import { BaselineError } from "../../../../../src/judgement/judge-results.ts";
import { pageOfRuns, type Run } from "../../../account/seen-run.ts";
import { factsOf } from "../../../account/step-output.ts";
import { baselineOf, caseSet, judged, yesNo } from "../../../../judgement/rig.ts";
import { ended, judgedEvent, JUDGEMENTS, READ, runOf, WRITTEN } from "./judge-events.ts";

const RUN = "https://forge.example/acme/support/actions/runs/77";

function gatesError(gates: string): unknown {
  const set = caseSet(yesNo([1, 1, 0]));
  try {
    return judged(set, baselineOf(set), gates);
  } catch (error) {
    return error;
  }
}

function broken(gates: string): Error {
  const error = gatesError(gates);
  return error instanceof GatesError ? error : expect.fail("the rules were accepted");
}

const REPORT: JudgeEvent = { type: "written", what: "report", path: "/tmp/judged/report.html", bytes: 184_000 };
const RUNS: readonly Run<JudgeEvent>[] = [
  ["A regression", runOf(JUDGEMENTS.regressed, [REPORT])],
  ["A noisy twin", runOf(JUDGEMENTS.twin)],
  ["Harm that is not ruled out", runOf(JUDGEMENTS.unproven)],
  ["A rule that only warns", runOf(JUDGEMENTS.warned)],
  ["A lost shard", runOf(JUDGEMENTS.incomplete)],
  ["An outage", runOf(JUDGEMENTS.outage)],
  ["No baseline yet", runOf(JUDGEMENTS.bootstrap)],
  ["No baseline where one is required", runOf(JUDGEMENTS.missing)],
  ["No rules", runOf(JUDGEMENTS.shown)],
  [
    "Three trials against two runs and an anchor",
    [
      ...READ,
      { type: "warning", message: "The baseline is 12 days old, which is more than 7 days." },
      judgedEvent(JUDGEMENTS.trials, ["releases/v1.snapshot.jsonl"]),
      ...WRITTEN,
      ended(),
    ],
  ],
  ["An outage that a rule allows", runOf(JUDGEMENTS["allowed outage"])],
  ["Five cases, which all fail now", runOf(JUDGEMENTS.lost)],
  ["Five cases, of which one fails now", runOf(JUDGEMENTS.few)],
  ["Rules that no result can break", [...READ, ended(broken("correct drop <= 2\nwarn: error_rate <= 100%"))]],
  ["Rules that name what is not there", [...READ, ended(broken("corect >= 0.9\ncorrect rise <= 2pp\nerrors <= 3s"))]],
  [
    "Another evaluator",
    [
      ...READ,
      ended(
        new BaselineError('The evaluator of the baseline is "a", but that of this run is "b".', {
          reasons: ["EVALUATOR_DIFFERS"],
        }),
      ),
    ],
  ],
  [
    "A baseline that is cut off",
    [
      ...READ,
      ended(new SnapshotError({ file: "baseline/main.snapshot.jsonl", line: 9 }, "the file ends in the middle")),
    ],
  ],
  [
    "Invalid inputs",
    [
      ended(
        new InputsError([
          { input: "results", message: "none.jsonl matches no file" },
          { input: "baseline-max-age", message: '"soon" is not a valid age (examples: 30d, 720h)' },
        ]),
      ),
    ],
  ],
  ["A cancelled judgement", [...READ, ended(new JudgementCancelledError())]],
];

test("every sentence of the log, the job summary and the comment of a judgement stands in one file", async () => {
  const page = pageOfRuns(judgeStep.reporting, RUNS, {
    heading: "What users see of a judgement",
    kind: { runUrl: RUN },
  });
  const comments = RUNS.slice(0, 6).flatMap(([title, events]) => {
    const { judged: shown } = factsOf(judgeStep.reporting, events);
    return shown === undefined
      ? []
      : [`### ${title}\n\n\`\`\`text\n${commentOf(shown, { runUrl: RUN }).trimEnd()}\n\`\`\``];
  });
  await expect(`${page}\n## Comments\n\n${comments.join("\n\n")}\n`).toMatchFileSnapshot("what-users-see.md");
});
