import type { AgentServer } from "../agent-server/client.ts";
import { RunFailedError } from "../agent-server/errors.ts";
import type { StateEnding } from "../agent-server/run-ending.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { valueAtPath } from "../files/json/path.ts";
import { TimeoutError } from "../http/errors.ts";
import { withHeartbeat } from "../http/heartbeat.ts";
import { boundedSearch, LONGEST_SEARCH_MILLISECONDS } from "../text/bounded-search.ts";
import { jsonText, scalarTexts } from "../text/json-text.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployErrorOptions, VerifyError } from "./errors.ts";
import type { SmokeAnswer } from "./events.ts";
import type { Expectation, SmokePlan } from "./smoke-plan.ts";

const LONGEST_MILLISECONDS = 120_000;
const HEARTBEAT_MILLISECONDS = 30_000;
const MOST_OF_ANSWER = 300;

interface Agent {
  readonly server: AgentServer;
  readonly url: string;
  /** The timeout of the deploy; a run takes two minutes at most. */
  readonly timeoutMilliseconds: number;
  /** The error of the revision; `what` follows "but". */
  readonly failed: (what: string, options: DeployErrorOptions) => VerifyError;
}

/** Runs the agent once, never twice, and checks its answer. Throws VerifyError. */
export async function makeSmokeRun(
  { graph: planned, input, expectations }: SmokePlan,
  { server, url, timeoutMilliseconds, failed }: Agent,
  { clock, emit, signal }: DeployDeps,
): Promise<SmokeAnswer> {
  const milliseconds = Math.min(LONGEST_MILLISECONDS, timeoutMilliseconds);
  const start = clock.now();
  let graph = planned ?? "";
  try {
    // The configuration file of an image or a repository is not in our source: then the agent is asked.
    graph = planned ?? (await server.onlyGraph({ deadlineMilliseconds: milliseconds }));
    const run = { assistant_id: graph, input };
    const beat = (elapsedMilliseconds: number) => {
      emit({ type: "agent-running", url, graph, elapsedMilliseconds });
    };
    // Not `poll`: there is nothing to read before the run ends.
    const running = server.runAndWait(run, { attemptMilliseconds: milliseconds });
    const answer = await withHeartbeat(running, HEARTBEAT_MILLISECONDS, beat, clock);
    // An expectation decides alone: an agent may rightly answer nothing, or ask a human.
    if (expectations.length === 0) checkAnswered(server.ending(answer, run), server);
    const [first, ...more] = expectations.flatMap((expectation) => unmet(expectation, answer) ?? []);
    if (!first) return { milliseconds: clock.now() - start };
    const rest = more.length === 0 ? "" : `, and ${countOf(more.length, "more expectation")} failed`;
    throw new UnexpectedAnswerError(
      `the response ${first.reason}${rest}; ${first.isPart ? "there" : "it"} is ${shown(first.seen, server)}`,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GraphDeployError)) throw error;
    const isOverdue = graph !== "" && error instanceof TimeoutError;
    const said = error instanceof RunFailedError ? error.reason : error.message;
    const reason = isOverdue ? `it did not end within ${String(milliseconds / 1000)} s` : said;
    const which = graph === "" ? "" : ` of ${quoted(server.printable(graph, MOST_OF_ANSWER))}`;
    const why = reason === "" ? "the agent gave no reason" : reason;
    const isUnclear = error.reasons.includes("GRAPH_UNCLEAR");
    throw failed(`the smoke run${which} at ${url} failed: ${why}`, {
      cause: error,
      ...(isUnclear ? { reasons: ["GRAPH_UNCLEAR"] } : { advice: ADVICE }),
      ...(error instanceof UnexpectedAnswerError ? { reasons: error.reasons } : {}),
    });
  }
}

/** Why the response does not have the expected value: a clause that follows "the response"; undefined when it has. */
export function unmet({ place, wanted, matches }: Expectation, answer: unknown) {
  const found = valueAtPath(answer, place);
  if (!found) return { reason: `has nothing at ${place.text}`, seen: answer, isPart: false };
  const where = place.text === "" ? "" : ` at ${place.text}`;
  // What is seen is not the whole answer.
  const isPart = place.text !== "";
  const search = boundedSearch(() => {
    let isEmpty = true;
    for (const text of scalarTexts(found.value)) {
      if (matches(text)) return true;
      isEmpty = false;
    }
    // A whole answer without any scalar, such as `{}`, can be expected too: by its JSON.
    return isEmpty && place.steps.length === 0 && matches(jsonText(answer));
  });
  if (!search) {
    const seconds = String(LONGEST_SEARCH_MILLISECONDS / 1000);
    return { reason: `cannot be searched${where} for ${wanted} within ${seconds} s`, seen: found.value, isPart };
  }
  if (search.found) return undefined;
  const verb = wanted.startsWith("/") ? "matches" : "contains";
  return { reason: `has nothing${where} that ${verb} ${wanted}`, seen: found.value, isPart };
}

function checkAnswered(ending: StateEnding, server: AgentServer): void {
  switch (ending.kind) {
    case "answered":
      return;
    case "failed":
      throw ending.error;
    case "empty":
      throw new UnexpectedAnswerError(
        `the response has nothing that the input does not have; it is ${shown(ending.state, server)}`,
        { reasons: ["NOTHING_ANSWERED"] },
      );
    case "interrupted":
      throw new UnexpectedAnswerError(`the agent asks a human instead of answering: ${shown(ending.asked, server)}`, {
        reasons: ["HUMAN_ASKED"],
      });
  }
}

function shown(value: unknown, server: AgentServer): string {
  return server.printable(jsonText(value), MOST_OF_ANSWER);
}

class UnexpectedAnswerError extends GraphDeployError {
  readonly code = "UNEXPECTED_ANSWER";
}

const ADVICE = "Look at the agent's log in the service. The revision serves; nothing was rolled back.";
