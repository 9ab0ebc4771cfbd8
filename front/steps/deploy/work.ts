import { connectTo } from "../../../src/connection.ts";
import { warningAt } from "../../../src/contract/advice.ts";
import { DEPLOY_ADVICE } from "../../account/advice.ts";
import { deploy } from "../../../src/deployment/deploy.ts";
import { dryRun } from "../../../src/deployment/dry-run.ts";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { follow } from "../../../src/deployment/follow.ts";
import { systemClock } from "../../../src/http/clock.ts";
import type { Endpoint } from "../../../src/http/endpoint.ts";
import type { DeployStepEvent } from "./events.ts";
import type { DeployAs, Hooks, StepDeps } from "./hooks.ts";
import type { DeployInputs, FollowInputs, SkipInputs } from "./inputs.ts";
import { reachService } from "../rehearsal.ts";
import type { Surroundings } from "../run-step.ts";
import { makeSpool } from "../spool.ts";

/** Does what the inputs ask for, against the service that they name. */
export async function carryOut(
  inputs: DeployInputs | FollowInputs | SkipInputs,
  surroundings: Surroundings<DeployStepEvent>,
): Promise<void> {
  if (inputs.task === "skip") {
    surroundings.emit({ type: "not-kept", reason: inputs.reason });
    surroundings.emit({ type: "ended", outcome: "skipped", milliseconds: 0, error: undefined });
  } else if (inputs.task !== "follow" && inputs.preview !== undefined) {
    const asPreview = await loadPreview();
    const { preview } = inputs;
    await asPreview({ ...inputs, preview }, surroundings, (named, deployAs) =>
      carryOutNamed(named, surroundings, deployAs),
    );
  } else await carryOutNamed(inputs, surroundings, deploy);
}

/** Does the work for a deployment that is named. */
async function carryOutNamed(
  inputs: DeployInputs | FollowInputs,
  { redactor, signal, emit, clock, random }: Surroundings<DeployEvent>,
  deployAs: DeployAs,
): Promise<void> {
  const { connection, runner, trace, github } = inputs;
  const { service, fieldNames } = connection;
  await using reached = await reachService(service, runner.temp, fieldNames);
  const work = async (report: Emit, hooks: Hooks = {}) => {
    const at = reached.isRehearsal ? ofRehearsal(report) : report;
    await workAt(reached.endpoint, inputs, { ...hooks, redactor, signal, clock, random, emit: at, deployAs });
  };
  const shown = async (report: Emit) => {
    const isOnGitHub = inputs.task === "deploy" || github?.rollbackEnvironment !== undefined;
    if (github === undefined || inputs.task === "follow" || !isOnGitHub) {
      await work(report);
      return;
    }
    const onGitHub = await loadGitHub();
    await onGitHub(inputs, github, { redactor, signal, clock, random, emit: report, endpoint: reached.endpoint }, work);
  };
  if (trace === undefined || inputs.task === "dry-run") {
    await shown(emit);
    return;
  }
  const traced = await loadTracing();
  await traced(inputs, trace, { redactor, signal, emit, local: reached.endpoint }, shown);
}

/** The local service ends with the step, and so do its pages. */
function ofRehearsal(emit: Emit): Emit {
  return (event) => {
    emit("page" in event ? { ...event, page: undefined } : event);
  };
}

// A function by itself: the compiler leaves the extension of an import() alone in one that has an `await using`.
async function loadTracing() {
  const { traced } = await import("./traced-work.ts");
  return traced;
}

async function loadPreview() {
  const { asPreview } = await import("../../../action/deploy/preview-work.ts");
  return asPreview;
}

async function loadGitHub() {
  const { onGitHub } = await import("../../../action/deploy/github-work.ts");
  return onGitHub;
}

async function workAt(
  endpoint: Endpoint,
  inputs: DeployInputs | FollowInputs,
  {
    redactor,
    signal,
    emit,
    clock = systemClock,
    beforeFirstWrite,
    knownSources,
    onEnd,
    deployAs,
  }: Surroundings<DeployEvent> & Hooks & { readonly deployAs: DeployAs },
): Promise<void> {
  await using connection = connectTo(endpoint, {
    ...inputs.connection,
    redactor,
    signal,
    clock,
    onRetry: (notice) => {
      emit({ type: "retry", notice });
    },
  });
  await using spool = await makeSpool(inputs.runner.temp);
  const advise: Emit = (event) => {
    emit(event.type === "warning" ? { ...event, message: warningAt(DEPLOY_ADVICE, event) } : event);
  };
  const spoolDirectory = spool.directory;
  const hooks = { beforeFirstWrite, knownSources, onEnd };
  const deps = { ...connection, ...hooks, clock, spoolDirectory, signal, emit: advise };
  await workOn(inputs, deps, deployAs);
}

async function workOn(inputs: DeployInputs | FollowInputs, deps: StepDeps, deployAs: DeployAs): Promise<unknown> {
  if (inputs.task === "follow") return await follow(inputs.request, deps);
  if (inputs.task === "dry-run") return await dryRun(inputs.request, deps);
  const { attempt } = inputs.runner;
  if (attempt > 1 && inputs.request.record === undefined) {
    const reason = `without \`deploy-record\`, what attempt ${String(attempt - 1)} of this run did is unknown`;
    deps.emit({ type: "recalled", verdict: "new", reason });
  }
  return await deployAs(inputs.request, deps);
}
