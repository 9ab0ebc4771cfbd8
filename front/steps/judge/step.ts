import type { Reporting } from "../../account/step-report.ts";
import type { Step } from "../run-step.ts";
import type { JudgeEvent } from "./events.ts";
import { STATUSES } from "../../../src/judgement/words/standing.ts";
import { JUDGE_INPUTS, readOptions, type JudgeInputName, type JudgeInputs } from "./inputs.ts";
import { account } from "./report/account.ts";
import { learn, NO_FACTS, outputsOf, type JudgeFacts } from "./report/facts.ts";
import { JudgementCancelledError } from "./report/failure.ts";
import { LINES } from "./report/log.ts";

const reporting = {
  work: "judgement",
  task: ({ request: { gates }, baselinePatterns }) => {
    const rules = gates.isEmpty ? "without rules" : "by rules";
    return `judgement of results ${rules}, ${baselinePatterns.length === 0 ? "without a baseline" : "with a baseline"}`;
  },
  kind: ({ runUrl }) => ({ runUrl }),
  facts: NO_FACTS,
  learn,
  lines: LINES,
  account,
  outputs: outputsOf,
  ended: (error, milliseconds) => ({ type: "ended", milliseconds, error }),
  cancelled: () => new JudgementCancelledError(),
  isSuccess: ({ judged }) => judged !== undefined && !STATUSES[judged.judgement.status].isRed,
} satisfies Reporting<JudgeInputs, JudgeEvent, JudgeFacts>;

export const judgeStep: Step<JudgeInputName, JudgeInputs, JudgeEvent, JudgeFacts> = {
  declared: JUDGE_INPUTS,
  // It takes no key and no token: it sends nothing.
  secretsIn: () => [],
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting,
};
