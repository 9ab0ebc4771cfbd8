import type { Clock } from "../../../src/http/clock.ts";
import type { BestEffort } from "../best-effort.ts";
import type { GitHub } from "../client.ts";
import { createRecord, setState, type NewRecord, type RecordState, type StatusFacts } from "./record.ts";
import { retireAttempts, retireOlder } from "./retirement.ts";

const WHAT = "The deployment record on GitHub";

/** What a recorder works with. */
export interface RecorderDeps {
  readonly github: GitHub;
  readonly effort: BestEffort;
  readonly clock: Clock;
  /** The page of the workflow run. */
  readonly logUrl: string | undefined;
  /** Saves what the post script closes, should this process be killed; an empty text for nothing. */
  readonly save: (state: string) => void;
}

/** Keeps the record of one deploy; what GitHub refuses is a warning, and then nothing more is sent. */
export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #record: () => Promise<NewRecord>;
  #begun: Promise<number | undefined> | undefined;

  /** `record` is asked when the deploy begins to write. */
  constructor(record: () => Promise<NewRecord>, deps: RecorderDeps) {
    this.#record = record;
    this.#deps = deps;
  }

  /** The deploy is about to write, or takes up what an earlier run has written. */
  async begin(): Promise<void> {
    const { github, effort, logUrl } = this.#deps;
    this.#begun ??= this.#create(async (id, record) => {
      await setState(github, id, "in_progress", { logUrl });
      await effort.attempt(WHAT, () => retireAttempts(github, record));
    });
    await this.#begun;
  }

  /** The deploy has ended; with `state` undefined it is still running in the service. */
  async end(state: RecordState | undefined, facts: StatusFacts): Promise<void> {
    const { github, effort, logUrl, save } = this.#deps;
    // A source that was live already gets a record too: a branch rule may ask for one.
    if (state === "success" || state === "failure") this.#begun ??= this.#create(() => Promise.resolve());
    const id = await this.#begun;
    if (id === undefined) return;
    if (state !== undefined) {
      const isSet = await effort.attempt(WHAT, async () => {
        await setState(github, id, state, { logUrl, ...facts });
        return true;
      });
      // The post script tries once more.
      if (isSet === undefined) return;
      if (state === "success") {
        const record = await this.#record();
        await effort.attempt(WHAT, () => retireOlder(github, record, id));
      }
    }
    save("");
  }

  /** The id of the new record, undefined if it could not be made. */
  async #create(then: (id: number, record: NewRecord) => Promise<void>): Promise<number | undefined> {
    const { github, effort, clock, save } = this.#deps;
    return await effort.attempt(WHAT, async () => {
      const record = await this.#record();
      const id = await createRecord(github, record, clock);
      save(JSON.stringify({ id, owner: github.owner, repo: github.repo }));
      await effort.attempt(WHAT, () => then(id, record));
      return id;
    });
  }
}
