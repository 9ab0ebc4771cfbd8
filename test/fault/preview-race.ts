import { previewName } from "../../src/deployment/preview-name.ts";
import { cut, lost, refused, type Fault } from "../github/faults.ts";
import { REPOSITORY_ID } from "../github/server.ts";
import { Schedule } from "../wire/schedule.ts";
import { lateFaults } from "./late-writes.ts";
import { PreviewRuns } from "./preview-runs.ts";
import { PreviewSide, type Before } from "./preview-side.ts";
import { PreviewStory, type Moment } from "./preview-story.ts";
import { NAME, PreviewWorld } from "./preview-world.ts";
import { seeded } from "./seeded.ts";

const MOST_LAG_MILLISECONDS = 5_000;
// Until then all that is late is carried out, and the lists have it.
const SETTLED_MILLISECONDS = 20_000;
// For so long the record of a plain name stays that is in progress.
const DAY_MILLISECONDS = 86_400_000;
/** One race in five has something happen at the worst moment. */
const MOMENTS: readonly Moment[] = ["first look", "last look"];
const MOMENTS_SHARE = 0.2;

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
  readonly #sides: readonly PreviewSide[];
  readonly #runs: PreviewRuns;
  readonly #story: PreviewStory;
  readonly #moment: Moment | undefined;
  readonly #isPlain: boolean;
  readonly #isWaiting: boolean;
  #faults = 0;

  constructor(world: PreviewWorld, seed: string) {
    this.#world = world;
    this.#random = seeded(seed);
    this.#schedule = new Schedule({ random: this.#random, way: 100 });
    world.schedule = this.#schedule;
    this.#number = world.github.state.pulls.open().number;
    this.#isPlain = this.#chance(0.2);
    const isOnlyOwner = this.#isPlain && this.#chance(0.3);
    this.#isWaiting = !this.#chance(0.15);
    const isSlow = this.#chance(0.5);
    const services = this.#chance(0.2) ? world.services : world.services.slice(0, 1);
    const repository = this.#isPlain ? undefined : REPOSITORY_ID;
    const name = previewName({ stem: NAME, limit: 63, repository }, this.#number);
    this.#sides = services.map(
      (service) => new PreviewSide(world, service, { name, number: this.#number, isOnlyOwner }),
    );
    this.#runs = new PreviewRuns(world, { isPlain: this.#isPlain, isOnlyOwner });
    const own = seeded(`${seed}/moment`);
    this.#moment = own() < MOMENTS_SHARE ? MOMENTS[Math.floor(own() * MOMENTS.length)] : undefined;
    const about = { number: this.#number, name, sides: this.#sides, runs: this.#runs };
    const how = { isWaiting: this.#isWaiting, isSlow, moment: this.#moment, isSound: () => this.#faults === 0 };
    this.#story = new PreviewStory({ world, schedule: this.#schedule, random: this.#random, ...about, ...how });
  }

  async run(): Promise<RaceEnd> {
    const { github } = this.#world;
    const { pulls, deployments } = github.state;
    deployments.lag.milliseconds = 0;
    for (const side of this.#sides) {
      const earlier = (["proved", "unproved", "newer", "none", "none", "none", "none"] as const)[this.#below(7)];
      await side.begin(earlier ?? "none", this.#chance(0.3));
    }
    const lag = this.#chance(0.5) ? this.#random() * MOST_LAG_MILLISECONDS : 0;
    // The removal deletes the record of the deploy as well.
    deployments.lag.milliseconds = this.#moment === "last look" ? 0 : lag;
    const trouble = this.#chance(0.5) ? this.#random() * 0.15 : 0;
    github.faults.otherwise = (method, path) => this.#fault(method, path, trouble);
    this.#world.isLost = () => {
      const isLost = this.#chance(trouble / 3);
      if (isLost) this.#faults += 1;
      return isLost;
    };
    const happened = await this.#story.tell();
    github.faults.clear();
    this.#world.isLost = () => false;
    // What is late is carried out, and the lists know it, before the next run.
    await this.#settle();
    const isOpen = pulls.find(this.#number).state === "open";
    const before: Before = {
      isOpen,
      hasRemoval: this.#story.hasRemoval,
      isWaiting: this.#isWaiting,
      kills: this.#story.kills,
      isSound: this.#faults === 0,
      lag: deployments.lag.milliseconds,
    };
    const wrong = [...this.#story.late, ...this.#sides.flatMap((side) => side.wrongBefore(before))];
    if (isOpen) await this.#schedule.all(this.#story.deploys(1, { isLast: true }));
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
    const said = `${happened}: ${this.#story.ends.join(", ")}`;
    return {
      wrong: wrong.map((what) => `${what} (${said})`),
      ends: this.#story.ends,
      killed: this.#story.kills.length,
      faults: this.#faults,
    };
  }

  async #settle(): Promise<void> {
    await this.#schedule.all([() => this.#schedule.sleep(this.#isPlain ? DAY_MILLISECONDS : SETTLED_MILLISECONDS)]);
  }

  async #sweep(): Promise<void> {
    const sweeps = this.#sides.map(
      ({ service }) =>
        () =>
          this.#runs.sweep(service),
    );
    for (const end of await this.#schedule.all(sweeps)) {
      if (end.status === "rejected" || end.value !== undefined)
        this.#story.ends.push(`the last sweep: ${JSON.stringify(end)}`);
    }
  }

  #fault(method: string, path: string, trouble: number): Fault {
    const isWrite = method !== "GET" && /\/(deployments|statuses)(\/\d+)?$/.test(path);
    if (this.#random() >= (isWrite ? trouble : trouble / 8)) return {};
    this.#faults += 1;
    const { late, slow } = lateFaults(this.#schedule, this.#random);
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
