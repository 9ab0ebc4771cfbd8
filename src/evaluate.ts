import { connectAgentTo } from "./connection.ts";
import { CallOptionsShape, KEY_VARIABLE, readCall, type UploadOptions } from "./connection-options.ts";
import { ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { abortSignal } from "./contract/argument-shapes.ts";
import { resolve } from "node:path";
import * as z from "zod";
import { systemClock } from "./http/clock.ts";
import { surroundings, warnIfUnchecked, type Surroundings } from "./environment.ts";
import type { EvaluationDeps, EvaluationEvent } from "./evaluation/evaluation.ts";
import type { EvaluationSummary } from "./scoring/summary.ts";
import { rescoreResults, runEvaluation } from "./evaluation/run.ts";
import {
  EvaluationShape,
  KeptShape,
  readEvaluation,
  readKept,
  type Evaluation,
  type KeptEvaluation,
} from "./given-evaluation.ts";
import { Endpoint } from "./http/endpoint.ts";
import { Redactor } from "./http/redactor.ts";

/** Checks what a program gives, connects, and evaluates as the step does. */
export async function evaluate(
  evaluation: Evaluation,
  options: UploadOptions<EvaluationEvent> = {},
): Promise<EvaluationSummary> {
  const around = surroundings();
  const shaped = readArgument(EvaluationShape, evaluation, "the first argument");
  const read = readArgument(CallOptionsShape, options, "the second argument");
  const faults = [...shaped.faults, ...read.faults];
  const request = await readEvaluation(shaped, around.workingDirectory, faults);
  const { connection, deps } = readCall(read, "GRAPH_DEPLOY_AGENT_URL", around, faults);
  if (faults.length > 0 || !request) throw new ArgumentsError("evaluate", faults);
  warnIfUnchecked(around, deps.emit);
  const { fieldNames: _, url, redactor = new Redactor(), ...settings } = connection;
  const agent = connectAgentTo(new Endpoint(url, settings, settings), { ...settings, redactor });
  try {
    const { env, workingDirectory: workspace } = around;
    const at = { server: agent.agentServer, url: agent.url, tracer: undefined };
    return await runEvaluation(request, { ...deps, ...at, ...secrecyBy(redactor, around), env, workspace });
  } finally {
    await agent.close();
  }
}

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
  const by = await readKept(shaped, workspace, faults);
  const name = shaped.value?.results ?? "";
  if (faults.length > 0 || !by) throw new ArgumentsError("rescore", faults);
  const { signal = new AbortController().signal } = read.value ?? {};
  return await rescoreResults({ path: resolve(workspace, name), name }, by, {
    ...{ env, workspace, signal, clock: systemClock, emit: () => undefined },
    ...secrecyBy(new Redactor(), around),
  });
}
