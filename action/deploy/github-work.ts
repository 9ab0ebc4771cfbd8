import * as core from "@actions/core";
import type { Emit } from "../../src/deployment/events.ts";
import { nameOf } from "../../src/deployment/look.ts";
import { systemClock } from "../../src/http/clock.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import { durationText } from "../../src/text/duration.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub, type GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { findPullRequest } from "../github/pull-request.ts";
import { taskOf, type NewRecord } from "../github/records/record.ts";
import { Recorder, stateAfter } from "../github/records/recorder.ts";
import type { DeployGitHub, DeployInputs } from "./inputs.ts";
import { learn, NO_FACTS, type DeployFacts } from "./report/facts.ts";

// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;

/** What the work shares with the step around it. */
interface Surroundings {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** Runs the work and shows it on GitHub. What GitHub refuses is a warning, never an error. */
export async function onGitHub(
  { request }: Pick<DeployInputs, "request">,
  inputs: DeployGitHub,
  { redactor, signal, emit }: Surroundings,
  work: (emit: Emit, beforeFirstWrite?: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const effort = new BestEffort((message) => {
    // What was cut by a cancel is closed by the post script.
    if (!signal.aborted) emit({ type: "warning", message });
  });
  // Its own signal: how a deploy that was cancelled ended is shown too.
  const end = endAfter(signal);
  const github = await effort.attempt("The connection to GitHub", () =>
    connectGitHub(inputs, {
      redactor,
      signal: end,
      onRetry: (notice) => {
        emit({ type: "retry", notice });
      },
    }),
  );
  if (github === undefined) {
    await work(emit);
    return;
  }
  try {
    await recorded(inputs, nameOf(request.target, undefined), { github, effort, redactor, emit }, work);
  } finally {
    await github[Symbol.asyncDispose]();
  }
}

async function recorded(
  { environment, ...inputs }: DeployGitHub,
  name: string,
  { github, effort, redactor, emit }: { github: GitHub; effort: BestEffort } & Omit<Surroundings, "signal">,
  work: (emit: Emit, beforeFirstWrite?: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (environment === undefined) {
    await work(emit);
    return;
  }
  const { id: runId, attempt, url: logUrl } = inputs.run;
  const record = async (): Promise<NewRecord> => {
    const sha = await commitOf(github, inputs);
    return { sha, environment, task: taskOf(name), name, runId, attempt };
  };
  const save = (state: string) => {
    try {
      // Under this name post.ts finds it.
      core.saveState("github-record", state);
    } catch (error) {
      effort.report("Saving the deployment record for the post script", error);
    }
  };
  const recorder = new Recorder(record, { github, effort, clock: systemClock, logUrl, save });
  let facts: DeployFacts = NO_FACTS;
  let taken: Promise<void> | undefined;
  try {
    await work(
      (event) => {
        facts = { ...facts, ...learn(event, facts) };
        // Nothing is written, but an earlier run's revision is waited for.
        if (event.type === "recalled" && event.verdict === "resume") taken = recorder.begin();
        emit(event);
      },
      () => recorder.begin(),
    );
  } finally {
    await taken;
    const { ended, url } = facts;
    const environmentUrl = url === undefined ? undefined : redactor.text(url);
    if (ended !== undefined) {
      const description = redactor.text(descriptionOf(facts, ended));
      await recorder.end(stateAfter(ended.outcome, ended.error), { description, environmentUrl });
    }
  }
}

/** The commit that a pull request has as its newest, or that the run is of. */
async function commitOf(github: GitHub, inputs: Omit<DeployGitHub, "environment">): Promise<string> {
  const { event, pullRequest, run } = inputs;
  const isNamed = pullRequest !== undefined || event.commentedPullRequest !== undefined;
  const found = isNamed ? await findPullRequest(github, inputs) : event.pullRequest;
  const commit = found?.headCommit ?? event.workflowRunCommit ?? run.commit;
  if (commit === undefined) throw new GitHubError("the commit of this run is unknown");
  return commit;
}

function descriptionOf(
  { revisionId, rollback }: DeployFacts,
  { outcome, milliseconds }: NonNullable<DeployFacts["ended"]>,
): string {
  const what = outcome === "deployed" || outcome === "unchanged" ? [] : [outcome.replaceAll("-", " ")];
  const which = revisionId === undefined ? [] : [`revision ${revisionId.slice(0, 8)}`];
  // The commit of the record is that of the run, and not of what runs now.
  const back = rollback === undefined ? [] : [`rollback to ${rollback.to.slice(0, 8)}`];
  return [...what, ...which, ...back, durationText(milliseconds)].join(", ");
}

function endAfter(signal: AbortSignal): AbortSignal {
  const end = new AbortController();
  const hurry = () => {
    setTimeout(() => {
      end.abort(new Error("The run was cancelled."));
    }, CANCELLED_PATIENCE_MILLISECONDS).unref();
  };
  if (signal.aborted) hurry();
  else signal.addEventListener("abort", hurry, { once: true });
  return end.signal;
}
