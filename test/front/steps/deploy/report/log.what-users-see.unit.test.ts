import { expect, test } from "vitest";
import type { DeployStepEvent } from "../../../../../front/steps/deploy/events.ts";
import { deployBrief } from "../../../../../front/steps/deploy/report/account.ts";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import { OUTCOMES } from "../../../../../src/deployment/outcomes.ts";
import { WORKSPACE } from "../../../account/deploy-events.ts";
import * as deploys from "../../../account/deploys.ts";
import { pageOfRuns, type Run } from "../../../account/seen-run.ts";
import { factsOf } from "../../../account/step-output.ts";

const PREVIEW: readonly DeployStepEvent[] = [
  { type: "preview-named", name: "support-agent-pr-7", pullRequest: 7 },
  ...deploys.FIRST_DEPLOY,
];

const RUNS: readonly Run<DeployStepEvent>[] = [
  ["A first deploy", deploys.FIRST_DEPLOY],
  ["A later deploy", deploys.LATER_DEPLOY],
  ["A deploy with a slow queue, a slow agent, a smoke run and a trace", deploys.SLOW_DEPLOY],
  ["A rehearsal", deploys.FIRST_DEPLOY, { rehearsal: true }],
  ["A source that is live already: nothing to do", deploys.UNCHANGED],
  ["A revision of an earlier run: only waited for", deploys.RESUMED],
  ["A step that does not wait", deploys.STARTED_ONLY],
  ["A rollback: to which revision, and what stays", deploys.ROLLED_BACK],
  ["A rollback that cannot tell which revision is the previous one", deploys.UNCLEAR_ROLLBACK],
  ["An image by a tag", deploys.TAGGED_IMAGE],
  ["A dry run of a rollback", deploys.DRY_RUN_OF_A_ROLLBACK, { dryRun: true }],
  ["A preview: when it goes", PREVIEW],
  ["No preview", deploys.NO_PREVIEW],
  ["A preview whose pull request is closed meanwhile", deploys.TAKEN_AWAY],
  ["A dry run for an existing deployment", deploys.DRY_RUN, { dryRun: true }],
  ["A dry run of a source that may be larger than allowed", deploys.DRY_RUN_OF_A_LARGE_SOURCE, { dryRun: true }],
  ["A dry run of a source that is live already", deploys.DRY_RUN_OF_THE_SAME, { dryRun: true }],
  ["A dry run of a new image", deploys.DRY_RUN_OF_NEW_IMAGE, { dryRun: true }],
  ["Build failed: the error, then the build log, then what to do", deploys.FAILED_BUILD],
  ["Build of a first revision failed: nothing is live", deploys.FAILED_FIRST],
  ["Deploy failed", deploys.FAILED_DEPLOY],
  ["Superseded: which revision took the place", deploys.SUPERSEDED],
  ["Superseded, as the workflow expects: no error", deploys.SUPERSEDED_AS_EXPECTED],
  ["Interrupted", deploys.INTERRUPTED],
  ["Timed out", deploys.TIMED_OUT],
  ["Cancelled: what is still running in the service", deploys.CANCELLED],
  ["Failed, after a retry", deploys.REFUSED],
  ["Failed after the deployment was made", deploys.REFUSED_AFTER_CREATE],
  ["Failed because the agent does not answer: it is live", deploys.NO_ANSWER],
  ["Failed because of a bug", deploys.CRASHED],
  ["Invalid inputs: one error, and a line for each of them", deploys.BAD_INPUTS],
  ["One invalid input: said once", deploys.BAD_INPUT],
  ["An agent that is not asked", deploys.NOT_ASKED],
  ["A run without an end", deploys.FIRST_DEPLOY.slice(0, 2)],
];

test("every outcome is among these runs", () => {
  const seenOutcomes = new Set(RUNS.map(([, events]) => factsOf(deployStep.reporting, events).ended?.outcome));
  expect(OUTCOMES.filter((outcome) => !seenOutcomes.has(outcome))).toEqual([]);
});

test("every sentence of the log, the job summary and the comment of a deploy stands in one file", async () => {
  const page = { heading: "What users see of a deploy", brief: deployBrief, kind: { workspace: WORKSPACE } };
  await expect(pageOfRuns(deployStep.reporting, RUNS, page)).toMatchFileSnapshot("what-users-see.md");
});
