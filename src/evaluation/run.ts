import { hash } from "node:crypto";
import { once } from "node:events";
import { relative } from "node:path";
import { serverFacts, type ServerFacts } from "../agent-server/server-facts.ts";
import type { FoundFile } from "../files/find-files.ts";
import { within } from "../http/clock.ts";
import { headerOf, holdResults, scoreResults, writeResults } from "../scoring/results.ts";
import type { ScoredBy, ScoringDeps } from "../scoring/scorer.ts";
import { Scoring } from "../scoring/scorers.ts";
import { Summary, type EvaluationSummary } from "../scoring/summary.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { durationText } from "../text/duration.ts";
import { Asker } from "./ask.ts";
import { Asking } from "./asking.ts";
import { readDataset } from "../scoring/dataset.ts";
import { brokenScorer, EvaluationError, RevisionMismatchError } from "./errors.ts";
import type { EvaluationDeps, EvaluationRequest } from "./evaluation.ts";
import { Journal } from "./journal.ts";
import { Lanes } from "../agent-server/lanes.ts";
import { Trials } from "./trials.ts";

const LAST_FACTS_MILLISECONDS = 5_000;

/**
 * Asks a deployed agent every case of a dataset, scores the answers and writes the results; what a process that was
 * killed has asked is taken up. Throws EvaluationError for an evaluation that did not measure all that it should, and
 * whatever kept it from its first run. Results are written unless it failed.
 */
export async function runEvaluation(request: EvaluationRequest, deps: EvaluationDeps): Promise<EvaluationSummary> {
  const { clock, emit, signal } = deps;
  const begin = clock.now();
  const ended = await evaluate(request, deps).catch((thrown: unknown) => {
    const stop = { status: "cancelled", why: "The evaluation was cancelled before it had results." } as const;
    const other = thrown instanceof Error ? thrown : new Error(String(thrown));
    const end = signal.aborted
      ? { status: stop.status, error: new EvaluationError(stop) }
      : ({ status: "failed", error: other } as const);
    return { ...end, resultsPath: undefined, summary: undefined };
  });
  emit({ type: "ended", milliseconds: clock.now() - begin, ...ended });
  if (ended.error) throw ended.error;
  return ended.summary;
}

/**
 * Scores the answers of results again, and asks nobody. Throws EvaluationError where a scorer broke, with the results
 * written, and whatever kept it from scoring them all, with the results as they were.
 */
export async function rescoreResults(
  file: FoundFile,
  by: ScoredBy,
  deps: ScoringDeps & Pick<EvaluationDeps, "emit">,
): Promise<EvaluationSummary> {
  const begin = deps.clock.now();
  const summary = await scoreResults(file, by, deps);
  const stop = brokenScorer(summary.scores);
  const error = stop && new EvaluationError(stop);
  const milliseconds = deps.clock.now() - begin;
  deps.emit({
    type: "ended",
    status: stop?.status ?? "complete",
    milliseconds,
    resultsPath: file.path,
    summary,
    error,
  });
  if (error) throw error;
  return summary;
}

/** What the server says of itself at the end, unless it takes long or all is to end. */
async function lastFacts({ server, clock, signal }: EvaluationDeps, first: ServerFacts): Promise<ServerFacts> {
  let last = first;
  if (signal.aborted) return last;
  const asked = serverFacts(server).then(
    (facts) => (last = facts),
    () => undefined,
  );
  await Promise.race([within(clock, LAST_FACTS_MILLISECONDS, asked), once(signal, "abort")]);
  return last;
}

async function evaluate(request: EvaluationRequest, deps: EvaluationDeps) {
  const { clock, emit, signal } = deps;
  const { resultsPath, deadlineMilliseconds, expected } = request;
  const { cases, digest } = await readDataset(request.dataset);
  signal.throwIfAborted();
  using _held = request.dryRun ? undefined : holdResults(resultsPath);
  const halt = new AbortController();
  const lanes = new Lanes(request.concurrency);
  const stopping = AbortSignal.any([signal, halt.signal]);
  const asker = new Asker(request, { ...deps, signal: stopping }, lanes);
  const met = asker.meet();
  await Promise.race([met, once(stopping, "abort")]);
  signal.throwIfAborted();
  const { server: first, graph } = await met;
  const revisionId = request.revisionId ?? first.revisionId;
  if (first.revisionId !== "" && first.revisionId !== revisionId) {
    throw new RevisionMismatchError(revisionId, first.revisionId);
  }
  const total = cases.length * request.trials;
  const [tokens, cost] = [expected.tokens, expected.cost].map((one) => (one === undefined ? undefined : one * total));
  const estimate = { cases: cases.length, trials: total, tokens, cost };
  emit({ type: "planned", estimate, graph, server: first, concurrency: lanes.concurrency });
  await using scoring = new Scoring(request, deps);
  const evaluatorDigest = await scoring.digest();
  const counted = new Summary();
  if (request.dryRun) {
    const summary = { ...counted.get(), first, last: first };
    return { status: "dry-run", resultsPath: undefined, summary, error: undefined } as const;
  }
  const { file: _file, ...dataset } = request.dataset;
  const { run, allowUnverified, output, onAgentError, prices, keepState } = request;
  const place = { url: deps.url, version: first.version, results: relative(deps.workspace, resultsPath) };
  const asked = { ...place, digest, dataset, graph, run, trials: request.trials, revisionId, allowUnverified };
  const same = { ...asked, evaluatorDigest, output, onAgentError, prices, keepState };
  // Without a revision, nothing tells whether the agent is another one since an evaluation that ended.
  const keepsEnded = revisionId !== "";
  using journal = new Journal({ ...request, keepsEnded, digest: hash("sha256", canonicalJson(same)) });
  if (journal.aside !== "") emit({ type: "journal-aside", path: journal.aside });
  const parts = { request, deps, cases, revisionId, scoring, journal };
  const trials = new Trials(parts);
  const asking = new Asking({ ...parts, halt, total, graph, asker, lanes, trials });
  const cancelAlarm = clock.alarm(deadlineMilliseconds, () => {
    asking.stop("overdue", `The evaluation took longer than ${durationText(deadlineMilliseconds)}`);
  });
  try {
    await asking.all();
  } finally {
    cancelAlarm();
    await asking.clear();
  }
  const last = await lastFacts(deps, first);
  if (last.version !== first.version || last.revisionId !== first.revisionId) {
    emit({ type: "server-changed", first, last });
  }
  for (const row of trials.rows(asking.open)) counted.add(row);
  if (counted.lacksOutputs) emit({ type: "no-outputs", path: output.text });
  const summary = { ...counted.get(), first, last };
  const stop = asking.endOf(summary);
  const isFinished = !stop || trials.isSettled;
  const error = stop && new EvaluationError(stop);
  const isFailed = stop?.status === "failed";
  if (!isFailed)
    writeResults(resultsPath, headerOf(request, summary, { graph, evaluatorDigest }), trials.rows(asking.open));
  // Only now: answers whose results cannot be written are those of an evaluation that has not ended.
  journal.close(isFinished);
  if (isFailed) return { status: "failed", resultsPath: undefined, summary, error } as const;
  if (isFinished) journal.remove();
  return { status: stop?.status ?? "complete", resultsPath, summary, error } as const;
}
