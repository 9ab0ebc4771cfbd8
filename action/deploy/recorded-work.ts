import { randomUUID } from "node:crypto";
import { connectTo } from "../../src/connection.ts";
import { isSameId } from "../../src/contract/uuid.ts";
import type { DeployEvent } from "../../src/deployment/events.ts";
import { outcomeFact } from "../../src/deployment/outcomes.ts";
import { nameOf } from "../../src/deployment/target.ts";
import type { Clock } from "../../src/http/clock.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { durationText } from "../../src/text/duration.ts";
import { retriesTo, type Surroundings } from "../../front/steps/run-step.ts";
import { learn, NO_FACTS, type DeployFacts } from "../../front/steps/deploy/report/facts.ts";
import type { Ended, How } from "../../front/steps/deploy/work.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub, type GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { findPullRequest } from "../github/pull-request.ts";
import { readKnownSources } from "../github/records/known-sources.ts";
import { marksOf, taskOf } from "../github/records/place.ts";
import type { NewRecord } from "../github/records/record.ts";
import { revisionText } from "../github/records/states.ts";
import { Recorder, stateAfter } from "../github/records/recorder.ts";
import { NotOursError } from "./errors.ts";
import type { DeployGitHub, DeployInputs } from "./inputs.ts";

// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;

export interface Recorded extends Pick<DeployInputs, "connection" | "request"> {
  readonly endpoint: Endpoint;
  readonly github: DeployGitHub;
  readonly pullRequest?: number | undefined;
  /** It is a preview of a plain name: only the record shows whose that is. */
  readonly isPlainPreview?: boolean | undefined;
}

/** What the record of a deploy takes part in, until it is disposed of. */
export type OpenRecord = AsyncDisposable & Pick<How, "beforeFirstWrite" | "knownSources" | "listen" | "onEnd">;

/** Shows the deploy that follows on GitHub. What GitHub refuses is a warning, never an error. */
export function openRecord(
  { request, connection, endpoint, github: inputs, pullRequest, isPlainPreview = false }: Recorded,
  { host, redactor, signal, emit, clock, random }: Surroundings<DeployEvent>,
): OpenRecord {
  const effort = new BestEffort((message) => {
    // What was cut by a cancel is closed by the post script.
    if (!signal.aborted) emit({ type: "warning", message });
  });
  // Its own signal: how a deploy that was cancelled ended is shown too.
  const ending = endAfter(signal, clock);
  const github = connectGitHub(inputs, {
    redactor,
    signal: ending.signal,
    clock,
    random,
    onRetry: retriesTo(emit),
  });
  const dispose = async (): Promise<void> => {
    ending[Symbol.dispose]();
    await github[Symbol.asyncDispose]();
  };
  const name = nameOf(request.target, undefined);
  const marks = marksOf(endpoint.url, connection.tenantId);
  const { environment, rollbackEnvironment } = inputs;
  const knownSources: How["knownSources"] = async () => {
    if (rollbackEnvironment === undefined) return new Map();
    const place = { environment: rollbackEnvironment, task: taskOf(name), service: marks.service };
    const known = await effort.attempt("Reading the deployment records on GitHub", () =>
      readKnownSources(github, place),
    );
    return known ?? new Map();
  };
  if (environment === undefined) return { knownSources, [Symbol.asyncDispose]: dispose };
  const { id: runId, attempt, url: logUrl } = inputs.run;
  let facts: DeployFacts = NO_FACTS;
  const record = async (): Promise<NewRecord> => {
    const sha = await commitOf(github, inputs);
    const { rollback, digest = rollback?.digest } = facts;
    const source = { digest, rolledBackTo: rollback?.to };
    const key = randomUUID();
    const place = { environment, task: taskOf(name), ...marks };
    return { sha, ...place, name, preview: pullRequest, key, runId, attempt, ...source };
  };
  const save = (state: string) => {
    try {
      // Under this name post.ts finds it.
      host.saveState?.("github-record", state);
    } catch (error) {
      effort.report("Saving the deployment record for the post script", error);
    }
  };
  /** Whether the service serves what the run has deployed; with the signal of what is shown after a cancel, too. */
  const isServing = async (): Promise<boolean> => {
    await using reached = connectTo(endpoint, { ...connection, redactor, signal: ending.signal, clock });
    const { active_revision_id: active, latest_revision_id: latest } = await reached.controlPlane.get(
      facts.deploymentId ?? "",
    );
    return isSameId(active ?? latest, facts.revisionId);
  };
  const recorder = new Recorder(record, { github, effort, clock, logUrl, save, isProof: isPlainPreview, isServing });
  let [taken, noted, shown]: (Promise<void> | undefined)[] = [];
  const show = async (ended: Omit<Ended, "type">): Promise<void> => {
    await taken;
    await noted;
    if (ended.error instanceof NotOursError) {
      await recorder.withdraw();
      return;
    }
    const environmentUrl = facts.url === undefined ? undefined : redactor.text(facts.url);
    const description = redactor.text(descriptionOf(facts, ended));
    const isRemoved = outcomeFact(ended.outcome).sign === "gone";
    await recorder.end(stateAfter(ended.outcome, ended.error), { description, environmentUrl, isRemoved });
  };
  return {
    knownSources,
    beforeFirstWrite: () => recorder.begin(),
    listen: (event) => {
      facts = { ...facts, ...learn(event, facts) };
      // Nothing is written, but an earlier run's revision is waited for.
      if (event.type === "recalled" && event.verdict === "resume") taken = recorder.begin();
      if (event.type === "revision-started") noted ??= recorder.noteRevision(event.revisionId);
    },
    // A preview asks for it before it tidies up.
    onEnd: (ended) => (shown ??= show(ended)),
    [Symbol.asyncDispose]: dispose,
  };
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
  const { record, state } = outcomeFact(outcome);
  const what = record === "success" ? [] : [state];
  const which = revisionId === undefined ? [] : [revisionText(revisionId)];
  // The commit of the record is that of the run, and not of what runs now.
  const back = rollback ? [`rollback to ${rollback.to.slice(0, 8)}`] : [];
  return [...what, ...which, ...back, durationText(milliseconds)].join(", ");
}

/** A signal that fires a moment after the given one, as long as it is not disposed of. */
function endAfter(signal: AbortSignal, clock: Clock): Disposable & { readonly signal: AbortSignal } {
  const end = new AbortController();
  let stop = (): void => undefined;
  const hurry = (): void => {
    stop = clock.alarm(CANCELLED_PATIENCE_MILLISECONDS, () => {
      end.abort(new Error("The run was cancelled."));
    });
  };
  if (signal.aborted) hurry();
  else signal.addEventListener("abort", hurry, { once: true });
  const dispose = (): void => {
    signal.removeEventListener("abort", hurry);
    stop();
  };
  return { signal: end.signal, [Symbol.dispose]: dispose };
}
