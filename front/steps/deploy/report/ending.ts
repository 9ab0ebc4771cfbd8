import type { PlannedChange } from "../../../../src/deployment/events.ts";
import type { DeployFacts } from "./facts.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { describeFailure, printFailure, type Failure } from "../../../account/failure.ts";
import { logTail, logTitle } from "../../../../src/deployment/ending.ts";
import { plannedLines, plannedTarget } from "./words.ts";
import type { Printer } from "../../../account/printer.ts";
import { aboutChoice, DeployError, RollbackUnclearError } from "../../../../src/deployment/errors.ts";
import type { Outcome } from "../../../../src/deployment/outcomes.ts";
import { DEPLOY_ADVICE } from "../../../account/advice.ts";

/** How a run ended: the facts and the one annotation of a failure, or the last line of a success. */
export function printEnding(print: Printer, facts: DeployFacts): void {
  if (facts.ended?.error !== undefined) printError(print, facts, facts.ended.error);
  else if (facts.ended?.outcome === "dry-run") printDryRun(print, facts, facts.change);
  else printSuccess(print, facts);
}

function printError(print: Printer, { ended, logs, page }: DeployFacts, error: Error): void {
  printFailure(print, deployFailure(ended?.outcome ?? "failed", error), () => {
    if (logs === undefined) return;
    const lines = logTail(logs.lines, print.text);
    print.group(logTitle(logs.kind, lines.length), lines);
    if (page !== undefined) print.line("Whole log", page);
  });
}

function printDryRun(print: Printer, facts: DeployFacts, change: PlannedChange | undefined): void {
  if (change !== undefined) {
    print.line(...plannedTarget(change));
    for (const [label, text] of plannedLines(change, facts)) print.line(`  ${label}`, text);
  }
  print.sentence("Nothing was written.");
}

function printSuccess(print: Printer, facts: DeployFacts) {
  const { ended, name = "the deployment", revisionId = "", rollback, url, answer } = facts;
  const took = durationText(ended?.milliseconds ?? 0);
  switch (ended?.outcome) {
    case "started":
      print.line(
        "Done",
        `started revision ${revisionId} of ${name} after ${took}; not waiting for it (\`wait: false\`)`,
      );
      break;
    case "unchanged":
      print.line("Done", `${name} is unchanged after ${took}: revision ${revisionId} is live`);
      break;
    case "skipped":
      print.line("Done", "nothing was deployed");
      break;
    case "removed":
      print.line("Done", `${name} was removed after ${took}`);
      break;
    case "superseded":
      print.line(
        "Done",
        `${name}: revision ${revisionId} was superseded after ${took}, which \`on-superseded: succeed\` allows`,
      );
      break;
    default:
      if (answer === undefined && url !== undefined) print.line("Agent", `${url} (not checked)`);
      print.line(
        "Done",
        rollback === undefined
          ? `${name} is live after ${took}`
          : `${name} is rolled back to revision ${rollback.to} after ${took}`,
      );
  }
}

const TITLES: Readonly<Record<Outcome, string>> = {
  deployed: "Failed",
  unchanged: "Failed",
  started: "Failed",
  "dry-run": "Failed",
  skipped: "Failed",
  removed: "Failed",
  "build-failed": "Build failed",
  "deploy-failed": "Deploy failed",
  superseded: "Superseded",
  interrupted: "Interrupted",
  "timed-out": "Timed out",
  cancelled: "Cancelled",
  failed: "Failed",
};

function rollbackLine(id: string, about: string): string {
  return `rollback-to: ${id}${about === "" ? "" : ` #${about}`}`;
}

/** The failure that a deploy ended with. */
export function deployFailure(outcome: Outcome, error: Error): Failure {
  const failure = describeFailure(error, { title: TITLES[outcome], table: DEPLOY_ADVICE });
  if (error instanceof RollbackUnclearError) {
    const choices = error.choices.filter(({ serves }) => !serves);
    return { ...failure, paste: choices.map((choice) => rollbackLine(choice.id, aboutChoice(choice))) };
  }
  const revisionId = error instanceof DeployError ? error.revisionId : undefined;
  if (revisionId === undefined) return failure;
  const waiting = `To wait for this revision in the next run, set \`revision-id: ${revisionId}\`.`;
  return { ...failure, advice: [failure.advice, waiting].filter((sentence) => sentence !== "").join(" ") };
}
