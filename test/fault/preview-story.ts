import { pullRequestEvent } from "../github/events.ts";
import type { Schedule } from "../wire/schedule.ts";
import type { Kill, PreviewRuns, Way } from "./preview-runs.ts";
import type { PreviewSide } from "./preview-side.ts";
import type { PreviewWorld } from "./preview-world.ts";

const MOST_OWN_WAY_MILLISECONDS = 2_500;
/** A look at the pull request is so old at most when its deployment is deleted. */
const LOOKED_MILLISECONDS = 1_300;
// A removal that begins with the last look of a deploy has deleted the preview before that look is answered.
const LAST_LOOK_MILLISECONDS = 3_000;
const LOOK = /\/pulls\/\d+$/;

/** What happens to a pull request, and starts a run of a workflow; `sweep` is that of the schedule. */
type Happening = "closed" | "reopened" | "rerun" | "sweep" | "synchronize";

const STORIES: readonly (readonly Happening[])[] = [
  ["closed"],
  ["closed"],
  ["closed", "sweep"],
  ["synchronize"],
  ["synchronize"],
  ["synchronize", "closed"],
  ["closed", "reopened"],
  ["closed", "reopened"],
  ["closed", "sweep", "reopened"],
  ["synchronize", "closed", "reopened"],
  ["closed", "reopened", "closed"],
  ["synchronize", "rerun"],
  ["rerun"],
  ["synchronize", "closed", "rerun"],
];

/**
 * What happens at the worst moment: the pull request is opened again right after the `first look` of a slow removal, or it
 * is closed at the `last look` of a deploy, and opened again once the removal has deleted what that deploy has made.
 */
export type Moment = "first look" | "last look";

const KINDS = ["cancelled", "dead", "killed"] as const;

/** What a story is told with. */
export interface StoryDeps {
  readonly world: PreviewWorld;
  readonly schedule: Schedule;
  readonly random: () => number;
  /** Of the pull request. */
  readonly number: number;
  readonly name: string;
  readonly sides: readonly PreviewSide[];
  readonly runs: PreviewRuns;
  readonly isWaiting: boolean;
  readonly isSlow: boolean;
  readonly moment: Moment | undefined;
  /** Whether something has been lost, late or refused. */
  readonly isSound: () => boolean;
}

/** What happens to one pull request, the runs that this starts, and how they end. */
export class PreviewStory {
  /** How its runs ended. */
  readonly ends: string[] = [];
  readonly kills: Kill["kind"][] = [];
  /** What runs did that began after the close, or after it was opened again. */
  readonly late: string[] = [];
  /** Whether a removal ran for the last close. */
  hasRemoval = false;
  readonly #deps: StoryDeps;
  /** Runs that have been started. */
  readonly #started: Promise<unknown>[] = [];
  #count = 0;
  #closedAt = Infinity;
  #openedAt = 0;
  #isTold = false;

  constructor(deps: StoryDeps) {
    this.#deps = deps;
    const { world, name, schedule, isSound, moment } = deps;
    world.onDelete = (deleted) => {
      if (deleted !== name) return;
      const openFor = schedule.now() - this.#openedAt;
      const isOld = this.#isOpen && openFor >= LOOKED_MILLISECONDS;
      if (isOld && isSound())
        this.late.push(`it is deleted after it has been open for ${String(Math.round(openFor))} ms`);
      if (moment === "last look" && !this.#isTold) this.#soon("reopened");
    };
  }

  /** Until all runs have ended that this starts, and one another; what has happened. */
  async tell(): Promise<string> {
    const { schedule, moment } = this.#deps;
    const story = moment === undefined ? (STORIES[this.#below(STORIES.length)] ?? []) : [];
    const again = this.deploys(2);
    const tell = async (): Promise<void> => {
      for (const happening of moment === "first look" ? (["closed"] as const) : story) {
        await schedule.sleep(this.#random() * (this.#chance(0.3) ? 500 : 2_500));
        const begun = happening === "rerun" ? again : this.#happen(happening);
        if (begun.length > 0) this.#started.push(schedule.all(begun, 1_500));
      }
    };
    const wayOf = moment === "last look" ? () => this.#wayToLastLook() : undefined;
    this.#started.push(schedule.all([...this.deploys(1, { wayOf }), tell], 500));
    for (let waited = 0; waited < this.#started.length;) {
      waited = this.#started.length;
      await Promise.all(this.#started);
    }
    this.#isTold = true;
    return moment === undefined ? story.join(", ") : `at the ${moment}`;
  }

  /** A run that deploys the commit of now to each service, whenever it begins; some are cut off. */
  deploys(
    attempt: number,
    { isLast = false, wayOf }: { readonly isLast?: boolean; readonly wayOf?: (() => Way) | undefined } = {},
  ): readonly (() => Promise<void>)[] {
    const { world, number, sides, runs, schedule, isSound } = this.#deps;
    const { state } = world.github;
    const event = pullRequestEvent(state, number, "synchronize");
    const { headSha: sha } = state.pulls.find(number);
    this.#count += 1;
    const id = `${String(number)}0${String(attempt > 1 ? 1 : this.#count)}`;
    return sides.map(({ service }) => {
      const kind = isLast || wayOf !== undefined || !this.#chance(0.2) ? undefined : KINDS[this.#below(KINDS.length)];
      const kill = kind && { kind, afterMilliseconds: this.#random() * 3_000 };
      if (kind !== undefined) this.kills.push(kind);
      const wait = isLast || this.#deps.isWaiting;
      const way = isLast ? undefined : (wayOf?.() ?? this.#way());
      return async () => {
        const begunAt = schedule.now();
        const outcome = await runs.deploy(service, { event, sha, id, attempt, wait, kill, way });
        this.ends.push(outcome);
        if (isSound() && kill === undefined && this.#closedAt < begunAt && outcome !== "skipped") {
          this.late.push(`it is ${outcome} by a run that began after the close`);
        }
      };
    });
  }

  /** The jobs of the run that this starts, one for each service. */
  #happen(happening: Exclude<Happening, "rerun">): readonly (() => Promise<void>)[] {
    const { world, number, sides, runs, schedule, moment } = this.#deps;
    const { state } = world.github;
    const usual = this.#way();
    const way = () => (moment === "first look" ? this.#wayFromFirstLook() : usual);
    const removals = (work: (side: PreviewSide) => Promise<string | undefined>) =>
      sides.map((side) => async () => {
        const reason = await work(side);
        if (reason !== undefined) this.ends.push(reason);
      });
    switch (happening) {
      case "sweep":
        return removals(({ service }) => runs.sweep(service, way()));
      case "closed": {
        state.pulls.close(number);
        this.#closedAt = schedule.now();
        const event = pullRequestEvent(state, number, "closed", "pull_request_target");
        // GitHub does not run it for a pull request that has conflicts.
        this.hasRemoval = !this.#chance(0.15);
        return this.hasRemoval ? removals(({ service }) => runs.remove(service, event, way())) : [];
      }
      case "reopened":
        state.pulls.reopen(number);
        this.#closedAt = Infinity;
        this.#openedAt = schedule.now();
        return this.deploys(1);
      case "synchronize":
        state.pulls.push(number);
        return this.deploys(1);
    }
  }

  /** Happens after the request that is on its way now, unless it has happened already. */
  #soon(happening: "closed" | "reopened"): void {
    const { schedule } = this.#deps;
    const happen = async (): Promise<void> => {
      await schedule.sleep(1);
      if (this.#isOpen === (happening === "closed")) this.#started.push(schedule.all(this.#happen(happening), 100));
    };
    this.#started.push(schedule.all([happen]));
  }

  /** That of a slow removal: the pull request is opened again as soon as it has looked, and it takes its time then. */
  #wayFromFirstLook(): Way {
    let looks = 0;
    return (path) => {
      if (!LOOK.test(path)) return looks === 1 ? LOOKED_MILLISECONDS + 1_000 * this.#random() : 0;
      looks += 1;
      if (looks === 1) this.#soon("reopened");
      return 0;
    };
  }

  /** That of a deploy whose look at the end takes long: meanwhile the pull request is closed. */
  #wayToLastLook(): Way {
    let looks = 0;
    return (path) => {
      if (!LOOK.test(path)) return 0;
      looks += 1;
      if (looks !== 2) return 0;
      this.#soon("closed");
      return LAST_LOOK_MILLISECONDS;
    };
  }

  #way(): Way | undefined {
    if (!this.#deps.isSlow || !this.#chance(0.5)) return undefined;
    const way = this.#random() * MOST_OWN_WAY_MILLISECONDS;
    return () => way * this.#random();
  }

  get #isOpen(): boolean {
    const { world, number } = this.#deps;
    return world.github.state.pulls.find(number).state === "open";
  }

  #random(): number {
    return this.#deps.random();
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}
