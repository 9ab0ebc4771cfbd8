import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeployStepEvent } from "../../action/deploy/events.ts";
import { onGitHub } from "../../action/deploy/github-work.ts";
import type { Hooks } from "../../action/deploy/hooks.ts";
import { readInputs as readDeployInputs } from "../../action/deploy/inputs.ts";
import { asPreview } from "../../action/deploy/preview-work.ts";
import { readInputs as readRemoveInputs } from "../../action/remove/inputs.ts";
import { carryOut as remove } from "../../action/remove/work.ts";
import type { Emit } from "../../src/deployment/events.ts";
import { previewName } from "../../src/deployment/preview-name.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { connect, Redactor } from "../../src/index.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { inputVariables } from "../action/inputs/step.ts";
import { stateOf } from "../github/deployments.ts";
import { pullRequestEvent, type GitHubEvent } from "../github/events.ts";
import { cut, lost, refused, type Fault } from "../github/faults.ts";
import { REPOSITORY_ID, startGitHub, type GitHub } from "../github/server.ts";
import { startFaultServer, type FaultServer } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";
import { Schedule } from "../wire/schedule.ts";
import { seeded } from "./seeded.ts";

const API_KEY = "key-of-the-races-0123456789";
const NAME = "support";
const OTHERS = ["support", "support-pr-1-pr-1", "support-pr-x", "other-pr-1", "support-pr-1-a1b2c3"];
const MOST_LAG_MILLISECONDS = 5_000;
// GitHub has carried out writes 1 to 2.5 s after their connection had ended.
const LATE = { from: 1_000, most: 1_500 };
// Until then all that is late is carried out, and the lists have it.
const SETTLED_MILLISECONDS = 15_000;

/** What happens to a pull request; each starts a run of its workflow. */
type Happening = "closed" | "reopened" | "rerun" | "synchronize";

const STORIES: readonly (readonly Happening[])[] = [
  ["closed"],
  ["closed"],
  ["synchronize"],
  ["synchronize", "closed"],
  ["closed", "reopened"],
  ["closed", "reopened", "closed"],
  ["synchronize", "rerun"],
  ["synchronize", "closed", "rerun"],
];

/** How one race ended. */
interface RaceEnd {
  /** Empty for a race that ended well. */
  readonly wrong: readonly string[];
  /** How its runs ended. */
  readonly ends: readonly string[];
  readonly killed: number;
  readonly faults: number;
}

/** A service, a GitHub and the way to them, which all races share. */
class PreviewWorld implements AsyncDisposable {
  readonly github: GitHub;
  readonly service: LocalService;
  readonly temp: string;
  schedule: Schedule;
  /** What happens to a request to the service, once it is carried out: true for a response that is lost. */
  isLost: () => boolean = () => false;
  /** How many requests of each token GitHub has not answered yet. */
  readonly pending = new Map<string, number>();
  /** Of runs that were killed. */
  readonly dead = new Set<string>();

  private constructor(github: GitHub, service: LocalService, temp: string) {
    this.github = github;
    this.service = service;
    this.temp = temp;
    this.schedule = new Schedule({ random: () => 0, way: 0 });
    github.turn = async ({ headers: { authorization = "" } }) => {
      if (this.dead.has(authorization)) throw new Error("killed");
      this.pending.set(authorization, (this.pending.get(authorization) ?? 0) + 1);
      await this.schedule.turn();
      this.pending.set(authorization, (this.pending.get(authorization) ?? 0) - 1);
    };
  }

  static async start(): Promise<PreviewWorld> {
    const service = await startLocalService({ walkMilliseconds: 0, apiKey: API_KEY });
    // The time of the races, once there is one.
    const later: { world?: PreviewWorld } = {};
    const github = await startGitHub({ now: () => later.world?.schedule.date() ?? new Date() });
    const temp = await mkdtemp(join(tmpdir(), "graph-deploy-races-"));
    // The record of a run is kept in the runner's file.
    process.env["GITHUB_STATE"] = join(temp, "state");
    await writeFile(join(temp, "state"), "");
    const world = new PreviewWorld(github, service, temp);
    later.world = world;
    for (const name of OTHERS) await world.make(name);
    return world;
  }

  /** Makes a deployment, as a person does. */
  async make(name: string): Promise<string> {
    await using connection = connect({ url: this.service.url, apiKey: API_KEY });
    const image = { source: "external_docker", source_config: {}, secrets: [] } as const;
    const body = { ...image, name, source_revision_config: { image_uri: "registry/agent:1" } };
    return (await connection.controlPlane.create(body)).deployment.id;
  }

  /** A way to the service on which all requests wait for their turn. */
  async front(): Promise<FaultServer & AsyncDisposable> {
    const forward = forwardTo(() => this.service.url);
    let end = (): Promise<void> => Promise.resolve();
    const front = await startFaultServer(
      async (request) => {
        await this.schedule.turn();
        const answer = await forward(request);
        if (this.isLost()) throw new Error("lost");
        return answer;
      },
      (ending) => {
        end = ending;
      },
    );
    return Object.assign(front, { [Symbol.asyncDispose]: () => end() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.github[Symbol.asyncDispose]();
    await this.service.close();
    await rm(this.temp, { recursive: true, force: true });
    delete process.env["GITHUB_STATE"];
  }
}

/** One race, which the seed decides; what is wrong when all runs have ended, and one more. */
async function previewRace(world: PreviewWorld, seed: string): Promise<RaceEnd> {
  return await new Race(world, seed).run();
}

class Race {
  readonly #world: PreviewWorld;
  readonly #random: () => number;
  readonly #schedule: Schedule;
  readonly #number: number;
  readonly #ends: string[] = [];
  #killed = 0;
  #faults = 0;
  #runs = 0;
  /** What runs did that began after the close. */
  readonly #late: string[] = [];
  #closedAt = Infinity;
  /** Whether a removal ran for the last close. */
  #hasRemoval = false;

  constructor(world: PreviewWorld, seed: string) {
    this.#world = world;
    this.#random = seeded(seed);
    this.#schedule = new Schedule({ random: this.#random, way: 100 });
    world.schedule = this.#schedule;
    this.#number = world.github.state.pulls.open().number;
  }

  async run(): Promise<RaceEnd> {
    const { github, service } = this.#world;
    const { pulls, deployments } = github.state;
    const plain = `${NAME}-pr-${String(this.#number)}`;
    const other = previewName({ stem: NAME, limit: 63, repository: "42" }, this.#number);
    const foreign = await Promise.all(
      [plain, other].filter(() => this.#chance(0.3)).map((name) => this.#world.make(name)),
    );
    deployments.lag.milliseconds = this.#chance(0.5) ? this.#random() * MOST_LAG_MILLISECONDS : 0;
    const trouble = this.#chance(0.6) ? this.#random() * 0.15 : 0;
    github.faults.otherwise = (method, path) => this.#fault(method, path, trouble);
    this.#world.isLost = () => {
      const isLost = this.#chance(trouble / 3);
      if (isLost) this.#faults += 1;
      return isLost;
    };
    const story = STORIES[this.#below(STORIES.length)] ?? [];
    await this.#tell(story);
    github.faults.clear();
    this.#world.isLost = () => false;
    // What is late is carried out, and the lists know it, before the next run.
    await this.#schedule.all([() => this.#schedule.sleep(SETTLED_MILLISECONDS)]);
    const isOpen = pulls.find(this.#number).state === "open";
    const before = this.#killed === 0 ? this.#wrongBefore(isOpen) : [];
    if (isOpen) await this.#schedule.all([this.#deploy(1, { mayDie: false })]);
    else await this.#schedule.all([() => this.#sweep()]);
    const wrong = [
      ...before.map((what) => `before the last run: ${what}`),
      ...(isOpen ? this.#wrongOfOpen() : this.#left()),
      ...this.#wrongOfOthers(foreign),
    ];
    if (isOpen) {
      pulls.close(this.#number);
      await this.#schedule.all([() => this.#schedule.sleep(SETTLED_MILLISECONDS)]);
      await this.#schedule.all([() => this.#sweep()]);
      wrong.push(...this.#left().map((what) => `after the close: ${what}`), ...this.#wrongOfOthers(foreign));
    }
    await using connection = connect({ url: service.url, apiKey: API_KEY });
    for (const id of foreign) await connection.controlPlane.delete(id);
    const said = `${story.join(", ")}: ${this.#ends.join(", ")}`;
    return {
      wrong: wrong.map((what) => `${what} (${said})`),
      ends: this.#ends,
      killed: this.#killed,
      faults: this.#faults,
    };
  }

  /** The runs of a story, which begin as things happen. */
  async #tell(story: readonly Happening[]): Promise<void> {
    const { pulls } = this.#world.github.state;
    const runs: Promise<unknown>[] = [];
    const again = this.#deploy(2);
    const happen = (happening: Happening): (() => Promise<void>) | undefined => {
      if (happening === "rerun") return again;
      if (happening === "closed") {
        pulls.close(this.#number);
        this.#closedAt = this.#schedule.now();
        const event = pullRequestEvent(this.#world.github.state, this.#number, "closed", "pull_request_target");
        // GitHub does not run it for a pull request that has conflicts.
        this.#hasRemoval = !this.#chance(0.15);
        return this.#hasRemoval ? () => this.#remove(event) : undefined;
      }
      if (happening === "reopened") {
        pulls.reopen(this.#number);
        this.#closedAt = Infinity;
      } else pulls.push(this.#number);
      return this.#deploy();
    };
    const tell = async (): Promise<void> => {
      for (const happening of story) {
        await this.#schedule.sleep(this.#random() * (this.#chance(0.3) ? 500 : 2_500));
        const run = happen(happening);
        if (run !== undefined) runs.push(this.#schedule.all([run], 1_500));
      }
    };
    runs.push(this.#schedule.all([this.#deploy(), tell], 500));
    for (let waited = 0; waited < runs.length;) {
      waited = runs.length;
      await Promise.all(runs);
    }
  }

  /** A run that deploys the commit of now, whenever it begins; some are killed. */
  #deploy(attempt = 1, { mayDie = true } = {}): () => Promise<void> {
    const { github } = this.#world;
    const event = pullRequestEvent(github.state, this.#number, "synchronize");
    const { headSha } = github.state.pulls.find(this.#number);
    this.#runs += 1;
    const id = this.#runs;
    const isKilled = mayDie && this.#chance(0.12);
    const end = this.#random() * 3_000;
    return async () => {
      const token = github.tokenOf();
      const kill = new AbortController();
      const killer = async () => {
        await this.#schedule.sleep(end);
        this.#world.dead.add(`token ${token}`);
        kill.abort(new Error("The runner died."));
      };
      if (isKilled) {
        this.#killed += 1;
        void this.#schedule.all([killer]);
      }
      const begunAt = this.#schedule.now();
      const ending = this.#deployRun(event, { sha: headSha, id, attempt, token, signal: kill.signal });
      const outcome = await ending.catch((reason: unknown) => String(reason));
      if (this.#faults === 0 && this.#closedAt < begunAt && outcome !== "skipped") {
        this.#late.push(`it is ${outcome} by a run that began after the close`);
      }
      this.#ends.push(isKilled ? `${outcome} (killed)` : outcome);
      while ((this.#world.pending.get(`token ${token}`) ?? 0) > 0) await new Promise((go) => setImmediate(go));
    };
  }

  async #deployRun(
    event: GitHubEvent,
    run: { readonly sha: string; readonly id: number; readonly attempt: number; token: string; signal: AbortSignal },
  ): Promise<string> {
    const { service, temp } = this.#world;
    const { sha, id, attempt, token, signal } = run;
    await using front = await this.#world.front();
    const env = await this.#environment(event, {
      ...{ source: "external_docker", "image-uri": `registry.example/agent:${sha}`, preview: "true" },
      ...{ environment: "preview", "smoke-test": "false", "poll-interval": "1s", "github-token": token },
    });
    const more = { GITHUB_RUN_ID: `${String(this.#number)}0${String(id)}`, GITHUB_RUN_ATTEMPT: String(attempt) };
    const read = await readDeployInputs({ ...env, ...more });
    if (read.task !== "deploy" || read.preview === undefined || read.github === undefined) {
      throw new Error("No preview.");
    }
    const { preview, github } = read;
    const redactor = new Redactor();
    const time = { clock: this.#schedule, random: () => 0 };
    await using connection = connect({ url: front.url, apiKey: API_KEY, signal, redactor, ...time });
    let outcome = "";
    const emit = (one: DeployStepEvent) => {
      if (one.type === "ended") outcome = one.outcome;
    };
    const surroundings = { redactor, signal, emit, ...time };
    await asPreview({ ...read, preview }, surroundings, async (named, deployAs) => {
      const work = async (report: Emit, hooks?: Hooks) => {
        const deps = { ...connection, ...time, spoolDirectory: temp, signal, emit: report };
        await deployAs(named.request, { ...deps, ...hooks });
      };
      const endpoint = new Endpoint(service.url, { apiKey: API_KEY });
      await onGitHub(named, github, { ...surroundings, endpoint }, work);
    });
    return outcome;
  }

  /** The step that removes: the preview of the event, or all of which the pull request is closed. */
  async #remove(event: GitHubEvent): Promise<void> {
    const env = await this.#environment(event, {});
    const time = { clock: this.#schedule, random: () => 0 };
    const surroundings = { redactor: new Redactor(), signal: new AbortController().signal, emit: () => undefined };
    await remove(await readRemoveInputs(env), { ...surroundings, ...time }).catch((reason: unknown) => {
      this.#ends.push(`removal: ${String(reason)}`);
    });
  }

  async #sweep(): Promise<void> {
    await this.#remove({ event: {}, env: { GITHUB_EVENT_NAME: "schedule" } });
  }

  /** The environment of a step. */
  async #environment(
    { event, env }: GitHubEvent,
    inputs: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const { github, service, temp } = this.#world;
    const path = join(temp, "event.json");
    await writeFile(path, JSON.stringify(event));
    const given = { "control-plane-url": service.url, "api-key": API_KEY, name: NAME, "github-token": github.token };
    return {
      ...github.env,
      ...{ RUNNER_TEMP: temp, GITHUB_WORKSPACE: temp, GITHUB_EVENT_PATH: path, GITHUB_RUN_ID: "7" },
      ...env,
      ...inputVariables({ ...given, ...inputs }),
    };
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

  get #name(): string {
    return previewName({ stem: NAME, limit: 63, repository: REPOSITORY_ID }, this.#number);
  }

  get #deployments() {
    return this.#world.service.deployments().filter(({ name }) => name === this.#name);
  }

  /** The states of the records of the preview. */
  get #records(): readonly (string | undefined)[] {
    const all = this.#world.github.state.deployments.all;
    return all.filter(({ task }) => task === `deploy:${this.#name}`).map((record) => stateOf(record));
  }

  /** The states of those that say that something is live, or on its way. */
  get #openRecords(): readonly (string | undefined)[] {
    return this.#records.filter((state) => state === undefined || state === "in_progress" || state === "success");
  }

  /**
   * What is wrong before the last run, which would mend it. Until then nothing is promised of records that were not listed
   * yet, or whose response was lost.
   */
  #wrongBefore(isOpen: boolean): readonly string[] {
    const { deployments } = this.#world.github.state;
    const [there, open] = [this.#deployments, this.#openRecords];
    const isSure = this.#faults === 0 && deployments.lag.milliseconds === 0;
    const wrong = [...this.#late, ...(there.length > 1 ? [`${String(there.length)} deployments`] : [])];
    if (isOpen) {
      if (there.length === 0) wrong.push("it is deleted although it is open");
      if (isSure && open.join() !== "success") wrong.push(`records: ${this.#records.join(", ")}`);
    } else if (this.#hasRemoval) {
      if (there.length > 0) wrong.push("it is left although it was removed");
      // A deploy that takes its preview away itself leaves the records of earlier ones to the next removal.
      const isTidy = isSure && !this.#ends.includes("removed");
      if (isTidy && open.length > 0) wrong.push(`records are open: ${this.#records.join(", ")}`);
    }
    return wrong;
  }

  /** What is there of a preview whose pull request is closed. */
  #left(): string[] {
    const [there, records] = [this.#deployments.length, this.#records];
    return [
      ...(there > 0 ? [`${String(there)} deployments are left`] : []),
      ...(records.length > 0 ? [`records are left: ${records.join(", ")}`] : []),
    ];
  }

  #wrongOfOpen(): string[] {
    const there = this.#deployments;
    const open = this.#openRecords;
    return [
      ...(there.length === 1 ? [] : [`${String(there.length)} deployments`]),
      ...(there.some(({ latest_revision_id: latest }) => latest == null) ? ["without a revision"] : []),
      ...(open.join() === "success" ? [] : [`records: ${this.#records.join(", ")}`]),
    ];
  }

  #wrongOfOthers(foreign: readonly string[]): readonly string[] {
    const { service } = this.#world;
    return [
      ...OTHERS.filter((name) => !service.deployments().some((deployment) => deployment.name === name)),
      ...foreign.filter((id) => service.deployments().every((deployment) => deployment.id !== id)),
      ...foreign.filter((id) => service.revisions(id).length > 1),
    ].map((what) => `touched what is foreign: ${what}`);
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

/** What the races of these seeds have come to. */
export interface RacesEnd {
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
    const end = await previewRace(world, seed);
    ends.push(...end.ends);
    sum.killed += end.killed;
    sum.faults += end.faults;
    sum.requests += world.github.requests.splice(0).length;
    bad.push(...end.wrong.map((what) => `FAULT_SEED=${seed} npm run test:fault -- preview-races: ${what}`));
  }
  const { killed, faults, requests } = sum;
  const what = `${String(faults)} faults, ${String(killed)} kills, ${String(requests)} requests to GitHub`;
  return { bad, ends, sentence: `${String(seeds.length)} races of a preview, ${what}: ${String(bad.length)} bad` };
}
