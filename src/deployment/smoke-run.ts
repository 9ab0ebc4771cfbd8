import { isAssistantId } from "../agent-server/assistant-names.ts";
import type { AgentServer } from "../agent-server/client.ts";
import { RunFailedError } from "../agent-server/errors.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { EndlessListError, TimeoutError } from "../http/errors.ts";
import { jsonText } from "../text/json-text.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError, VerifyError } from "./errors.ts";
import type { SmokeAnswer } from "./events.ts";
import { parseExpectation, unmet } from "./expectation.ts";
import type { SmokeRun } from "./request.ts";
import type { Live } from "./wait.ts";

const LONGEST_MILLISECONDS = 120_000;
const HEARTBEAT_MILLISECONDS = 30_000;
const MOST_OF_ANSWER = 300;
// How many graphs a message lists if the graph is unclear.
const MOST_GRAPHS = 20;
// The first page has one assistant for each graph; all pages have room for 2,000 of one graph.
const MOST_PAGES = 20;

type Running = Live & { readonly url: string };

/** Throws for an invalid smoke run; `graphs` are those of the configuration file, if it is known. */
export function checkSmokeRun(smoke: SmokeRun | undefined, graphs: Live["graphs"]): void {
  if (smoke === undefined) return;
  for (const line of smoke.expect) {
    const reading = parseExpectation(line);
    if (reading.ok) continue;
    throw new PlanError(`The smoke run cannot be checked: ${JSON.stringify(line)} ${reading.fault}.`);
  }
  const ids = graphs?.map(({ id }) => id);
  if (ids === undefined) return;
  const { graph } = smoke;
  if (graph === undefined) {
    if (ids.length === 1) return;
    const which = ids.map(quoted).join(", ");
    throw new PlanError(`The smoke run needs a graph: the configuration file has ${which}.`, {
      reasons: ["GRAPH_UNCLEAR"],
    });
  }
  if (ids.includes(graph) || isAssistantId(graph)) return;
  throw new PlanError(`Unknown graph ${quoted(graph)} for the smoke run. Available: ${ids.map(quoted).join(", ")}.`, {
    reasons: ["GRAPH_UNCLEAR"],
  });
}

/** Runs the agent once, never twice, and checks its answer. Throws VerifyError. */
export async function makeSmokeRun(
  smoke: SmokeRun,
  live: Running,
  server: AgentServer,
  deps: DeployDeps,
): Promise<SmokeAnswer> {
  const { clock, emit, signal } = deps;
  const { url } = live;
  const milliseconds = Math.min(LONGEST_MILLISECONDS, live.request.timeoutMilliseconds);
  let graph = smoke.graph ?? "";
  const start = clock.now();
  try {
    graph = smoke.graph ?? (await onlyGraph(live, server, milliseconds));
    const answer = await withHeartbeat(
      server.runAndWait({ assistant_id: graph, input: smoke.input }, { attemptMilliseconds: milliseconds }),
      (elapsedMilliseconds) => {
        emit({ type: "agent-running", url, graph, elapsedMilliseconds });
      },
      deps,
    );
    checkAnswer(answer, smoke, server);
    return { milliseconds: clock.now() - start };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GraphDeployError)) throw error;
    const reason = graph !== "" && error instanceof TimeoutError ? overdue(milliseconds) : reasonOf(error);
    throw failed(live, server.printable(graph, MOST_OF_ANSWER), reason, error);
  }
}

/** The answer does not meet the expectations. */
class UnexpectedAnswerError extends GraphDeployError {
  readonly code = "UNEXPECTED_ANSWER";
}

function checkAnswer(answer: unknown, { expect }: SmokeRun, server: AgentServer): void {
  const faults = expect.flatMap((line) => {
    const reading = parseExpectation(line);
    return reading.ok ? (unmet(reading.expectation, answer) ?? []) : [];
  });
  const [first, ...more] = faults;
  if (first === undefined) return;
  const seen = server.printable(jsonText(first.seen), MOST_OF_ANSWER);
  const rest = more.length === 0 ? "" : `, and ${countOf(more.length, "more expectation")} failed`;
  throw new UnexpectedAnswerError(`the answer ${first.reason}${rest}; ${first.isPart ? "there" : "it"} is ${seen}`);
}

// The configuration file of an image or a repository is not in our source: then the agent is asked.
async function onlyGraph({ graphs }: Live, server: AgentServer, milliseconds: number): Promise<string> {
  const ids = new Set(graphs?.map(({ id }) => id) ?? (await graphsOf(server, milliseconds)));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return only;
  const names = [...ids].map((id) => quoted(server.printable(id, MOST_OF_ANSWER))).join(", ");
  throw new UnexpectedAnswerError(
    only === undefined ? "the agent serves no graph" : `the agent serves more than one graph: ${names}`,
    { reasons: ["GRAPH_UNCLEAR"] },
  );
}

/** The first graphs that the agent serves. */
async function graphsOf(server: AgentServer, deadlineMilliseconds: number): Promise<readonly string[]> {
  const ids: string[] = [];
  // Servers make one assistant for each graph; users may have made thousands. If the server does not mark its own
  // assistants, all count.
  for (const metadata of [{ created_by: "system" }, {}]) {
    for await (const { graph_id } of server.searchAssistants(metadata, {
      deadlineMilliseconds,
      mostPages: MOST_PAGES,
    })) {
      if (!ids.includes(graph_id)) ids.push(graph_id);
      if (ids.length === MOST_GRAPHS) break;
    }
    if (ids.length > 0) break;
  }
  return ids;
}

function reasonOf(error: GraphDeployError): string {
  if (error instanceof RunFailedError) return [error.error, error.said].filter((text) => text !== "").join(": ");
  return error.message;
}

function overdue(milliseconds: number): string {
  return `it did not end within ${String(milliseconds / 1000)} s`;
}

function failed(live: Running, graph: string, reason: string, cause: GraphDeployError): VerifyError {
  const { name, deployment, revision, url } = live;
  const which = graph === "" ? "" : ` of ${quoted(graph)}`;
  const why = reason === "" ? "the agent does not say why" : reason;
  return new VerifyError(
    `${name}: revision ${revision.id} is DEPLOYED, but the smoke run${which} at ${url} failed: ${why}`,
    { cause, deploymentId: deployment.id, ...(isUnclear(cause) ? { reasons: ["GRAPH_UNCLEAR"] } : { advice: ADVICE }) },
  );
}

function isUnclear(cause: GraphDeployError): boolean {
  return cause instanceof EndlessListError || cause.reasons.includes("GRAPH_UNCLEAR");
}

const ADVICE = "Look at the agent's log in the service. The revision serves; nothing was rolled back.";

// Not `poll`: there is nothing to read before the run ends.
async function withHeartbeat<Result>(
  work: Promise<Result>,
  beat: (elapsedMilliseconds: number) => void,
  { clock }: DeployDeps,
): Promise<Result> {
  const start = clock.now();
  const over = new AbortController();
  const beating = (async () => {
    for (;;) {
      await clock.sleep(HEARTBEAT_MILLISECONDS, over.signal);
      beat(clock.now() - start);
    }
  })().catch(() => undefined);
  try {
    return await work;
  } finally {
    over.abort();
    await beating;
  }
}
