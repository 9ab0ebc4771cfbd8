import { uploadTracesStep as step } from "../../front/steps/upload-traces/step.ts";
import { tracesBrief } from "../../front/steps/upload-traces/report/account.ts";
import { withComment } from "../github/comment/step-comment.ts";

export const uploadTracesStep = withComment(step, {
  kind: "traces",
  describe: tracesBrief,
  named: ["sessionName", "files"],
});
