import { expect, onTestFinished, test } from "vitest";
import { compareAge, identityOf, makeSection, type Section } from "../../action/github/comment/section.ts";
import { isOurBody, mergeSections, sectionsOf } from "../../action/github/comment/body.ts";
import { commentsOf } from "../../action/github/comment/comment.ts";
import { postSection } from "../../action/github/comment/post.ts";
import type { GitHub as Client } from "../../action/github/client.ts";
import type { Comment } from "../github/comments.ts";
import { connected } from "../github/connected.ts";
import { lost, meanwhile, refused } from "../github/faults.ts";
import { startGitHub, type GitHub } from "../github/server.ts";
import { BOT } from "../github/tokens.ts";
import { Schedule } from "../wire/schedule.ts";
import { seeded } from "./seeded.ts";

const LEGS = 8;
const only = process.env["FAULT_SEED"];
// The time for which a request and its response are under way must be shorter than the pause before the second look.
const LONGEST_WAY_MILLISECONDS = 140;
const CREATE = { method: "POST", path: /\/issues\/\d+\/comments$/ };
const EDIT = { method: "PATCH", path: /\/issues\/comments\// };
const READ = { method: "GET", path: /\/issues\/comments\// };
const DELETE = { method: "DELETE", path: /\/issues\/comments\// };

/** What all races of the file share: a server, and a client for each that writes at once. */
interface World {
  readonly github: GitHub;
  readonly clients: readonly Client[];
  /** Begins a race: from here on this decides who comes first. */
  begin(schedule: Schedule, random: () => number): void;
}

async function makeWorld(): Promise<World> {
  let schedule = new Schedule({ random: () => 0, way: 0 });
  let random = () => 0;
  const github = await startGitHub({ now: () => schedule.date() });
  onTestFinished(() => github[Symbol.asyncDispose]());
  github.turn = () => schedule.turn();
  const clock = {
    now: () => schedule.now(),
    date: () => schedule.date(),
    sleep: (milliseconds: number, signal?: AbortSignal) => schedule.sleep(milliseconds, signal),
    alarm: () => schedule.alarm(),
  };
  const clients: Client[] = [];
  for (let leg = 0; leg < LEGS; leg += 1) clients.push(await connected(github, { clock, random: () => random() }));
  const begin = (next: Schedule, numbers: () => number) => {
    [schedule, random] = [next, numbers];
  };
  return { github, clients, begin };
}

/** How a section gets into the comment. */
type Post = typeof postSection;

/** What stands below a pull request after a race that went wrong. */
type Fault = string;

/** One that searches, writes and does not look again, as many do: what the others must not share with it. */
const blindPost: Post = async (comments, section) => {
  const found = (await comments.list()).find(({ body }) => isOurBody(body));
  if (found === undefined) await comments.create(mergeSections(undefined, [section]));
  else await comments.update(found.id, mergeSections(found.body, [section]));
  return { outcome: "updated", id: found?.id };
};

/** One race: several write at once below one pull request. Answers what is wrong afterwards. */
async function race({ github, clients, begin }: World, seed: string, post: Post): Promise<readonly Fault[]> {
  const random = seeded(seed);
  const below = (end: number) => Math.floor(random() * end);
  const chance = (share: number) => random() < share;
  const schedule = new Schedule({ random, way: 10 + random() * (LONGEST_WAY_MILLISECONDS - 10) });
  begin(schedule, random);
  const { comments, pulls } = github.state;
  const { number } = pulls.open();
  const isMatrix = chance(0.2);
  const writers = isMatrix ? LEGS : 1 + below(3);
  const keys = isMatrix ? LEGS : 2;
  const sectionOf = (leg: number): Section => {
    const facts = {
      ...({ kind: "deployment", key: isMatrix ? `leg-${String(leg)}` : `leg-${String(below(keys))}` } as const),
      ...{ run: String(100 + (isMatrix ? 0 : below(3))), attempt: 1 + (isMatrix ? 0 : below(2)) },
      ...({
        at: new Date(schedule.date().getTime() + leg),
        name: `Leg ${String(leg)}`,
        sign: "good",
        state: "live",
      } as const),
    };
    return makeSection(facts, `${seed} wrote ${String(leg)}\n\n- one\n- two`);
  };
  const sections = Array.from({ length: writers }, (_, leg) => sectionOf(leg));
  comments.lag.lists = 0;
  comments.crlf = false;
  const foreign = [comments.create(number, "octocat", "Nice!")];
  const kept = chance(0.5) ? [sectionOf(99)] : [];
  if (chance(0.3)) foreign.push(comments.create(number, "mallory", mergeSections(undefined, [sectionOf(98)])));
  if (kept.length > 0) comments.create(number, BOT, mergeSections(undefined, kept));
  if (chance(0.3)) foreign.push(comments.create(number, BOT, "Coverage: 98 %"));
  const before = foreign.map(({ id, body }) => ({ id, body }));
  comments.lag.lists = chance(0.5) ? 1 + below(3 * writers) : 0;
  comments.crlf = chance(0.3);
  github.faults.clear();
  if (chance(0.4)) github.faults.add(CREATE, lost);
  if (chance(0.3)) github.faults.add(EDIT, lost);
  if (chance(0.2)) github.faults.add(DELETE, lost);
  if (chance(0.2)) github.faults.add(chance(0.5) ? EDIT : READ, refused(502));
  // Whoever writes and does not look again can undo what others are done with: here he only meets one that is not.
  if (writers === 1 && kept.length > 0) {
    const ours = comments.of(number).find(({ login, body }) => login === BOT && isOurBody(body));
    const undo = ({ id, body }: Comment) => meanwhile(() => void comments.edit(id, body));
    if (ours !== undefined) github.faults.add(chance(0.5) ? READ : EDIT, undo({ ...ours }), 1 + below(3));
  }
  const results = await schedule.all(
    sections.map((section, leg) => async () => {
      const client = clients[leg];
      if (client === undefined) throw new Error("There are not so many clients.");
      return await post(commentsOf(client, number), section, { clock: schedule, random });
    }),
    chance(0.5) ? 0 : 2_000,
  );
  const failed = results.flatMap((result) =>
    result.status === "rejected" ? [`failed: ${String(result.reason)}`] : [],
  );
  return [...failed, ...wrongIn(comments.of(number), before, [...kept, ...sections])];
}

function wrongIn(
  comments: readonly Comment[],
  before: readonly Pick<Comment, "id" | "body">[],
  written: readonly Section[],
): readonly Fault[] {
  const own = comments.filter(({ id, login, body }) => {
    return login === BOT && isOurBody(body) && before.every((other) => other.id !== id);
  });
  const [first] = own;
  const there = new Map(sectionsOf(first?.body).map((section) => [identityOf(section), section.text]));
  const newest = new Map<string, Section>();
  for (const section of written.toSorted(compareAge)) newest.set(identityOf(section), section);
  return [
    ...(own.length === 1 ? [] : [`${String(own.length)} comments`]),
    ...[...newest].flatMap(([name, { text }]) => (there.get(name) === text ? [] : [`lost: ${name}: ${text}`])),
    ...[...there.keys()].flatMap((name) => (newest.has(name) ? [] : [`of nobody: ${name}`])),
    ...before.flatMap(({ id, body }) =>
      comments.some((c) => c.id === id && c.body === body) ? [] : [`changed: ${body}`],
    ),
  ];
}

/** Runs races; answers how to run those again that went wrong, and why they did. */
async function races(count: number, post: Post): Promise<readonly string[]> {
  const world = await makeWorld();
  const seeds = Array.from({ length: count }, (_, index) => `comment/${String(index)}`);
  const bad: string[] = [];
  for (const seed of seeds.filter((one) => only === undefined || one === only)) {
    const faults = await race(world, seed, post);
    if (faults.length > 0) bad.push(`FAULT_SEED=${seed} npm run test:fault -- comment-races: ${faults.join("; ")}`);
  }
  console.log(`${String(count)} races, ${String(world.github.requests.length)} requests, ${String(bad.length)} bad`);
  return bad;
}

test("no race of those who write one comment makes a second one, loses a section or touches another comment", async () => {
  expect(await races(200, postSection)).toEqual([]);
});

test.runIf(only === undefined)("the same races make one that does not look again lose sections", async () => {
  expect((await races(40, blindPost)).length).toBeGreaterThan(10);
});
