import { setTimeout as pause } from "node:timers/promises";
import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";

// The answers of what was ended have to leave this process; an engine that kills waits 5 s.
const ANSWER_MILLISECONDS = 500;

/** The run was cancelled before this operation wrote anything. */
class CancelledError extends GraphDeployError {
  readonly code = "CANCELLED";

  constructor() {
    super("The run was interrupted before anything was written.", { advice: "Run `pulumi up` again." });
  }
}

/**
 * The operations that run in this process. When the run is cancelled, each ends by itself and says how far it came, so
 * that the state knows of every deployment.
 */
export class Running {
  readonly #controller = new AbortController();
  readonly #operations = new Set<Promise<unknown>>();

  /** Ends waits and uploads; a request that writes is left to its end, since nobody could tell what became of it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Runs an operation. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const operation = work();
    this.#operations.add(operation);
    try {
      return await operation;
    } finally {
      this.#operations.delete(operation);
    }
  }

  /** Ends what runs. */
  cancel(): void {
    this.#controller.abort(new CancelledError());
  }

  /** Ends what runs; resolves when this process may end. */
  async end(): Promise<void> {
    this.cancel();
    if (this.#operations.size === 0) return;
    await Promise.allSettled(this.#operations);
    await pause(ANSWER_MILLISECONDS);
  }
}
