import type { Clock } from "../http/clock.ts";

/** What an upload came to; with an error, a part of it is stored at most. */
export interface UploadOutcome<Status extends string, Value> {
  readonly status: Status;
  readonly value: Value;
  readonly error?: Error | undefined;
}

interface UploadEnd<Status extends string> {
  readonly type: "ended";
  readonly status: Status;
  readonly milliseconds: number;
  readonly error: Error | undefined;
}

/**
 * Runs an upload, emits how it ended, and throws its error. `failure` says how one ended that threw, and what its caller
 * gets in place of what it threw.
 */
export async function runToEnd<Status extends string, Value>(
  { clock, emit }: { readonly clock: Clock; readonly emit: (event: UploadEnd<Status>) => void },
  work: () => Promise<UploadOutcome<Status, Value>>,
  failure: (thrown: unknown) => { readonly status: Status; readonly error: unknown },
): Promise<Value> {
  const start = clock.now();
  const end = (status: Status, error: Error | undefined) => {
    emit({ type: "ended", status, milliseconds: clock.now() - start, error });
  };
  let outcome: UploadOutcome<Status, Value>;
  try {
    outcome = await work();
  } catch (thrown) {
    const { status, error } = failure(thrown);
    end(status, error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  end(outcome.status, outcome.error);
  if (outcome.error) throw outcome.error;
  return outcome.value;
}
