import { previewName } from "../../src/deployment/preview-name.ts";
import { pullRequestEvent } from "../github/events.ts";
import { cut, lost, refused, type Fault } from "../github/faults.ts";
import { REPOSITORY_ID } from "../github/server.ts";
import { Schedule } from "../wire/schedule.ts";
import { PreviewRuns, type Kill } from "./preview-runs.ts";
import { PreviewSide, type Before } from "./preview-side.ts";
import { NAME, PreviewWorld } from "./preview-world.ts";
import { seeded } from "./seeded.ts";

const MOST_LAG_MILLISECONDS = 5_000;
// GitHub has carried out writes 1 to 2.5 s after their connection had ended.
const LATE = { from: 1_000, most: 1_500 };
const MOST_OWN_WAY_MILLISECONDS = 2_500;
// A look at the pull request is so old at most when its deployment is deleted.
const LOOKED_MILLISECONDS = 1_300;
// Until then all that is late is carried out, and the lists have it.
const SETTLED_MILLISECONDS = 20_000;
// For so long the record of a plain name stays that is in progress.
const DAY_MILLISECONDS = 86_400_000;

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

const KINDS = ["cancelled", "dead", "killed"] as const;

/** How one race ended. */
interface RaceEnd {
  /** Empty for a race that ended well. */
  readonly wrong: readonly string[];
  /** How its runs ended. */
  readonly ends: readonly string[];
  readonly killed: number;
  readonly faults: number;
}

/** One race, which the seed decides: what is wrong when all runs have ended, and after one more. */
class Race {
  readonly #world: PreviewWorld;
  readonly #random: () => number;
  readonly #schedule: Schedule;
  readonly #number: number;
  readonly #name: string;
  readonly #sides: readonly PreviewSide[];
  readonly #runs: PreviewRuns;
  readonly #isPlain: boolean;
  readonly #isWaiting: boolean;
  readonly #isSlow: boolean;
  readonly #ends: string[] = [];
  readonly #kills: Kill["kind"][] = [];
  /** What runs did that began after the close, or after it was opened again. */
  readonly #late: string[] = [];
  #faults = 0;
  #count = 0;
  #closedAt = Infinity;
  #openedAt = 0;
  /** Whether a removal ran for the last close. */
  #hasRemoval = false;

  constructor(world: PreviewWorld, seed: string) {
    this.#world = world;
    this.#random = seeded(seed);
    this.#schedule = new Schedule({ random: this.#random, way: 100 });
    world.schedule = this.#schedule;
    this.#number = world.github.state.pulls.open().number;
    this.#isPlain = this.#chance(0.2);
    const isOnlyOwner = this.#isPlain && this.#chance(0.3);
    this.#isWaiting = !this.#chance(0.15);
    this.#isSlow = this.#chance(0.5);
    const services = this.#chance(0.2) ? world.services : world.services.slice(0, 1);
    const repository = this.#isPlain ? undefined : REPOSITORY_ID;
    const name = previewName({ stem: NAME, limit: 63, repository }, this.#number);
    this.#name = name;
    this.#sides = services.map(
      (service) => new PreviewSide(world, service, { name, number: this.#number, isOnlyOwner }),
    );
    this.#runs = new PreviewRuns(world, { isPlain: this.#isPlain, isOnlyOwner, random: this.#random });
  }

  async run(): Promise<RaceEnd> {
    const { github } = this.#world;
    const { pulls, deployments } = github.state;
    deployments.lag.milliseconds = 0;
    for (const side of this.#sides) {
      const earlier = (["proved", "unproved", "newer", "none", "none", "none", "none"] as const)[this.#below(7)];
      await side.begin(earlier ?? "none", this.#chance(0.3));
    }
    deployments.lag.milliseconds = this.#chance(0.5) ? this.#random() * MOST_LAG_MILLISECONDS : 0;
    const trouble = this.#chance(0.5) ? this.#random() * 0.15 : 0;
    github.faults.otherwise = (method, path) => this.#fault(method, path, trouble);
    this.#world.isLost = () => {
      const isLost = this.#chance(trouble / 3);
      if (isLost) this.#faults += 1;
      return isLost;
    };
    this.#world.onDelete = (deleted) => {
      const openFor = this.#schedule.now() - this.#openedAt;
      const isOpen = pulls.find(this.#number).state === "open";
      if (deleted !== this.#name || !isOpen || openFor < LOOKED_MILLISECONDS || this.#faults > 0) return;
      this.#late.push(`it is deleted after it has been open for ${String(Math.round(openFor))} ms`);
    };
    const story = STORIES[this.#below(STORIES.length)] ?? [];
    await this.#tell(story);
    github.faults.clear();
    this.#world.isLost = () => false;
    // What is late is carried out, and the lists know it, before the next run.
    await this.#settle();
    const isOpen = pulls.find(this.#number).state === "open";
    const before: Before = {
      isOpen,
      hasRemoval: this.#hasRemoval,
      isWaiting: this.#isWaiting,
      kills: this.#kills,
      isSound: this.#faults === 0,
      lag: deployments.lag.milliseconds,
    };
    const wrong = [...this.#late, ...this.#sides.flatMap((side) => side.wrongBefore(before))];
    if (isOpen) await this.#schedule.all(this.#deploys(1, { isLast: true }));
    else await this.#sweep();
    wrong.push(
      ...this.#sides.flatMap((side) => [...(isOpen ? side.wrongOfOpen() : side.left()), ...side.wrongOfOthers()]),
    );
    if (isOpen) {
      pulls.close(this.#number);
      await this.#settle();
      await this.#sweep();
      const left = this.#sides.flatMap((side) => [...side.left(), ...side.wrongOfOthers()]);
      wrong.push(...left.map((what) => `after the close: ${what}`));
    }
    for (const side of this.#sides) await side.end();
    const said = `${story.join(", ")}: ${this.#ends.join(", ")}`;
    return {
      wrong: wrong.map((what) => `${what} (${said})`),
      ends: this.#ends,
      killed: this.#kills.length,
      faults: this.#faults,
    };
  }

  async #settle(): Promise<void> {
    await this.#schedule.all([() => this.#schedule.sleep(this.#isPlain ? DAY_MILLISECONDS : SETTLED_MILLISECONDS)]);
  }

  /** The runs of a story, which begin as things happen. */
  async #tell(story: readonly Happening[]): Promise<void> {
    const runs: Promise<unknown>[] = [];
    const again = this.#deploys(2);
    const tell = async (): Promise<void> => {
      for (const happening of story) {
        await this.#schedule.sleep(this.#random() * (this.#chance(0.3) ? 500 : 2_500));
        const begun = happening === "rerun" ? again : this.#happen(happening);
        if (begun.length > 0) runs.push(this.#schedule.all(begun, 1_500));
      }
    };
    runs.push(this.#schedule.all([...this.#deploys(1), tell], 500));
    for (let waited = 0; waited < runs.length;) {
      waited = runs.length;
      await Promise.all(runs);
    }
  }

  /** The jobs of the run that this starts, one for each service. */
  #happen(happening: Exclude<Happening, "rerun">): readonly (() => Promise<void>)[] {
    const { state } = this.#world.github;
    const way = this.#way();
    const removals = (work: (side: PreviewSide) => Promise<string | undefined>) =>
      this.#sides.map((side) => async () => {
        const reason = await work(side);
        if (reason !== undefined) this.#ends.push(reason);
      });
    switch (happening) {
      case "sweep":
        return removals(({ service }) => this.#runs.sweep(service, way));
      case "closed": {
        state.pulls.close(this.#number);
        this.#closedAt = this.#schedule.now();
        const event = pullRequestEvent(state, this.#number, "closed", "pull_request_target");
        // GitHub does not run it for a pull request that has conflicts.
        this.#hasRemoval = !this.#chance(0.15);
        return this.#hasRemoval ? removals(({ service }) => this.#runs.remove(service, event, way)) : [];
      }
      case "reopened":
        state.pulls.reopen(this.#number);
        this.#closedAt = Infinity;
        this.#openedAt = this.#schedule.now();
        return this.#deploys(1);
      case "synchronize":
        state.pulls.push(this.#number);
        return this.#deploys(1);
    }
  }

  /** A run that deploys the commit of now to each service, whenever it begins; some are cut off. */
  #deploys(attempt: number, { isLast = false } = {}): readonly (() => Promise<void>)[] {
    const { state } = this.#world.github;
    const event = pullRequestEvent(state, this.#number, "synchronize");
    const { headSha: sha } = state.pulls.find(this.#number);
    this.#count += 1;
    const id = `${String(this.#number)}0${String(attempt > 1 ? 1 : this.#count)}`;
    return this.#sides.map(({ service }) => {
      const kind = isLast || !this.#chance(0.2) ? undefined : KINDS[this.#below(KINDS.length)];
      const kill = kind && { kind, afterMilliseconds: this.#random() * 3_000 };
      if (kind !== undefined) this.#kills.push(kind);
      const wait = isLast || this.#isWaiting;
      const way = isLast ? 0 : this.#way();
      return async () => {
        const begunAt = this.#schedule.now();
        const outcome = await this.#runs.deploy(service, { event, sha, id, attempt, wait, kill, way });
        this.#ends.push(outcome);
        if (this.#faults === 0 && kill === undefined && this.#closedAt < begunAt && outcome !== "skipped") {
          this.#late.push(`it is ${outcome} by a run that began after the close`);
        }
      };
    });
  }

  async #sweep(): Promise<void> {
    const sweeps = this.#sides.map(
      ({ service }) =>
        () =>
          this.#runs.sweep(service),
    );
    for (const end of await this.#schedule.all(sweeps)) {
      if (end.status === "rejected" || end.value !== undefined)
        this.#ends.push(`the last sweep: ${JSON.stringify(end)}`);
    }
  }

  #way(): number {
    return this.#isSlow && this.#chance(0.5) ? this.#random() * MOST_OWN_WAY_MILLISECONDS : 0;
  }

  #fault(method: string, path: string, trouble: number): Fault {
    const isWrite = method !== "GET" && /\/(deployments|statuses)(\/\d+)?$/.test(path);
    if (this.#random() >= (isWrite ? trouble : trouble / 8)) return {};
    this.#faults += 1;
    const pause = () => LATE.from + LATE.most * this.#random();
    const late: Fault = {
      later: (act) => {
        const work = async () => {
          await this.#schedule.sleep(pause());
          act();
        };
        void this.#schedule.all([work]);
      },
    };
    const slow: Fault = { after: () => this.#schedule.sleep(pause()) };
    const kinds = isWrite ? [lost, cut, late, slow, refused(502)] : [cut, slow, refused(502)];
    return kinds[this.#below(kinds.length)] ?? {};
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

/** What the races of these seeds have come to. */
interface RacesEnd {
  /** How to run those again that went wrong, and why they did. */
  readonly bad: readonly string[];
  /** How the runs ended. */
  readonly ends: readonly string[];
  readonly sentence: string;
}

export async function previewRaces(seeds: readonly string[]): Promise<RacesEnd> {
  await using world = await PreviewWorld.start();
  const bad: string[] = [];
  const ends: string[] = [];
  const sum = { killed: 0, faults: 0, requests: 0 };
  for (const seed of seeds) {
    const end = await new Race(world, seed).run();
    ends.push(...end.ends);
    sum.killed += end.killed;
    sum.faults += end.faults;
    sum.requests += world.github.requests.splice(0).length;
    if (end.wrong.length > 0) {
      bad.push(`FAULT_SEED=${seed} npm run test:fault -- preview-races: ${end.wrong.join("; ")}`);
    }
  }
  const { killed, faults, requests } = sum;
  const what = `${String(faults)} faults, ${String(killed)} kills, ${String(requests)} requests to GitHub`;
  return { bad, ends, sentence: `${String(seeds.length)} races of a preview, ${what}: ${String(bad.length)} bad` };
}
