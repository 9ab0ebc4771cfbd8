import type { AgentServer } from "../agent-server/client.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isSameId } from "../contract/uuid.ts";
import { AddressError, hasStatus } from "../http/errors.ts";
import { poll } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import { type DeployErrorOptions, VerifyError } from "./errors.ts";
import type { AgentAnswer } from "./events.ts";
import type { Live } from "./ending.ts";
import { makeSmokeRun } from "./smoke-run.ts";

// A rollout drains the old revision and updates names and routes after DEPLOYED.
const PATIENCE_MILLISECONDS = 60_000;
const PAUSE_CAP_MILLISECONDS = 5_000;
const MOST_OF_NAME = 100;
const CALL = { attemptMilliseconds: 10_000, deadlineMilliseconds: 15_000 } as const;

/**
 * `health` checks only that the agent server is healthy; `full` also that it serves our revision with every graph, and
 * makes the smoke run if one is requested.
 */
export type Proof = "full" | "health";

/** Checks the agent server of a live revision, and waits up to a minute until it passes. */
export async function verify(live: Live, proof: Proof, deps: DeployDeps): Promise<void> {
  const { emit, clock } = deps;
  const { url, name, deployment, revision } = live;
  const smokeRun = proof === "full" ? live.smokeRun : undefined;
  const failed = (what: string, options: DeployErrorOptions) =>
    new VerifyError(`${name}: revision ${revision.id} is DEPLOYED, but ${what}`, {
      deploymentId: deployment.id,
      ...options,
    });
  if (url === undefined) {
    if (smokeRun) {
      throw failed("the service does not give the agent's address, so the smoke run is not possible.", {
        advice: "Give the deployment an address in the service.",
        reasons: ["AGENT_ADDRESS_UNKNOWN"],
      });
    }
    emit({ type: "warning", message: "The service does not give the agent's address, so the agent was not checked." });
    return;
  }
  const unhealthy = (why: string, cause?: Error) =>
    failed(`the agent at ${url} failed its health check: ${why}`, {
      cause,
      advice: "Look at the agent's log in the service.",
      reasons: ["AGENT_UNHEALTHY"],
    });
  const start = clock.now();
  emit({ type: "verify-started", url });
  try {
    const server = deps.agentServer(url);
    const look = await untilReady(server, live, { proof, url }, deps);
    if (!look.ready) throw unhealthy(`after ${String(PATIENCE_MILLISECONDS / 1000)} s: ${look.reason}`);
    const agent = { server, url, timeoutMilliseconds: live.request.timeoutMilliseconds, failed };
    const run = smokeRun && (await makeSmokeRun(smokeRun, agent, deps));
    emit({ type: "agent-answered", url, ...look.answer, run });
    emit({ type: "step-ended", step: "verify", milliseconds: clock.now() - start });
  } catch (error) {
    if (hasStatus(error, 401, 403)) throw unhealthy(error.message, error);
    if (!(error instanceof AddressError)) throw error;
    throw failed(`the agent at ${url} cannot be called: ${error.message}`, {
      cause: error,
      advice: error.advice,
      reasons: error.advice === undefined ? ["AGENT_ADDRESS"] : error.reasons,
    });
  }
}

type Readiness =
  { readonly ready: true; readonly answer: AgentAnswer } | { readonly ready: false; readonly reason: string };

/** The last look at the agent server: it is ready, or not within a minute. */
async function untilReady(
  server: AgentServer,
  live: Live,
  { proof, url }: { readonly proof: Proof; readonly url: string },
  deps: DeployDeps,
): Promise<Readiness> {
  const { emit, clock, random, signal } = deps;
  const end = clock.now() + PATIENCE_MILLISECONDS;
  const { value } = await poll<Readiness>({
    look: () => lookAt(server, live, { proof, end }, deps),
    isDone: ({ ready }) => ready,
    stateOf: (look) => (look.ready ? "ready" : look.reason),
    onChange: (look, elapsedMilliseconds) => {
      if (!look.ready) emit({ type: "agent-waiting", url, reason: look.reason, elapsedMilliseconds });
    },
    onHeartbeat: (look, elapsedMilliseconds) => {
      const reason = look?.ready === false ? look.reason : "it does not respond yet";
      emit({ type: "agent-waiting", url, reason, elapsedMilliseconds });
    },
    isTransient: () => false,
    timeoutMilliseconds: PATIENCE_MILLISECONDS,
    capMilliseconds: Math.min(PAUSE_CAP_MILLISECONDS, live.request.pollCapMilliseconds),
    clock,
    random,
    signal,
  });
  return value ?? { ready: false, reason: "it did not respond" };
}

/** `end`: when the timeout ends. */
async function lookAt(
  server: AgentServer,
  live: Live,
  { proof, end }: { readonly proof: Proof; readonly end: number },
  { clock, signal }: DeployDeps,
): Promise<Readiness> {
  try {
    const start = clock.now();
    await server.ok(CALL);
    const milliseconds = clock.now() - start;
    if (proof === "health") return { ready: true, answer: { milliseconds, version: undefined, graphs: undefined } };
    const { version, revisionId } = await about(server);
    const ours = live.revision.id;
    if (revisionId !== undefined && !isSameId(revisionId, ours)) {
      return { ready: false, reason: `revision ${server.printable(revisionId, MOST_OF_NAME)} still responds` };
    }
    const expected = live.graphs?.map(({ id }) => id);
    const options = { ...CALL, deadlineMilliseconds: Math.max(end - clock.now(), CALL.deadlineMilliseconds) };
    if (!expected) {
      // The search for assistants must only work.
      await server.searchAssistants({}, options).next();
      return { ready: true, answer: { milliseconds, version, graphs: undefined } };
    }
    const served = await server.servedGraphs(expected, options);
    const missing = expected.filter((id) => !served.has(id));
    if (missing.length > 0) return { ready: false, reason: `it does not serve ${missing.join(", ")}` };
    const graphs = { served: expected.length, expected: expected.length };
    return { ready: true, answer: { milliseconds, version, graphs } };
  } catch (error) {
    signal.throwIfAborted();
    // These do not pass with time.
    if (!(error instanceof GraphDeployError) || error instanceof AddressError || hasStatus(error, 401, 403))
      throw error;
    return { ready: false, reason: error.message };
  }
}

async function about(server: AgentServer) {
  try {
    const info = await server.info(CALL);
    const version = info.version == null ? undefined : server.printable(info.version, MOST_OF_NAME);
    return { version, revisionId: info.host?.host_revision_id ?? undefined };
  } catch (error) {
    // A server without this endpoint proves less, but is healthy.
    if (hasStatus(error, 404, 405)) return { version: undefined, revisionId: undefined };
    throw error;
  }
}
