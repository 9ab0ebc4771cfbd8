import type { AgentServer } from "../agent-server/client.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isSameId } from "../contract/uuid.ts";
import { AddressError, hasStatus } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import { poll } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import { VerifyError } from "./errors.ts";
import type { AgentAnswer } from "./events.ts";
import { makeSmokeRun } from "./smoke-run.ts";
import type { Live } from "./wait.ts";

// A rollout drains the old revision and updates names and routes after DEPLOYED.
const PATIENCE_MILLISECONDS = 60_000;
const PAUSE_CAP_MILLISECONDS = 5_000;
const MOST_OF_NAME = 100;
const CALL = { attemptMilliseconds: 10_000, deadlineMilliseconds: 15_000 } as const;

type Look = { readonly ready: true; readonly answer: AgentAnswer } | { readonly ready: false; readonly reason: string };

/**
 * `health` checks only that the agent server is healthy; `full` also that it serves our revision with every graph, and
 * makes the smoke run if one is requested.
 */
export type Proof = "full" | "health";

/** Checks the agent server of a live revision, and waits up to a minute until it passes. */
export async function verify(live: Live, deps: DeployDeps, proof: Proof = "full"): Promise<void> {
  const { emit, clock, random, signal } = deps;
  const { url } = live;
  const smokeRun = proof === "full" ? live.request.smokeRun : undefined;
  if (url === undefined) {
    if (smokeRun !== undefined) throw unreachable(live);
    emit({ type: "warning", message: "The service does not give the agent's address, so the agent was not checked." });
    return;
  }
  const start = clock.now();
  emit({ type: "verify-started", url });
  const server = connect(live, url, deps);
  const result = await poll<Look>({
    look: () => lookAt(server, live, { proof, end: start + PATIENCE_MILLISECONDS }, deps),
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
  if (!result.done || !result.value.ready) {
    const reason = result.value?.ready === false ? result.value.reason : "it did not respond";
    throw failed(live, url, `after ${String(PATIENCE_MILLISECONDS / 1000)} s: ${reason}`);
  }
  const { answer } = result.value;
  const run = smokeRun === undefined ? undefined : await makeSmokeRun(smokeRun, { ...live, url }, server, deps);
  emit({ type: "agent-answered", url, ...answer, run });
  emit({ type: "step-ended", step: "verify", milliseconds: clock.now() - start });
}

function connect(live: Live, url: string, deps: DeployDeps): AgentServer {
  try {
    return deps.agentServer(url);
  } catch (error) {
    throw error instanceof AddressError ? unusable(live, error) : error;
  }
}

interface LookOptions {
  readonly proof: Proof;
  /** When the timeout ends. */
  readonly end: number;
}

async function lookAt(
  server: AgentServer,
  live: Live,
  { proof, end }: LookOptions,
  { clock, signal }: DeployDeps,
): Promise<Look> {
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
    const deadlineMilliseconds = Math.max(end - clock.now(), CALL.deadlineMilliseconds);
    const served = await servedGraphs(server, expected, { ...CALL, deadlineMilliseconds });
    const missing = expected?.filter((id) => !served.has(id)) ?? [];
    if (missing.length > 0) return { ready: false, reason: `it does not serve ${missing.join(", ")}` };
    const graphs = expected === undefined ? undefined : { served: expected.length, expected: expected.length };
    return { ready: true, answer: { milliseconds, version, graphs } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GraphDeployError)) throw error;
    if (error instanceof AddressError) throw unusable(live, error);
    if (hasStatus(error, 401, 403)) throw failed(live, live.url ?? "", error.message, error);
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

/** The expected graphs that are served. Without expected graphs, the search for assistants must only work. */
async function servedGraphs(
  server: AgentServer,
  expected: readonly string[] | undefined,
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  if (expected !== undefined) return await server.servedGraphs(expected, options);
  await server.searchAssistants({}, options).next();
  return new Set();
}

function unusable({ name, deployment, revision, url = "" }: Live, error: AddressError): VerifyError {
  return new VerifyError(
    `${name}: revision ${revision.id} is DEPLOYED, but the agent at ${url} cannot be called: ${error.message}`,
    {
      cause: error,
      deploymentId: deployment.id,
      advice: error.advice,
      reasons: error.advice === undefined ? ["AGENT_ADDRESS"] : error.reasons,
    },
  );
}

function unreachable({ name, deployment, revision }: Live): VerifyError {
  return new VerifyError(
    `${name}: revision ${revision.id} is DEPLOYED, but the service does not give the agent's address, so the smoke run is not possible.`,
    {
      deploymentId: deployment.id,
      advice: "Give the deployment an address in the service.",
      reasons: ["AGENT_ADDRESS_UNKNOWN"],
    },
  );
}

function failed(live: Live, url: string, what: string, cause?: GraphDeployError): VerifyError {
  return new VerifyError(
    `${live.name}: revision ${live.revision.id} is DEPLOYED, but the agent at ${url} failed its health check: ${what}`,
    {
      cause,
      deploymentId: live.deployment.id,
      advice: "Look at the agent's log in the service.",
      reasons: ["AGENT_UNHEALTHY"],
    },
  );
}
