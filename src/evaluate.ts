import { connectAgentTo } from "./connection.ts";
import { KEY_VARIABLE, readCall, type UploadOptions } from "./connection-options.ts";
import { abortSignal, ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { resolve } from "node:path";
import * as z from "zod";
import { systemClock } from "./http/clock.ts";
import { surroundings, type Surroundings } from "./environment.ts";
import type { EvaluationDeps, EvaluationEvent } from "./evaluation/evaluation.ts";
import type { EvaluationSummary } from "./scoring/summary.ts";
import { rescoreResults, runEvaluation } from "./evaluation/run.ts";
import { EvaluationShape, KeptShape, readEvaluation, readDefinitionOf } from "./given-evaluation.ts";
import type { Evaluation, KeptEvaluation } from "./given-evaluation.ts";
import { Redactor } from "./http/redactor.ts";

/** Checks what a program gives, connects, and evaluates as the step does. */
export async function evaluate(
  evaluation: Evaluation,
  options: UploadOptions<EvaluationEvent> = {},
): Promise<EvaluationSummary> {
  const call = await readCall("evaluate", [evaluation, options], EVALUATION, "GRAPH_DEPLOY_AGENT_URL");
  const { around, deps, connection } = call;
  const { redactor = new Redactor() } = connection;
  await using agent = connectAgentTo(call.endpoint, { ...connection, redactor });
  const { env, workingDirectory: workspace } = around;
  const at = { server: agent.agentServer, url: agent.url, tracer: undefined };
  return await runEvaluation(call.request, { ...deps, ...at, ...secrecyBy(redactor, around), env, workspace });
}

const EVALUATION = { shape: EvaluationShape, read: readEvaluation };

/** Also a key of the environment that this call does not use is none for a scorer. */
function secrecyBy(redactor: Redactor, { variable }: Surroundings): Pick<EvaluationDeps, "isSecret" | "redact"> {
  redactor.add(variable(KEY_VARIABLE) ?? "");
  return { redact: (text) => redactor.text(text), isSecret: (value) => redactor.holds(value) };
}

/** What a call that sends nothing takes. */
export interface RescoreOptions {
  /** Cancels the scoring. */
  readonly signal?: AbortSignal | undefined;
}

const RescoreShape = z.strictObject({ signal: abortSignal.optional() });

/** Scores kept answers again. Throws EvaluationError where a scorer broke; the results are written then, too. */
export async function rescore(given: KeptEvaluation, options: RescoreOptions = {}): Promise<EvaluationSummary> {
  const around = surroundings();
  const { env, workingDirectory: workspace } = around;
  const shaped = readArgument(KeptShape, given, "the first argument");
  const read = readArgument(RescoreShape, options, "the second argument");
  const faults = [...shaped.faults, ...read.faults];
  const { evaluation, results: name, ...by } = shaped.value ?? { results: "" };
  const definition = await readDefinitionOf(evaluation, by, workspace, faults);
  if (faults.length > 0 || !definition) throw new ArgumentsError("rescore", faults);
  const { signal = new AbortController().signal } = read.value ?? {};
  return await rescoreResults({ path: resolve(workspace, name), name }, definition, {
    ...{ env, workspace, signal, clock: systemClock, emit: () => undefined },
    ...secrecyBy(new Redactor(), around),
  });
}
