import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AgentServer } from "../../src/agent-server/client.ts";
import type { EvaluationDeps, EvaluationEvent, EvaluationRequest } from "../../src/evaluation/evaluation.ts";
import { runEvaluation } from "../../src/evaluation/run.ts";
import { readScorers } from "../../src/evaluation/scorers.ts";
import { parsePath } from "../../src/files/json/path.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";

export type Settings = Partial<EvaluationRequest> & { readonly of?: Partial<EvaluationRequest["dataset"]> };

/** Cases `c-0`, `c-1`, … with a question each. */
export const casesText = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ id: `c-${at}`, question: `q${at}`, answer: `a${at}` })}\n`,
  );

/** What is evaluated in this directory, which has a dataset. */
export function requestIn(directory: string, { of, ...settings }: Settings = {}): EvaluationRequest {
  const output = parsePath("$.messages[-1].content");
  const read = readScorers({ said: { matches: "/^Answer/" } });
  if (!output || !read.ok) throw new TypeError("This is no path, or no scorer.");
  const none = { input: undefined, filter: [], limit: undefined, shard: undefined };
  return {
    dataset: { file: { path: join(directory, "cases.jsonl"), name: "cases.jsonl" }, name: "cases", ...none, ...of },
    ...{ graph: undefined, run: {}, output, scorers: read.scorers, trials: 1, concurrency: 4 },
    ...{ timeoutMilliseconds: 20_000, deadlineMilliseconds: 60_000, maxErrors: 0, retryErrors: 0 },
    ...{ onAgentError: "zero", allowUnverified: false, maxTokens: undefined, maxCost: undefined, prices: {} },
    ...{ resultsPath: join(directory, "results.jsonl"), resume: true, revisionId: undefined, keepState: false },
    ...{ nonce: undefined, dryRun: false, expected: { tokens: undefined, cost: undefined } },
    ...settings,
  };
}

/** Evaluations of one dataset with so many cases, in a directory of its own. */
export function evaluations(url: string, cases: number) {
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-evaluation-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  writeFileSync(join(directory, "cases.jsonl"), casesText(cases).join(""));
  const rows = () => {
    const lines = readFileSync(join(directory, "results.jsonl"), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as JsonObject & { run_metadata: JsonObject }).slice(1);
  };
  const run = (settings: Settings = {}, more: Partial<EvaluationDeps> & { readonly apiKey?: string } = {}) => {
    const cancel = new AbortController();
    const http = new HttpClient({ clock: systemClock, random: () => 0 });
    const { apiKey, ...deps } = more;
    if (apiKey !== undefined) http.redactor.add(apiKey);
    const events: EvaluationEvent[] = [];
    const server = new AgentServer({ endpoint: new Endpoint(url, apiKey === undefined ? {} : { apiKey }), http });
    const ended = runEvaluation(requestIn(directory, settings), {
      ...{ server, url, tracer: undefined, env: {}, workspace: directory, clock: systemClock, signal: cancel.signal },
      emit: (event) => events.push(event),
      redact: (text) => http.redactor.text(text),
      ...deps,
    }).finally(async () => {
      await http.close();
    });
    return {
      ended,
      events,
      cancel,
      error: ended.then(
        () => undefined,
        (error: unknown) => error,
      ),
    };
  };
  return { directory, rows, run, path: (name: string) => join(directory, name) };
}
