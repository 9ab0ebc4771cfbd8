import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { AgentServerInfo } from "../../contract/agent-server.ts";
import type { AgentCommand } from "./command.ts";
import { AgentProcess } from "./process.ts";
import type { LogLevel } from "../state/log-store.ts";

/** The agent does not run; the message is a sentence. */
export class AgentStartError extends Error {
  override readonly name = "AgentStartError";
}

/** What is to be started, and how long that may take. */
export interface StartOptions {
  readonly command: AgentCommand;
  /** Where it works: the folder of the configuration file. */
  readonly directory: string;
  readonly revisionId: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Values that are masked in the log. */
  readonly secrets: readonly string[];
  readonly startMilliseconds: number;
  readonly graceMilliseconds: number;
  readonly log: (level: LogLevel, line: string) => void;
  readonly signal: AbortSignal;
  /** A port of this machine that nobody listens on; the system's choice when absent. */
  readonly freePort?: (() => Promise<number>) | undefined;
}

/** An agent that answers. */
export interface StartedAgent {
  readonly port: number;
  readonly process: AgentProcess;
}

const PORTS_TRIED = 3;
const LOOK_MS = 50;
const ANSWER_MS = 2_000;
// A page about health or version has some hundred bytes; in two seconds an agent could send gigabytes.
const ANSWER_LIMIT_BYTES = 1024 * 1024;
const LAST_LINES = 4;

/** What agent servers print when they take another port than the one that they were given, without failing. */
const PORT_TAKEN = /\bEADDRINUSE\b|\bport \d+ (?:is )?(?:already )?in use\b|\baddress already in use\b/i;

/**
 * Starts an agent on a free port, and waits until it answers there. Rejects with AgentStartError when it ends before
 * that or takes too long, and with the signal's reason; no process is left then.
 */
export async function startAgent(options: StartOptions): Promise<StartedAgent> {
  const { freePort = chooseFreePort, log } = options;
  const deadline = performance.now() + options.startMilliseconds;
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const port = await freePort();
    const process = await tryPort(port, deadline, options);
    if (process !== undefined) return { port, process };
    log("WARNING", `Port ${String(port)} was taken by another program in the meantime.`);
  }
  throw new AgentStartError(
    `The agent did not get one of ${String(PORTS_TRIED)} ports, or does not use the port that it is given.`,
  );
}

// Undefined when the port turns out to be somebody else's.
async function tryPort(port: number, deadline: number, options: StartOptions): Promise<AgentProcess | undefined> {
  const { command, directory, revisionId, environment, secrets, graceMilliseconds, log } = options;
  if ((await answerOf(port, "/ok", options.signal)) !== undefined) return undefined;
  const start: Start = { port, deadline, taken: false, lines: [] };
  log("INFO", `Starting the agent on port ${String(port)}.`);
  const process = AgentProcess.start({
    invocation: command.at({ port, directory, revisionId }),
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
  try {
    if (await isReady(process, start, options)) return process;
  } catch (error) {
    await process.stop(graceMilliseconds);
    throw error;
  }
  await process.stop(graceMilliseconds);
  return undefined;
}

interface Start {
  readonly port: number;
  readonly deadline: number;
  /** It has said that somebody else has its port. */
  taken: boolean;
  /** The last lines that it printed. */
  readonly lines: string[];
}

async function isReady(process: AgentProcess, start: Start, options: StartOptions): Promise<boolean> {
  const { port, deadline, lines } = start;
  const { revisionId, signal, startMilliseconds } = options;
  const fail = (what: string) =>
    new AgentStartError(`The agent ${what}.${lines.length === 0 ? "" : ` Its last lines: ${lines.join(" / ")}`}`);
  while (!start.taken) {
    signal.throwIfAborted();
    if (process.ending !== undefined) throw fail(`${process.ending} before it answered`);
    if (performance.now() > deadline) {
      throw fail(`did not answer /ok at 127.0.0.1:${String(port)} within ${String(startMilliseconds / 1000)} s`);
    }
    if (!isWell((await answerOf(port, "/ok", signal))?.status)) {
      await sleep(LOOK_MS, undefined, { signal });
      continue;
    }
    if (await isStranger(port, revisionId, signal)) return false;
    // An agent that gave way to another program on this port may have said so, or ended, while that one answered.
    if (isAlive(process)) return !hasMoved(start);
  }
  return false;
}

// Functions, because the compiler does not see what an await may change.
function isAlive(process: AgentProcess): boolean {
  return process.ending === undefined;
}

function hasMoved(start: Start): boolean {
  return start.taken;
}

// Some servers guard even this page when the project has its own authentication; that is an answer, too.
function isWell(status: number | undefined): boolean {
  return status === 200 || status === 401 || status === 403;
}

// A server that tells its revision tells the one that its environment named; many tell none.
async function isStranger(port: number, revisionId: string, signal: AbortSignal): Promise<boolean> {
  const answer = await answerOf(port, "/info", signal);
  const info = AgentServerInfo.safeParse(answer?.status === 200 ? answer.json : undefined);
  const told = info.success ? info.data.host?.host_revision_id : undefined;
  return told != null && told !== revisionId;
}

// Undefined when nobody answers.
async function answerOf(port: number, path: string, signal: AbortSignal) {
  try {
    const { statusCode: status, body } = await request(`http://127.0.0.1:${String(port)}${path}`, {
      // An idle connection would keep the agent from ending when it is asked to.
      reset: true,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    return { status, json: parse(await textOf(body)) };
  } catch {
    return undefined;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_LIMIT_BYTES) throw new Error("The answer does not end.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function chooseFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}
