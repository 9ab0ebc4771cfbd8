import { jsonOrUndefined } from "../../text/json-text.ts";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { AgentServerInfo } from "../../contract/agent-server.ts";
import type { AgentCommand } from "./command.ts";
import { AgentProcess } from "./process.ts";
import type { LogLevel } from "../../contract/deployment.ts";

/** The agent could not be started; the message is a sentence. */
export class AgentStartError extends Error {
  override readonly name = "AgentStartError";
}

export interface StartOptions {
  readonly command: AgentCommand;
  /** The working directory: that of the configuration file. */
  readonly directory: string;
  readonly revisionId: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Values to mask in the log. */
  readonly secrets: readonly string[];
  readonly startMilliseconds: number;
  readonly graceMilliseconds: number;
  readonly log: (level: LogLevel, line: string) => void;
  readonly signal: AbortSignal;
  /** A free port; a random one if absent. */
  readonly freePort?: (() => Promise<number>) | undefined;
}

const PORTS_TRIED = 3;

// Below the ports that systems choose themselves: until the agent listens, which takes a Python server seconds,
// no other program that asks for any port gets this one.
const FIRST_PORT = 10_000;
const LAST_PORT = 15_999;
const FREE_PORTS_TRIED = 100;

const LOOK_MS = 50;
const RESPONSE_MS = 2_000;
// /ok and /info have some hundred bytes; in two seconds an agent could send gigabytes.
const RESPONSE_LIMIT_BYTES = 1024 * 1024;
const LIMITS = { headersTimeout: RESPONSE_MS, bodyTimeout: RESPONSE_MS, maxResponseSize: RESPONSE_LIMIT_BYTES };
const CLIENT = new Agent(LIMITS);
const LAST_LINES = 4;

/** Agent servers print this when they move to another port instead of failing. */
const PORT_TAKEN = /\bEADDRINUSE\b|\bport \d+ (?:is )?(?:already )?in use\b|\baddress already in use\b/i;

/**
 * Starts an agent on a free port, and waits until it responds there. Rejects with AgentStartError if it ends before
 * that or times out, and with the signal's reason; no process is left then.
 */
export async function startAgent(options: StartOptions) {
  const { freePort = chooseFreePort, log } = options;
  const deadline = performance.now() + options.startMilliseconds;
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const port = await freePort();
    const process = await tryPort(port, deadline, options);
    if (process) return { port, process };
    log("WARNING", `Port ${String(port)} was taken by another program in the meantime.`);
  }
  throw new AgentStartError(
    `The agent got none of ${String(PORTS_TRIED)} ports, or does not use the port that it is given.`,
  );
}

// Undefined if the port turns out to be in use.
async function tryPort(port: number, deadline: number, options: StartOptions): Promise<AgentProcess | undefined> {
  const { command, directory, revisionId, environment, secrets, graceMilliseconds, log } = options;
  if ((await responseOf(port, "/ok", options.signal)) !== undefined) return undefined;
  const start: Start = { port, deadline, taken: false, lines: [] };
  log("INFO", `Starting the agent on port ${String(port)}.`);
  const process = AgentProcess.start({
    invocation: command({ port, directory, revisionId }),
    directory,
    environment: { ...environment, PORT: String(port) },
    secrets,
    onLine: (line) => {
      log("INFO", line);
      if (PORT_TAKEN.test(line)) start.taken = true;
      start.lines.push(line);
      if (start.lines.length > LAST_LINES) start.lines.shift();
    },
  });
  let ready = false;
  try {
    ready = await isReady(process, start, options);
    return ready ? process : undefined;
  } finally {
    if (!ready) await process.stop(graceMilliseconds);
  }
}

interface Start {
  readonly port: number;
  readonly deadline: number;
  /** It printed that its port is in use. */
  taken: boolean;
  /** The last lines of its output. */
  readonly lines: string[];
}

async function isReady(process: AgentProcess, start: Start, options: StartOptions): Promise<boolean> {
  const { port, deadline, lines } = start;
  const { revisionId, signal, startMilliseconds } = options;
  const fail = (what: string) =>
    new AgentStartError(`The agent ${what}.${lines.length === 0 ? "" : ` Its last lines: ${lines.join(" / ")}`}`);
  for (let isWell = false; ;) {
    // If another program has this port, the agent may have printed it, or ended, during the last response.
    if (start.taken) return false;
    if (isWell && process.ending === "") return true;
    signal.throwIfAborted();
    if (process.ending !== "") throw fail(`${process.ending} before it responded`);
    if (performance.now() > deadline) {
      throw fail(`did not respond to /ok at 127.0.0.1:${String(port)} within ${String(startMilliseconds / 1000)} s`);
    }
    // With the project's own authentication some servers guard even /ok.
    const status = (await responseOf(port, "/ok", signal))?.status;
    isWell = status === 200 || status === 401 || status === 403;
    if (!isWell) {
      await sleep(LOOK_MS, undefined, { signal });
      continue;
    }
    // A server that reports a revision reports the one from its environment; many report none.
    const response = await responseOf(port, "/info", signal);
    const info = AgentServerInfo.safeParse(response?.status === 200 ? response.json : undefined);
    if ((info.data?.host?.host_revision_id ?? revisionId) !== revisionId) return false;
  }
}

// Undefined if there is no response.
async function responseOf(port: number, path: string, signal: AbortSignal) {
  try {
    const { statusCode: status, body } = await request(`http://127.0.0.1:${String(port)}${path}`, {
      dispatcher: CLIENT,
      // An idle connection would keep the agent from ending when it is asked to.
      reset: true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]),
    });
    return { status, json: jsonOrUndefined(await body.text()) };
  } catch {
    return undefined;
  }
}

async function chooseFreePort(): Promise<number> {
  for (let tried = 0; tried < FREE_PORTS_TRIED; tried += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new AgentStartError(`There is no free port between ${String(FIRST_PORT)} and ${String(LAST_PORT)}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
