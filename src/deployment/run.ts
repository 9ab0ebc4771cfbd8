import type { DeployDeps } from "./deps.ts";
import { outcomeOf } from "./errors.ts";
import type { Emit } from "./events.ts";
import type { Success } from "./outcome.ts";
import { Reached } from "./reached.ts";

/**
 * Runs a workflow and tells how it ended; a run that was cancelled ends with an error that says what was written and
 * what goes on remotely. The work writes down how far it has come, and its events are watched for that too.
 */
export async function runToEnd<Result extends { readonly outcome: Success }>(
  deps: DeployDeps,
  work: (deps: DeployDeps, reached: Reached) => Promise<Result>,
): Promise<Result> {
  const { clock, signal } = deps;
  const reached = new Reached();
  const emit: Emit = (event) => {
    reached.note(event);
    deps.emit(event);
  };
  const start = clock.now();
  try {
    const result = await work({ ...deps, emit }, reached);
    emit({ type: "ended", outcome: result.outcome, milliseconds: clock.now() - start, error: undefined });
    return result;
  } catch (thrown) {
    const error = signal.aborted ? reached.cancelled() : thrown;
    emit({
      type: "ended",
      outcome: outcomeOf(error),
      milliseconds: clock.now() - start,
      error: error instanceof Error ? error : new Error(String(error)),
    });
    throw error;
  }
}
