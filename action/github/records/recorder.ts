import { outcomeFact, type Outcome } from "../../../src/deployment/outcomes.ts";
import type { Clock } from "../../../src/http/clock.ts";
import type { BestEffort } from "../best-effort.ts";
import type { GitHub } from "../client.ts";
import { GitHubError, unlessGone } from "../errors.ts";
import type { SavedRecord } from "./close-left.ts";
import { createRecord, type NewRecord } from "./record.ts";
import { deleteRecords, retireAttempts, retireOthers, type IsServing } from "./retirement.ts";
import { revisionText, setState, type RecordState, type StatusFacts } from "./states.ts";

const WHAT = "The deployment record on GitHub";

export interface RecorderDeps {
  readonly github: GitHub;
  readonly effort: BestEffort;
  readonly clock: Clock;
  readonly logUrl: string | undefined;
  /** Saves what the post script closes, should this process be killed; an empty text for nothing. */
  readonly save: (state: string) => void;
  /** Asked once the deploy is live, only if another run seems to be live too. */
  readonly isServing: IsServing;
  /** Only the record shows whose the deployment is: it names the revision early, and one that could not be made is tried again. */
  readonly isProof?: boolean;
}

/** How a deploy has ended, for its record. */
interface End extends StatusFacts {
  readonly isRemoved?: boolean;
}

/** Keeps the record of one deploy; what GitHub refuses is a warning, and then nothing more is sent. */
export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #record: () => Promise<NewRecord>;
  #begun?: Promise<Begun | undefined>;

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

  /** The deploy has made its revision: a record that proves whose it is does so from now on, also if the run is killed. */
  async noteRevision(id: string): Promise<void> {
    const { github, effort, logUrl, isProof = false } = this.#deps;
    const begun = isProof ? await this.#made() : undefined;
    if (!begun) return;
    const facts = { description: revisionText(id), logUrl };
    await effort.attempt(WHAT, () => setState(github, begun.id, "in_progress", facts));
  }

  /** The deploy has ended; with `state` undefined it has nothing to say on a record. */
  async end(state: RecordState | undefined, end: End): Promise<void> {
    // A source that was live already gets a record too: a branch rule may ask for one.
    if (state === "success" || state === "failure") await this.#made();
    if (state === undefined) return;
    if (!(await this.#end(state, end)) || state !== "success") return;
    // A removal deleted the record with its preview, which was deployed again.
    this.#begun = this.#create(() => Promise.resolve());
    await this.#end(state, end);
  }

  /** The record, which is made now if it is not there yet. */
  async #made(): Promise<Begun | undefined> {
    const isTried = this.#begun !== undefined;
    const begun = await this.#begun;
    if (begun || (isTried && this.#deps.isProof !== true)) return begun;
    this.#begun = this.#create(() => Promise.resolve());
    return await this.#begun;
  }

  /** True where the record is gone. */
  async #end(state: RecordState, { isRemoved = false, ...facts }: End): Promise<boolean> {
    const { github, effort, logUrl, save, isServing } = this.#deps;
    const begun = await this.#begun;
    if (!begun) return false;
    const { id, record } = begun;
    const status = { logUrl, ...facts };
    // The post script tries once more.
    this.#save(record, { id, state, ...status });
    const set = await effort.attempt(WHAT, async () => {
      // `gone` if the record was deleted, as the removal of a preview does.
      return (await unlessGone(setState(github, id, state, status).then(() => "set" as const))) ?? "gone";
    });
    if (set === undefined) return false;
    if (set === "set") {
      const { environment, task, service } = record;
      const leaves = state === "success" ? "live" : isRemoved ? "none" : "others";
      const ended = { place: { environment, task, service }, id, leaves, isServing } as const;
      await effort.attempt(WHAT, () => retireOthers(github, ended));
    }
    save("");
    return set === "gone";
  }

  /** Takes the record back: it names what turned out to be of another owner, and would prove the opposite. */
  async withdraw(): Promise<void> {
    const { github, effort, save } = this.#deps;
    const begun = await this.#begun;
    if (!begun) return;
    const gone = await effort.attempt(WHAT, async () => {
      await deleteRecords(github, [begun.id]);
      return true;
    });
    // The post script closes what is left.
    if (gone !== undefined) save("");
  }

  /** The new record, undefined if it could not be made. */
  async #create(then: (id: number, record: NewRecord) => Promise<void>): Promise<Begun | undefined> {
    const { effort, clock, github, save } = this.#deps;
    const left = { state: "error", description: "The run ended before the deploy did" } as const;
    return await effort.attempt(WHAT, async () => {
      const record = await this.#record();
      // The process may be killed before the response comes.
      this.#save(record, left);
      const id = await createRecord(github, record, clock).catch((error: unknown) => {
        if (!(error instanceof GitHubError && error.mayHaveBeenProcessed)) save("");
        throw error;
      });
      this.#save(record, { id, ...left });
      await effort.attempt(WHAT, () => then(id, record));
      return { id, record };
    });
  }

  #save({ environment, key, sha, task }: NewRecord, left: Omit<SavedRecord, "find" | "owner" | "repo">): void {
    const { owner, repo } = this.#deps.github;
    const find = { environment, key, sha, task };
    this.#deps.save(JSON.stringify({ owner, repo, find, ...left } satisfies SavedRecord));
  }
}

interface Begun {
  readonly id: number;
  readonly record: NewRecord;
}

/** What a record says of a deploy that ended so; undefined for one that has no record. */
export function stateAfter(outcome: Outcome, error: Error | undefined): RecordState | undefined {
  // The agent is live, but fails its checks.
  if (error && "code" in error && error.code === "VERIFY") return "failure";
  return outcomeFact(outcome).record;
}
