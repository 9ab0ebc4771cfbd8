import { join } from "node:path";
import { keepHeapEven } from "../action/small-heap.ts";
import { AgentServer } from "../src/agent-server/client.ts";
import type { EvaluationRequest } from "../src/evaluation/evaluation.ts";
import { runEvaluation } from "../src/evaluation/run.ts";
import { readScorers } from "../src/scoring/scorers.ts";
import { parsePath } from "../src/files/json/path.ts";
import { systemClock } from "../src/http/clock.ts";
import { Endpoint } from "../src/http/endpoint.ts";
import { HttpClient } from "../src/http/http-client.ts";

// An evaluation in a process of its own, so that its memory is its own: url, directory, how many at a time.
// As the step does.
keepHeapEven();
const [url = "", directory = "", concurrency = ""] = process.argv.slice(2);
const started = performance.now();
const output = parsePath("$.messages[-1].content");
const read = readScorers({ said: { equals: "$.answer" } });
if (!output || read.faults.length > 0) throw new Error("This is no path, or no scorer.");
const none = { input: undefined, filter: [], limit: undefined, shard: undefined };
const request: EvaluationRequest = {
  dataset: { file: { path: join(directory, "cases.jsonl"), name: "cases.jsonl" }, name: "cases", ...none },
  ...{ graph: undefined, run: {}, output, scorers: read.scorers, trials: 1, concurrency: Number(concurrency) },
  ...{ timeoutMilliseconds: 120_000, deadlineMilliseconds: 3_600_000, maxErrors: 0, retryErrors: 0 },
  ...{ onAgentError: "zero", allowUnverified: false, maxTokens: undefined, maxCost: undefined, prices: {} },
  ...{ resultsPath: join(directory, "results.jsonl"), resume: true, revisionId: undefined, keepState: false },
  ...{ nonce: undefined, dryRun: false, expected: { tokens: undefined, cost: undefined } },
};
await using http = new HttpClient();
const endpoint = new Endpoint(url, { apiKey: "key-of-the-bench" });
const { scores, unmeasured } = await runEvaluation(request, {
  ...{ server: new AgentServer({ endpoint, http }), url, tracer: undefined, env: {}, workspace: directory },
  ...{ clock: systemClock, signal: new AbortController().signal, emit: () => undefined },
  redact: (text) => http.redactor.text(text),
  isSecret: (value) => http.redactor.holds(value),
});
if (unmeasured > 0 || scores[0]?.mean !== 1) throw new Error("Not every case has the right answer.");
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ seconds, peakKilobytes: process.resourceUsage().maxRSS }));
