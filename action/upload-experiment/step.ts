import { uploadExperimentStep as step } from "../../front/steps/upload-experiment/step.ts";
import { uploadBrief } from "../../front/steps/upload-experiment/report/account.ts";
import { withComment } from "../github/comment/step-comment.ts";

export const uploadExperimentStep = withComment(step, {
  kind: "experiment",
  describe: uploadBrief,
  // What the files say may be missing when a run fails: the same section needs a name that is always known.
  named: ["datasetName", "files"],
});
