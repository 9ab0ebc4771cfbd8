import { onTestFinished } from "vitest";
import { AgentServer } from "../../src/agent-server/client.ts";
import { Asker } from "../../src/evaluation/ask.ts";
import type { EvaluationDeps, EvaluationEvent, EvaluationRequest } from "../../src/evaluation/evaluation.ts";
import type { EvaluationCase } from "../../src/scoring/dataset.ts";
import type { Trial } from "../../src/scoring/trial.ts";
import { Lanes } from "../../src/agent-server/lanes.ts";
import type { JsonObject, JsonValue } from "../../src/files/json/value.ts";
import { systemClock, type Clock } from "../../src/http/clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";

/** What an asker is given besides a server. */
export interface AskerFacts {
  readonly clock?: Clock;
  /** Of its requests. */
  readonly httpClock?: Clock;
  readonly run?: JsonObject;
  readonly graph?: string | undefined;
  readonly concurrency?: number;
  readonly timeoutMilliseconds?: number;
  readonly allowUnverified?: boolean;
  readonly apiKey?: string;
}

/** An asker for the agent server at this address, and what it is made of; it ends with the test. */
export function askerAt(url: string, facts: AskerFacts = {}) {
  const { clock = systemClock, run = {}, concurrency = 8, timeoutMilliseconds = 60_000, apiKey } = facts;
  const { graph = "agent", allowUnverified = false, httpClock = systemClock } = facts;
  const cancel = new AbortController();
  const http = new HttpClient({ clock: httpClock, random: () => 0 });
  onTestFinished(() => http.close());
  const events: EvaluationEvent[] = [];
  const server = new AgentServer({ endpoint: new Endpoint(url, apiKey === undefined ? {} : { apiKey }), http });
  const deps = {
    server,
    clock,
    url,
    signal: cancel.signal,
    emit: (event: EvaluationEvent) => events.push(event),
  };
  const request = { graph: "graph" in facts ? facts.graph : graph, run, timeoutMilliseconds, allowUnverified };
  const lanes = new Lanes(concurrency);
  // An asker reads no more of them.
  const asker = new Asker(request as EvaluationRequest, deps as unknown as EvaluationDeps, lanes);
  return { asker, server, threads: server.threads, lanes, events, cancel, http };
}

/** One trial of a case with these inputs of its runs. */
export function trialOf(id: string, ...turns: readonly [JsonValue, ...JsonValue[]]): Trial {
  const asked: EvaluationCase = {
    id,
    digest: id,
    row: {},
    inputs: {},
    expected: undefined,
    turns,
    cluster: undefined,
  };
  return { case: asked, repetition: 0, attempt: 1 };
}
