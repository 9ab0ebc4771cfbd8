import { hash } from "node:crypto";
import { canonicalJson } from "../text/canonical-json.ts";
import { durationText } from "../text/duration.ts";
import { quoted } from "../text/quoted.ts";
import { Asker } from "./ask.ts";
import { Asking, EvaluationError } from "./asking.ts";
import { readDataset } from "./dataset.ts";
import type { EvaluationDeps, EvaluationRequest, EvaluationStatus, EvaluationSummary } from "./evaluation.ts";
import { Journal } from "./journal.ts";
import { Lanes } from "./lanes.ts";
import { headerOf, Summary, writeResults } from "./results.ts";
import { Scoring } from "./scorers.ts";

interface Ended {
  readonly status: EvaluationStatus;
  /** Undefined where none were written. */
  readonly resultsPath: string | undefined;
  readonly summary: EvaluationSummary;
  readonly error: EvaluationError | undefined;
}

/**
 * Asks a deployed agent every case of a dataset, scores the answers and writes the results; what a process that was
 * killed has asked is taken up. Throws EvaluationError for an evaluation that did not measure all that it should, and
 * whatever kept it from its first run. Results are written unless it failed.
 */
export async function runEvaluation(request: EvaluationRequest, deps: EvaluationDeps): Promise<EvaluationSummary> {
  const { clock, emit, signal } = deps;
  const begin = clock.now();
  const ended = await evaluate(request, deps).catch((thrown: unknown) => {
    const other = thrown instanceof Error ? thrown : new Error(String(thrown));
    const cancelled = "The evaluation was cancelled before it had results.";
    const error = signal.aborted ? new EvaluationError("EVALUATION_CANCELLED", cancelled) : other;
    const status = error instanceof EvaluationError ? error.status : "failed";
    return { status, error, resultsPath: undefined, summary: undefined };
  });
  emit({ type: "ended", milliseconds: clock.now() - begin, ...ended });
  if (ended.error) throw ended.error;
  return ended.summary;
}

async function evaluate(request: EvaluationRequest, deps: EvaluationDeps): Promise<Ended> {
  const { clock, emit, signal } = deps;
  const { resultsPath, trials, deadlineMilliseconds, expected } = request;
  const { cases, digest } = await readDataset(request.dataset);
  const halt = new AbortController();
  const lanes = new Lanes(request.concurrency);
  const asker = new Asker(request, { ...deps, signal: AbortSignal.any([signal, halt.signal]) }, lanes);
  const { server: first, graph } = await asker.meet();
  const revisionId = request.revisionId ?? first.revisionId;
  if (first.revisionId !== "" && first.revisionId !== revisionId) {
    const served = `The agent server serves the revision ${quoted(first.revisionId)}`;
    throw new EvaluationError("EVALUATION_REVISION", `${served}, not ${quoted(revisionId)}: nothing was asked.`);
  }
  const total = cases.length * trials;
  const [tokens, cost] = [expected.tokens, expected.cost].map((one) => (one === undefined ? undefined : one * total));
  const estimate = { cases: cases.length, trials: total, tokens, cost };
  emit({ type: "planned", estimate, graph, server: first, concurrency: lanes.concurrency });
  await using scoring = new Scoring(request.scorers, deps);
  const evaluatorDigest = await scoring.digest();
  const counted = new Summary();
  if (request.dryRun) {
    const summary = { ...counted.get(), first, last: first };
    return { status: "dry-run", resultsPath: undefined, summary, error: undefined };
  }
  const { file: _file, ...dataset } = request.dataset;
  const { run, allowUnverified, output, onAgentError, prices, keepState } = request;
  const asked = { digest, dataset, graph, run, trials, revisionId, allowUnverified };
  const same = { ...asked, evaluatorDigest, output, onAgentError, prices, keepState };
  using journal = new Journal({ ...request, digest: hash("sha256", canonicalJson(same)) });
  if (journal.aside !== "") emit({ type: "journal-aside", path: journal.aside });
  const asking = new Asking({ request, deps, halt, cases, total, graph, revisionId, asker, lanes, scoring, journal });
  const cancelAlarm = clock.alarm(deadlineMilliseconds, () => {
    asking.stop("EVALUATION_OVERDUE", `The evaluation took longer than ${durationText(deadlineMilliseconds)}`);
  });
  try {
    await asking.all();
  } finally {
    cancelAlarm();
    await asking.clear();
  }
  const last = signal.aborted ? first : await asker.facts().catch(() => first);
  if (last.version !== first.version || last.revisionId !== first.revisionId) {
    emit({ type: "server-changed", first, last });
  }
  for (const row of asking.rows()) counted.add(row);
  const summary = { ...counted.get(), first, last };
  const error = asking.errorOf(summary);
  const isFinished = !error || asking.isSettled;
  journal.close(isFinished);
  const isFailed = error?.status === "failed";
  if (!isFailed) writeResults(resultsPath, headerOf({ request, graph, evaluatorDigest, summary }), asking.rows());
  if (isFinished) journal.remove();
  return { status: error?.status ?? "complete", resultsPath: isFailed ? undefined : resultsPath, summary, error };
}
