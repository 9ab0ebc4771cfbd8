import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";

/** An agent server does not know the assistant or the graph that was named. */
export class UnknownAssistantError extends GraphDeployError {
  readonly code = "UNKNOWN_ASSISTANT";
}

/** The agent failed in a run; its server responds to that with a success. */
export class RunFailedError extends GraphDeployError {
  readonly code = "RUN_FAILED";
  /** Both: `TypeError: no key`; empty if the agent gives none. */
  readonly reason: string;
  /** The agent's name of its error, often a class; empty if it gives none. */
  readonly error: string;
  /** The agent's message: one line, without known secrets; empty if it gives none. */
  readonly said: string;

  constructor(assistant: string, error: string, said: string, options: ErrorOptionsWithAdvice = {}) {
    const reason = [error, said].filter((text) => text !== "").join(": ");
    super(`The run of ${assistant} failed${reason === "" ? "; the agent gave no reason" : `: ${reason}`}`, {
      advice: "Look at the agent's log in the service; the run itself was carried out, and is not sent again.",
      ...options,
    });
    this.reason = reason;
    this.error = error;
    this.said = said;
  }
}
