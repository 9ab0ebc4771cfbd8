import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentProcess } from "./process.ts";

/** What an agent that answers is made of. */
export interface RunningAgentParts {
  readonly deploymentId: string;
  readonly port: number;
  readonly process: AgentProcess;
  /** Its unpacked source, which goes with it. */
  readonly directory: string;
}

const LOOK_MS = 20;

/** An agent that requests can be sent to, until it is retired. */
export class RunningAgent {
  readonly deploymentId: string;
  readonly port: number;
  readonly #process: AgentProcess;
  readonly #directory: string;
  #underWay = 0;
  #retired: Promise<boolean> | undefined;

  constructor({ deploymentId, port, process, directory }: RunningAgentParts) {
    this.deploymentId = deploymentId;
    this.port = port;
    this.#process = process;
    this.#directory = directory;
  }

  /** How its process has ended; undefined while it runs. */
  get ending(): string | undefined {
    return this.#process.ending;
  }

  /** Counts a request; call what it answers when that is over. */
  begin(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /** Lets the requests under way end, then the process; each may take the grace time. Its files are removed. True when that took force. */
  retire(graceMilliseconds: number): Promise<boolean> {
    return (this.#retired ??= this.#retire(graceMilliseconds));
  }

  async #retire(graceMilliseconds: number): Promise<boolean> {
    const deadline = performance.now() + graceMilliseconds;
    while (this.#underWay > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    const forced = await this.#process.stop(graceMilliseconds);
    await removeFolder(this.#directory);
    return forced;
  }
}

/** Removes a folder of an agent; what cannot be removed (a file that Windows still holds) is no reason to fail. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
