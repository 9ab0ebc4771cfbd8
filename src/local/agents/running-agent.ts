import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentProcess } from "./process.ts";

export interface RunningAgentParts {
  readonly deploymentId: string;
  readonly port: number;
  readonly process: AgentProcess;
  /** Its extracted source, removed with it. */
  readonly directory: string;
}

const LOOK_MS = 20;

/** An agent that takes requests until it is retired. */
export class RunningAgent {
  readonly deploymentId: string;
  readonly port: number;
  readonly #process: AgentProcess;
  readonly #directory: string;
  #inProgress = 0;
  #retired: Promise<boolean> | undefined;

  constructor({ deploymentId, port, process, directory }: RunningAgentParts) {
    this.deploymentId = deploymentId;
    this.port = port;
    this.#process = process;
    this.#directory = directory;
  }

  /** How its process ended; undefined while it runs. */
  get ending(): string | undefined {
    return this.#process.ending;
  }

  /** Counts a request in progress; call the returned function when it is over. */
  begin(): () => void {
    this.#inProgress += 1;
    return () => {
      this.#inProgress -= 1;
    };
  }

  /** Waits for the requests in progress, then stops the process; each may take the grace time. Removes its files. True if it was killed. */
  retire(graceMilliseconds: number): Promise<boolean> {
    return (this.#retired ??= this.#retire(graceMilliseconds));
  }

  async #retire(graceMilliseconds: number): Promise<boolean> {
    const deadline = performance.now() + graceMilliseconds;
    while (this.#inProgress > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    const forced = await this.#process.stop(graceMilliseconds);
    await removeDirectory(this.#directory);
    return forced;
  }
}

/** Removes the directory of an agent. Files that Windows still holds may stay. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
