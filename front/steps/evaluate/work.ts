import type { ServerFacts } from "../../../src/agent-server/server-facts.ts";
import { connectAgentTo } from "../../../src/connection.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { EvaluationEvent, EvaluationRequest } from "../../../src/evaluation/evaluation.ts";
import { rescoreResults, runEvaluation } from "../../../src/evaluation/run.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { quoted } from "../../../src/text/quoted.ts";
import { countOf } from "../../../src/text/number.ts";
import { withFullStop } from "../../../src/text/reasons.ts";
import { InputsError } from "../../options/inputs-error.ts";
import { reachService } from "../rehearsal.ts";
import { retriesTo, type Surroundings } from "../run-step.ts";
import type { TracingSurroundings } from "../tracing.ts";
import type { EvaluateEvent } from "./events.ts";
import type { AskTask, EvaluateOptions } from "./inputs.ts";

/** Asks the agent and scores its answers, or scores those that are kept. */
export async function carryOut(
  { task, workspace, showsOutputs }: EvaluateOptions,
  { host, redactor, signal, emit: report, clock }: Surroundings<EvaluateEvent>,
): Promise<void> {
  const emit = (event: EvaluationEvent) => {
    const warning = warningOf(event);
    if (warning !== "") report({ type: "warning", message: warning });
    else if (event.type !== "trial" || showsOutputs) report(event);
  };
  const redact = (text: string) => redactor.text(text);
  const isSecret = (value: string) => redactor.holds(value);
  const deps = { env: host.env, workspace, clock, signal, emit, redact, isSecret };
  if (task.type === "rescore") {
    await rescoreResults(task.file, task.by, deps);
    return;
  }
  if (task.request.scorers.length === 0)
    report({ type: "warning", message: "There are no scorers, so the answers get no scores." });
  const { service, ...settings } = task.connection;
  await using reached = await reachService(service, host.place);
  if (reached.isRehearsal && reached.agentUrl === "")
    throw new InputsError([{ input: "agent-url", message: NO_AGENT }]);
  const endpoint = reached.isRehearsal ? new Endpoint(reached.agentUrl) : reached.endpoint;
  await using tracing = await tracingOf(task, { redactor, signal, emit: report, local: reached.endpoint });
  await using agent = connectAgentTo(endpoint, {
    ...settings,
    redactor,
    signal,
    clock,
    onRetry: retriesTo(report),
  });
  const request = { ...task.request, expected: await expectedOf(task, report) };
  await runEvaluation(request, { ...deps, server: agent.agentServer, url: agent.url, tracer: tracing?.tracer });
}

/** What a trial is expected to take. An estimate that cannot be made keeps nobody from asking. */
async function expectedOf(
  { baseline, request }: AskTask,
  report: (event: EvaluateEvent) => void,
): Promise<EvaluationRequest["expected"]> {
  if (baseline.length === 0) return request.expected;
  const { expectedBy } = await import("./expected.ts");
  try {
    return expectedBy(baseline);
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    report({ type: "warning", message: `What to expect is unknown: ${withFullStop(error.message)}` });
    return request.expected;
  }
}

// A function by itself: the compiler leaves the extension of an import() alone in one that has an `await using`.
async function tracingOf({ trace, request }: AskTask, surroundings: TracingSurroundings<EvaluateEvent>) {
  if (!trace || request.dryRun) return undefined;
  const { openTracing } = await import("../tracing.ts");
  const onSent = (runs: number): void => {
    surroundings.emit({ type: "traced", session: trace.session, runs });
  };
  return openTracing(trace, surroundings, { what: "evaluation", onSent });
}

const NO_AGENT =
  "is local, and no earlier step of the job has deployed an agent to a local service (`control-plane-url: local`)";

/** What a user should check; empty for an event that only tells how it goes. */
function warningOf(event: EvaluationEvent): string {
  switch (event.type) {
    case "stateless":
      return "The agent server has no threads: nothing shows how a run ended but its stream.";
    case "no-outputs":
      return `No answer has anything at ${quoted(event.path)}, the path of \`output\`. If the state has the answer elsewhere, correct it: \`keep-state: true\` keeps the states in the results.`;
    case "threads-left":
      return `${countOf(event.count, "thread")} of this evaluation could not be removed from the agent server: ${event.reason}`;
    case "server-changed": {
      const { first, last } = event;
      return `The agent server changed during the evaluation: ${nameOf(first)} before, ${nameOf(last)} after.`;
    }
    default:
      return "";
  }
}

function nameOf({ version, revisionId }: ServerFacts): string {
  return `version ${version === "" ? "unknown" : version}, revision ${revisionId === "" ? "unknown" : revisionId}`;
}
