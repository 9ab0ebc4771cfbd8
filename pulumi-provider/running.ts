import { setTimeout as pause } from "node:timers/promises";
import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";
import { subscribe } from "node:diagnostics_channel";
import { isObject } from "./core/state/unknown-values.ts";

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

  /** Ends waits and uploads; a request that writes runs to its end, because its result would be unknown otherwise. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const operation = work();
    this.#operations.add(operation);
    try {
      return await operation;
    } finally {
      this.#operations.delete(operation);
    }
  }

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

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/**
 * Calls back when the engine asks its providers to end what runs, as it does at the first Ctrl-C. Pulumi's host of
 * dynamic providers answers that call and passes it on to nothing; without this listener a run would wait for the
 * longest revision, or be ended by force, with deployments that are in no state. Node publishes each call that its
 * server gets, from 24 on; with an earlier Node the engine waits.
 */
export function onEngineCancel(listener: () => void): void {
  subscribe("http2.server.stream.created", (message) => {
    if (!isObject(message)) return;
    const { headers } = message;
    if (isObject(headers) && headers[":path"] === CANCEL) listener();
  });
}
