import { aboutChoice, DeployError, RollbackUnclearError } from "../../../../src/deployment/errors.ts";
import { outcomeFact, type Outcome } from "../../../../src/deployment/outcomes.ts";
import { DEPLOY_ADVICE } from "../../../account/advice.ts";
import { describeFailure, type Failure } from "../../../account/failure.ts";

export function deployFailure(outcome: Outcome, error: Error): Failure {
  const { state } = outcomeFact(outcome);
  const title = `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
  const failure = describeFailure(error, { title, table: DEPLOY_ADVICE });
  if (error instanceof RollbackUnclearError) {
    const choices = error.choices.filter(({ serves }) => !serves);
    const lines = choices.map((choice) => [`rollback-to: ${choice.id}`, aboutChoice(choice).trim()]);
    return { ...failure, paste: lines.map((parts) => parts.filter((part) => part !== "").join(" # ")) };
  }
  const revisionId = error instanceof DeployError ? error.revisionId : undefined;
  if (revisionId === undefined) return failure;
  const waiting = `To wait for this revision in the next run, set \`revision-id: ${revisionId}\`.`;
  return { ...failure, advice: [failure.advice, waiting].filter((sentence) => sentence !== "").join(" ") };
}
