import { connectGitHub, type GitHub as Client } from "../../action/github/client.ts";
import { isOurBody, mergeSections, sectionsOf, stamped } from "../../action/github/comment/body.ts";
import { commentsOf } from "../../action/github/comment/comment.ts";
import type {
  Posted,
  PostSurroundings,
  PullRequestComments,
} from "../../action/github/comment/pull-request-comments.ts";
import { compareAge, identityOf, makeSection, newerOf, type Section } from "../../action/github/comment/section.ts";
import { Writer } from "../../action/github/comment/writer.ts";
import { Redactor } from "../../src/http/redactor.ts";
import type { Comment } from "../github/comments.ts";
import { cut, lost, refused, type Fault } from "../github/faults.ts";
import { startGitHub, type GitHub } from "../github/server.ts";
import { BOT } from "../github/tokens.ts";
import { Schedule } from "../wire/schedule.ts";
import { lateFaults } from "./late-writes.ts";
import { seeded } from "./seeded.ts";

/** How a section gets into the comment. */
export type Post = (comments: PullRequestComments, section: Section, surroundings: PostSurroundings) => Promise<Posted>;

const write: Post = (...given) => new Writer(...given).run();

/** How one race ended. */
export interface RaceEnd {
  /** What is wrong below the pull request; empty for a race that ended well. */
  readonly wrong: readonly string[];
  readonly requests: number;
  /** How many steps were killed, and how many writes were lost, cut, late or refused. */
  readonly killed: number;
  readonly faults: number;
}

const MOST_LAG_MILLISECONDS = 5_000;
// The share of writes that go wrong.
const MOST_TROUBLE = 0.6;
// GitHub is slow for all steps of some races, and a longer pause is asked for after some refusals.
const SLOW = { from: 2_000, most: 2_500 };
const BUSY = refused(503, "Service Unavailable", { "retry-after": "5" });
// What a step says whose every write GitHub has refused or lost, so that its section may be missing.
const UNCONFIRMED = /GitHub did not confirm (any write|the new comment)/;
// Another step has written, and made sure of it, before a write that waited for so long.
const BUSY_FOR_LONG = refused(503, "Service Unavailable", { "retry-after": "9" });
// Some steps have a slow connection.
const MOST_OWN_WAY_MILLISECONDS = 2_500;
const COMMENT = /\/issues\/(\d+\/comments|comments\/\d+)$/;
const SIBLING = "<!-- graph-deploy:comment:1 -->\n\n## Coverage\n\n98 % of another workflow of this bot";

/**
 * One race, which the seed decides: up to eight steps write into one comment at once, while lists lag, responses are lost
 * or late, writes are carried out late, and steps are killed. One more step runs when all is over.
 */
async function commentRace(seed: string, post: Post = write): Promise<RaceEnd> {
  const random = seeded(seed);
  const schedule = new Schedule({ random, way: 10 + random() * (random() < 0.2 ? 900 : 130) });
  await using github = await startGitHub({ now: () => schedule.date() });
  return await new Race(seed, github, schedule, random).run(post);
}

class Race {
  readonly #seed: string;
  readonly #github: GitHub;
  readonly #schedule: Schedule;
  readonly #random: () => number;
  readonly #number: number;
  /** How long the way of each token is, at most. */
  readonly #ways = new Map<string, number>();
  /** How many requests of each token the server has not answered yet. */
  readonly #pending = new Map<string, number>();
  /** How long every request takes. */
  #slow = 0;
  /** Begins another step, once an edit is refused. */
  #begin: (() => void) | undefined;
  #sections = 0;
  #faults = 0;

  constructor(seed: string, github: GitHub, schedule: Schedule, random: () => number) {
    this.#seed = seed;
    this.#github = github;
    this.#schedule = schedule;
    this.#random = random;
    this.#number = github.state.pulls.open().number;
    github.turn = async ({ headers: { authorization = "" } }) => {
      this.#pending.set(authorization, (this.#pending.get(authorization) ?? 0) + 1);
      await schedule.turn();
      const way = this.#ways.get(authorization) ?? 0;
      if (way > 0) await schedule.sleep(way * random());
      if (this.#slow > 0) await schedule.sleep(this.#slow * (0.9 + 0.1 * random()));
      this.#pending.set(authorization, (this.#pending.get(authorization) ?? 0) - 1);
    };
  }

  async run(post: Post): Promise<RaceEnd> {
    const { comments } = this.#github.state;
    const foreign = this.#others();
    const kept = this.#chance(0.5) ? this.#left() : [];
    const isMatrix = this.#chance(0.3);
    const steps = isMatrix ? 8 : 1 + this.#below(6);
    const sections = Array.from({ length: steps }, (_, step) =>
      this.#section(isMatrix ? step : this.#below(3), isMatrix ? 100 : 100 + this.#below(3), this.#chance(0.1)),
    );
    comments.lag.milliseconds = this.#chance(0.7) ? this.#random() * MOST_LAG_MILLISECONDS : 0;
    comments.crlf = this.#chance(0.2);
    if (this.#chance(0.1)) this.#slow = SLOW.from + SLOW.most * this.#random();
    const trouble = this.#slow > 0 ? 0 : this.#random() * MOST_TROUBLE;
    this.#github.faults.otherwise = (method, path) => this.#fault(method, path, trouble);
    const spread = this.#chance(0.5) ? 300 : 6_000;
    const killed = new Set<Section>();
    /** Removals of what nobody has written, and what yielded to a later run, which may be removed since. */
    const passed = new Set<Section>();
    const works = sections.map((section) => {
      const kill = new AbortController();
      const isKilled = this.#chance(0.15);
      if (isKilled) killed.add(section);
      const end = this.#random() * 8_000;
      const killer = async () => {
        await this.#schedule.sleep(end);
        kill.abort(new Error("The step was killed."));
      };
      return async () => {
        const ending = this.#step(section, post, kill.signal);
        if (isKilled) void this.#schedule.all([killer]);
        const { outcome } = await ending;
        if (outcome === "absent" || outcome === "stale") passed.add(section);
      };
    });
    const late: Promise<unknown>[] = [];
    if (seeded(`${this.#seed}/late`)() < 0.25) {
      this.#begin = () => {
        const section = this.#section(80, 100);
        sections.push(section);
        late.push(this.#schedule.all([() => this.#step(section, post, new AbortController().signal)], 500));
      };
    }
    const results = await this.#schedule.all(works, spread);
    await Promise.all(late);
    const unsure = new Set(killed);
    const failed = results.flatMap((result, index) => {
      const section = sections[index];
      if (result.status === "rejected" && section !== undefined && UNCONFIRMED.test(String(result.reason))) {
        unsure.add(section);
      }
      const isExpected = section !== undefined && unsure.has(section);
      return result.status === "fulfilled" || isExpected ? [] : [`failed: ${String(result.reason)}`];
    });
    this.#github.faults.clear();
    // What is late is carried out, and the lists know it, before the next run.
    await this.#schedule.all([() => this.#schedule.sleep(10_000)]);
    const last = this.#section(9, 200);
    await this.#schedule.all([() => this.#step(last, post, new AbortController().signal)]);
    const expected = [...kept, ...sections.filter((section) => !unsure.has(section) && !passed.has(section)), last];
    return {
      wrong: [...failed, ...this.#wrong(foreign, expected, [...expected, ...unsure, ...passed])],
      requests: this.#github.requests.length,
      killed: killed.size,
      faults: this.#faults,
    };
  }

  /** One step, to the end of what it has sent. */
  async #step(section: Section, post: Post, signal: AbortSignal): Promise<Posted> {
    const token = this.#github.tokenOf();
    if (this.#slow === 0 && this.#chance(0.2))
      this.#ways.set(`token ${token}`, MOST_OWN_WAY_MILLISECONDS * this.#random());
    await using client = await this.#connect(token, signal);
    try {
      const surroundings = { clock: this.#schedule, random: this.#random, signal };
      const isOnlyUpdate = section.facts.sign === "gone";
      return await post(commentsOf(client, this.#number), section, { ...surroundings, isOnlyUpdate });
    } finally {
      while ((this.#pending.get(`token ${token}`) ?? 0) > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #connect(token: string, signal: AbortSignal): Promise<Client> {
    const [owner = "", repo = ""] = this.#github.state.name.split("/");
    const inputs = {
      ...{ token, api: new URL(this.#github.url), repository: { owner, repo }, pullRequest: undefined },
      ...{ event: {}, run: {}, allowHttp: true, proxy: {}, limits: { mayWait: true, limited: undefined } },
    };
    const shared = { redactor: new Redactor(), clock: this.#schedule, random: this.#random };
    return connectGitHub(inputs, { ...shared, signal });
  }

  #fault(method: string, path: string, trouble: number): Fault {
    const isWrite = method !== "GET" && COMMENT.test(path);
    if (isWrite && method === "PATCH" && this.#begin !== undefined) {
      this.#begin();
      this.#begin = undefined;
      this.#faults += 1;
      return BUSY_FOR_LONG;
    }
    if (this.#random() >= (isWrite ? trouble : trouble / 8)) return {};
    this.#faults += 1;
    const { late, slow } = lateFaults(this.#schedule, this.#random);
    // Only what is late takes away what others write.
    const kinds = isWrite ? [lost, cut, late, late, late, late, slow, refused(502), BUSY] : [cut, slow, refused(502)];
    return kinds[this.#below(kinds.length)] ?? {};
  }

  /** What is nobody's business. */
  #others(): readonly Pick<Comment, "body" | "id">[] {
    const { comments } = this.#github.state;
    const all = [
      comments.create(this.#number, "octocat", "Nice!"),
      comments.create(this.#number, "mallory", mergeSections(undefined, [this.#section(98, 100)])),
      comments.create(this.#number, BOT, SIBLING),
      comments.create(this.#number, BOT, "Coverage: 98 %"),
    ];
    return all.map(({ id, body }) => ({ id, body }));
  }

  /** The comments that earlier runs have left: maybe two, maybe of an earlier version. */
  #left(): readonly Section[] {
    const { comments } = this.#github.state;
    const sections = Array.from({ length: this.#chance(0.3) ? 2 : 1 }, (_, place) => this.#section(90 + place, 50));
    for (const section of sections) {
      const body = mergeSections(undefined, [section]);
      const stamp = { maker: "50.1.x", write: "x.1" };
      comments.create(this.#number, BOT, this.#chance(0.5) ? body : stamped(body, stamp));
    }
    return sections;
  }

  #section(key: number, run: number, isGone = false): Section {
    this.#sections += 1;
    const at = new Date(this.#schedule.date().getTime() + this.#sections);
    const facts = {
      name: `Leg ${String(key)}`,
      sign: isGone ? "gone" : "good",
      state: isGone ? "removed" : "live",
    } as const;
    const owner = {
      kind: "deployment",
      key: `leg-${String(key)}`,
      run: String(run),
      attempt: 1 + this.#below(2),
    } as const;
    return makeSection({ ...owner, ...facts, at }, `${this.#seed} wrote ${String(this.#sections)}\n\n- one\n- two`);
  }

  #wrong(
    foreign: readonly Pick<Comment, "body" | "id">[],
    expected: readonly Section[],
    known: readonly Section[],
  ): readonly string[] {
    const comments = this.#github.state.comments.of(this.#number);
    const own = comments.filter(({ login, body }) => login === BOT && isOurBody(body));
    const there = new Map(sectionsOf(own[0]?.body).map((section) => [identityOf(section), section]));
    const newest = new Map<string, Section>();
    for (const section of expected) {
      const other = newest.get(identityOf(section));
      newest.set(identityOf(section), other === undefined ? section : newerOf(other, section));
    }
    const isKnown = (section: Section) => known.some(({ text }) => text === section.text);
    const lostOnes = [...newest].filter(([name, section]) => {
      const found = there.get(name);
      return found === undefined || compareAge(newerOf(found, section), found) !== 0;
    });
    return [
      ...(own.length === 1 ? [] : [`${String(own.length)} comments`]),
      ...lostOnes.map(([name, { text }]) => `lost: ${name}: ${text.split("\n")[0] ?? ""}`),
      ...[...there.values()].flatMap((one) => (isKnown(one) ? [] : [`of no step: ${identityOf(one)}`])),
      ...foreign.flatMap(({ id, body }) =>
        comments.some((one) => one.id === id && one.body === body) ? [] : [`changed: ${body.slice(0, 40)}`],
      ),
    ];
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

/** Runs races; `bad` has how to run those again that went wrong, and why they did. */
export async function commentRaces(
  seeds: readonly string[],
  post: Post = write,
): Promise<{ readonly bad: readonly string[]; readonly sentence: string }> {
  const bad: string[] = [];
  const sum = { requests: 0, killed: 0, faults: 0 };
  for (const seed of seeds) {
    const { wrong, requests, killed, faults } = await commentRace(seed, post);
    sum.requests += requests;
    sum.killed += killed;
    sum.faults += faults;
    if (wrong.length > 0) bad.push(`FAULT_SEED=${seed} npm run test:fault -- comment-races: ${wrong.join("; ")}`);
  }
  const { requests, killed, faults } = sum;
  const what = `${String(faults)} faults, ${String(killed)} kills, ${String(requests)} requests`;
  return { bad, sentence: `${String(seeds.length)} races of one comment, ${what}: ${String(bad.length)} bad` };
}
