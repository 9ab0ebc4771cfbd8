import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AgentServer } from "../../src/agent-server/client.ts";
import type { EvaluationDeps, EvaluationEvent } from "../../src/evaluation/evaluation.ts";
import { runEvaluation } from "../../src/evaluation/run.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { casesText, requestIn, type Settings } from "./request.ts";

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
    const evaluate = async () => {
      try {
        return await runEvaluation(requestIn(directory, settings), {
          ...{ server, url, tracer: undefined, env: {}, workspace: directory, clock: systemClock },
          signal: cancel.signal,
          emit: (event) => events.push(event),
          redact: (text) => http.redactor.text(text),
          isSecret: (value) => http.redactor.holds(value),
          ...deps,
        });
      } finally {
        await http.close();
      }
    };
    const ended = evaluate();
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
