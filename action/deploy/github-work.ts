import { randomUUID } from "node:crypto";
import * as core from "@actions/core";
import { connectTo } from "../../src/connection.ts";
import { isSameId } from "../../src/contract/uuid.ts";
import type { DeployEvent, Emit } from "../../src/deployment/events.ts";
import type { KnownSources } from "../../src/deployment/known-sources.ts";
import { nameOf } from "../../src/deployment/look.ts";
import { systemClock, type Clock } from "../../src/http/clock.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { durationText } from "../../src/text/duration.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub, type GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { findPullRequest } from "../github/pull-request.ts";
import { readKnownSources } from "../github/records/known-sources.ts";
import { marksOf, taskOf, type ServiceMarks } from "../github/records/place.ts";
import type { NewRecord } from "../github/records/record.ts";
import { revisionText } from "../github/records/states.ts";
import { Recorder, stateAfter } from "../github/records/recorder.ts";
import type { Surroundings } from "../../front/steps/run-step.ts";
import { NotOursError } from "../../front/steps/deploy/errors.ts";
import type { Ended, Hooks } from "../../front/steps/deploy/hooks.ts";
import type { DeployGitHub, DeployInputs } from "../../front/steps/deploy/inputs.ts";
import { learn, NO_FACTS, type DeployFacts } from "../../front/steps/deploy/report/facts.ts";

// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;

/** Keeps a text for the post script. */
type SaveState = (name: string, value: string) => void;

/** Runs the work and shows it on GitHub. What GitHub refuses is a warning, never an error. */
export async function onGitHub(
  { request, connection, preview }: Pick<DeployInputs, "connection" | "preview" | "request">,
  inputs: DeployGitHub,
  {
    redactor,
    signal,
    emit,
    endpoint,
    clock = systemClock,
    random,
    saveState = core.saveState,
  }: Surroundings<DeployEvent> & { readonly endpoint: Endpoint; readonly saveState?: SaveState },
  work: (emit: Emit, hooks?: Hooks) => Promise<void>,
): Promise<void> {
  const effort = new BestEffort((message) => {
    // What was cut by a cancel is closed by the post script.
    if (!signal.aborted) emit({ type: "warning", message });
  });
  // Its own signal: how a deploy that was cancelled ended is shown too.
  using ending = endAfter(signal, clock);
  const { signal: end } = ending;
  const github = connectGitHub(inputs, {
    redactor,
    signal: end,
    clock,
    random,
    onRetry: (notice) => {
      emit({ type: "retry", notice });
    },
  });
  try {
    const marks = marksOf(endpoint.url, connection.tenantId);
    /** Whether the service serves what the run has deployed; with the signal of what is shown after a cancel, too. */
    const isServing = async ({ deploymentId, revisionId }: DeployFacts): Promise<boolean> => {
      await using reached = connectTo(endpoint, { ...connection, redactor, signal: end, clock });
      const { active_revision_id: active, latest_revision_id: latest } = await reached.controlPlane.get(
        deploymentId ?? "",
      );
      return isSameId(active ?? latest, revisionId);
    };
    const name = nameOf(request.target, undefined);
    const { rollbackEnvironment: environment } = inputs;
    const knownSources = async (): Promise<KnownSources> => {
      if (environment === undefined) return new Map();
      const place = { environment, task: taskOf(name), service: marks.service };
      const known = await effort.attempt("Reading the deployment records on GitHub", () =>
        readKnownSources(github, place),
      );
      return known ?? new Map();
    };
    const what = { name, marks, preview, isServing, knownSources };
    await recorded(inputs, what, { github, effort, redactor, emit, clock, saveState }, work);
  } finally {
    await github[Symbol.asyncDispose]();
  }
}

/** What the record is of. */
interface Recorded {
  readonly name: string;
  readonly marks: ServiceMarks;
  readonly preview: DeployInputs["preview"];
  readonly isServing: (facts: DeployFacts) => Promise<boolean>;
  readonly knownSources: () => Promise<KnownSources>;
}

async function recorded(
  { environment, ...inputs }: DeployGitHub,
  { name, marks, preview, isServing, knownSources }: Recorded,
  {
    github,
    effort,
    redactor,
    emit,
    clock,
    saveState,
  }: {
    readonly github: GitHub;
    readonly effort: BestEffort;
    readonly clock: Clock;
    readonly saveState: SaveState;
  } & Pick<Surroundings<DeployEvent>, "emit" | "redactor">,
  work: (emit: Emit, hooks?: Hooks) => Promise<void>,
): Promise<void> {
  if (environment === undefined) {
    await work(emit, { knownSources });
    return;
  }
  const { id: runId, attempt, url: logUrl } = inputs.run;
  let facts: DeployFacts = NO_FACTS;
  const record = async (): Promise<NewRecord> => {
    const sha = await commitOf(github, inputs);
    const { rollback, digest = rollback?.digest } = facts;
    const source = { digest, rolledBackTo: rollback?.to };
    const key = randomUUID();
    const place = { environment, task: taskOf(name), ...marks };
    return { sha, ...place, name, preview: preview?.pullRequest, key, runId, attempt, ...source };
  };
  const save = (state: string) => {
    try {
      // Under this name post.ts finds it.
      saveState("github-record", state);
    } catch (error) {
      effort.report("Saving the deployment record for the post script", error);
    }
  };
  // Only the record shows whose a plain name is.
  const isProof = preview?.isPlain === true;
  const shared = { github, effort, clock, logUrl, save, isProof };
  const recorder = new Recorder(record, { ...shared, isServing: () => isServing(facts) });
  let taken: Promise<void> | undefined;
  let noted: Promise<void> | undefined;
  let shown: Promise<void> | undefined;
  const show = async (ended: Omit<Ended, "type">): Promise<void> => {
    await taken;
    await noted;
    if (ended.error instanceof NotOursError) {
      await recorder.withdraw();
      return;
    }
    const environmentUrl = facts.url === undefined ? undefined : redactor.text(facts.url);
    const description = redactor.text(descriptionOf(facts, ended));
    const isRemoved = ended.outcome === "removed";
    await recorder.end(stateAfter(ended.outcome, ended.error), { description, environmentUrl, isRemoved });
  };
  /** A preview asks for it before it tidies up. */
  const onEnd: Hooks["onEnd"] = (ended) => (shown ??= show(ended));
  try {
    await work(
      (event) => {
        facts = { ...facts, ...learn(event, facts) };
        // Nothing is written, but an earlier run's revision is waited for.
        if (event.type === "recalled" && event.verdict === "resume") taken = recorder.begin();
        if (event.type === "revision-started") noted ??= recorder.noteRevision(event.revisionId);
        emit(event);
      },
      { beforeFirstWrite: () => recorder.begin(), knownSources, onEnd },
    );
  } finally {
    if (facts.ended !== undefined) await onEnd(facts.ended);
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
  const which = revisionId === undefined ? [] : [revisionText(revisionId)];
  // The commit of the record is that of the run, and not of what runs now.
  const back = rollback === undefined ? [] : [`rollback to ${rollback.to.slice(0, 8)}`];
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
