import { within } from "../http/clock.ts";
import { messageOf } from "../text/reasons.ts";
import type { Asker, LeftThread } from "./ask.ts";
import type { EvaluationDeps } from "./evaluation.ts";
import type { Journal } from "./journal.ts";

const LAST_CLEARING_MILLISECONDS = 500;
const CLEARING_MILLISECONDS = 30_000;

/** The threads of the trials of an evaluation on the agent server. */
export class TrialThreads {
  /** Trials whose threads may stand there. */
  readonly open = new Set<string>();
  readonly #asker: Asker;
  readonly #journal: Pick<Journal, "evaluation">;
  readonly #deps: EvaluationDeps;

  constructor(asker: Asker, journal: Pick<Journal, "evaluation">, deps: EvaluationDeps) {
    this.#asker = asker;
    this.#journal = journal;
    this.#deps = deps;
  }

  /** Hands over what an earlier process left, the last attempt of a trial first; removes the rest, and says how many. */
  async takeUp(isTaken: (thread: LeftThread) => boolean): Promise<number> {
    const found = await this.#asker.left(this.#journal.evaluation);
    let removed = 0;
    for (const thread of found.sort((one, other) => other.attempt - one.attempt)) {
      if (!isTaken(thread) && (await this.remove(thread.threadId))) removed += 1;
    }
    return removed;
  }

  /** False where it is still there: the last look finds it. */
  async remove(threadId: string): Promise<boolean> {
    return await this.#asker.remove(threadId).then(
      () => true,
      () => false,
    );
  }

  /** Removes what is left of all of it, or says how much is: what may be there, as long as no look shows it. */
  async clear(): Promise<void> {
    const { clock, emit, redact, signal } = this.#deps;
    let count = this.open.size;
    let reason = "The server took too long.";
    const look = async () => {
      const found = await this.#asker.left(this.#journal.evaluation);
      count = found.length;
      for (const { threadId } of found) {
        try {
          await this.#asker.remove(threadId);
          count -= 1;
        } catch (error) {
          reason = redact(messageOf(error));
        }
      }
    };
    const limit = signal.aborted ? LAST_CLEARING_MILLISECONDS : CLEARING_MILLISECONDS;
    await within(clock, limit, look()).catch((error: unknown) => {
      reason = redact(messageOf(error));
    });
    if (count > 0) emit({ type: "threads-left", count, reason });
  }
}
