import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";

/** An agent server does not know the assistant or the graph that was named. */
export class UnknownAssistantError extends GraphDeployError {
  readonly code = "UNKNOWN_ASSISTANT";
}

/** The agent failed in a run that was carried out; its server answers that with a success. */
export class RunFailedError extends GraphDeployError {
  readonly code = "RUN_FAILED";
  /** What the agent calls its error, often the name of a class; empty when it does not say. */
  readonly error: string;
  /** What the agent says of it: one line, without the secrets that are known here; empty when it says nothing. */
  readonly said: string;

  constructor(assistant: string, error: string, said: string, options: ErrorOptionsWithAdvice = {}) {
    const what = [error, said].filter((text) => text !== "").join(": ");
    super(`The run of ${assistant} failed${what === "" ? ", and the agent does not say why" : `: ${what}`}`, {
      advice: "Look at the agent's log in the service; the run itself was carried out, and is not sent again.",
      ...options,
    });
    this.error = error;
    this.said = said;
  }
}
