import { join } from "node:path";
import type { EvaluationRequest } from "../../src/evaluation/evaluation.ts";
import { readScorers } from "../../src/scoring/scorers.ts";
import { parsePath } from "../../src/files/json/path.ts";

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
  if (!output || read.faults.length > 0) throw new TypeError("This is no path, or no scorer.");
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
