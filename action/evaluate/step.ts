import { evaluateStep as step } from "../../front/steps/evaluate/step.ts";
import { evaluateBrief } from "../../front/steps/evaluate/report/account.ts";
import { withComment } from "../github/comment/step-comment.ts";

export const evaluateStep = withComment(step, {
  kind: "evaluation",
  describe: evaluateBrief,
  named: ["datasetName", "evaluation"],
});
