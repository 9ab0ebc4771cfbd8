import { testWith } from "../test-with.ts";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { machineEnvironment, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { call, create, release, settled, start, SOURCE_CREATE } from "./caller.ts";
import { projectTarball } from "./tarball.ts";

/** The program of an agent, which reads `behaviour.json` beside it. */
export const SERVER = readFileSync(new URL("../fixtures/agent-script/server.mjs", import.meta.url), "utf8");

/** What the agent of test/fixtures/agent-script does besides answering. */
export interface Behaviour {
  readonly print?: readonly string[];
  readonly printEnv?: readonly string[];
  /** Where it writes its process id, and that of its child. */
  readonly pidFile?: string;
  readonly child?: true;
  readonly deaf?: true;
  readonly startMs?: number;
  readonly exit?: number;
  /** How many times /ok answers 503 first, and what it answers then. */
  readonly unwell?: number;
  readonly okStatus?: number;
  readonly mute?: true;
  readonly move?: true;
  readonly silent?: true;
  readonly anonymous?: true;
}

/** The project of an agent, as a tarball. */
export function agentTarball(behaviour: Behaviour = {}, folder = ""): Buffer {
  return projectTarball({
    [`${folder}graph.json`]: JSON.stringify({ graphs: { agent: "./server.mjs:graph", router: "./server.mjs:other" } }),
    [`${folder}behaviour.json`]: JSON.stringify(behaviour),
    [`${folder}server.mjs`]: SERVER,
  });
}

export const AGENT_COMMAND = `"${process.execPath}" server.mjs {port} {dir} {revision}`;

/** A service that runs what is uploaded. */
export function startRunning(options: LocalServiceOptions = {}): Promise<LocalService> {
  return start({
    agentCommand: AGENT_COMMAND,
    agentEnvironment: machineEnvironment(process.env),
    agentStartMilliseconds: 60_000,
    agentGraceMilliseconds: 20_000,
    ...options,
  });
}

export const withStartRunning = testWith(startRunning);

/** Creates a deployment, releases an agent, and waits for its end. */
export async function runAgent(service: LocalService, behaviour: Behaviour = {}, body: unknown = SOURCE_CREATE) {
  const { id } = await create(service, body);
  return { id, ...(await nextAgent(service, id, behaviour)) };
}

/** One more revision of a deployment, at its end. */
export async function nextAgent(service: LocalService, id: string, behaviour: Behaviour = {}) {
  const revisionId = await release(service, id, agentTarball(behaviour));
  const { status, status_message: message } = await settled(service, id, revisionId);
  return { revisionId, status, message, url: service.deployments().find((row) => row.id === id)?.url ?? "" };
}

/** The messages of a revision's deploy log. */
export async function deployLog(service: LocalService, id: string, revisionId: string): Promise<readonly string[]> {
  const path = `/v1/projects/${id}/revisions/${revisionId}/deploy_logs`;
  const { json } = await call(service.url, "POST", path, { json: { limit: 1000 } });
  return (json as { logs: { level: string; message: string }[] }).logs.map(({ message }) => message);
}

/** True while the process is there; a zombie is not. */
export function isAlive(pid: number): boolean {
  // 0 and below would ask for whole groups.
  if (!(pid > 0)) throw new Error(`${pid} is no process id.`);
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

export function pidsIn(file: string): readonly number[] {
  return readFileSync(file, "utf8").trim().split("\n").map(Number);
}

/** Asks the agent for its revision over and over, ten at a time, until told to stop; answers what it heard. */
export function hammer(url: string) {
  const heard: string[] = [];
  const failed: string[] = [];
  let going = true;
  const ask = async () => {
    // Bounded, so that a test which goes wrong ends.
    for (let turn = 0; going && turn < 2_000; turn += 1) {
      try {
        const { status, json, text } = await call(url, "GET", "/who?ms=15");
        if (status === 200) heard.push((json as { revision: string }).revision);
        else failed.push(`${status} ${text}`);
      } catch (error) {
        failed.push(String(error));
      }
      await sleep(1);
    }
  };
  const askers = Promise.all(Array.from({ length: 10 }, ask));
  return {
    heard,
    failed,
    stop: async () => {
      going = false;
      await askers;
    },
  };
}
