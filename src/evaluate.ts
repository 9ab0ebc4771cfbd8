import { connectAgentTo } from "./connection.ts";
import { CallOptionsShape, readCall, type UploadOptions } from "./connection-options.ts";
import { ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";
import type { EvaluationEvent, EvaluationSummary } from "./evaluation/evaluation.ts";
import { runEvaluation } from "./evaluation/run.ts";
import { EvaluationShape, readEvaluation, type Evaluation } from "./given-evaluation.ts";
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
    const redact = (text: string) => redactor.text(text);
    const { env, workingDirectory: workspace } = around;
    const at = { server: agent.agentServer, url: agent.url, tracer: undefined };
    return await runEvaluation(request, { ...deps, ...at, env, workspace, redact });
  } finally {
    await agent.close();
  }
}
