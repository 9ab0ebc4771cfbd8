import { describe, expect, test } from "vitest";
import { mergeSections, sectionsOf } from "../../../../action/github/comment/body.ts";
import {
  postedText,
  type PostSurroundings,
  type PullRequestComments,
} from "../../../../action/github/comment/pull-request-comments.ts";
import { GitHubError } from "../../../../action/github/errors.ts";
import type { Section, SectionFacts } from "../../../../action/github/comment/section.ts";
import { Writer } from "../../../../action/github/comment/writer.ts";
import type { Clock } from "../../../../src/http/clock.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { seeded, SlowComments, VirtualTime, type Weather } from "./races.ts";
import { section } from "./sections.ts";

const postSection = (comments: PullRequestComments, written: Section, surroundings: PostSurroundings) =>
  new Writer(comments, written, surroundings).run();

/** Posts sections at once, and says what became of each. */
async function race(
  sections: readonly Section[],
  { seed = 1, isOnlyUpdate = false, before = [] as string[], ...weather },
) {
  const time = new VirtualTime();
  const random = seeded(seed);
  const calm: Weather = { random, way: 100, lag: 0, lost: 0 };
  const comments = new SlowComments(time, { ...calm, ...weather });
  for (const [at, body] of before.entries()) {
    comments.stored.set(at - 100, { body, since: -10_000 });
  }
  const work = sections.map(async (each) => {
    await time.sleep(300 * random());
    return await postSection(comments, each, { clock: time, random, isOnlyUpdate });
  });
  const results = await time.run(work);
  const posted = results.map((result) =>
    result.status === "fulfilled" ? result.value.outcome : String(result.reason),
  );
  return {
    comments,
    posted,
    bodies: [...comments.stored.values()].map(({ body }) => body),
  };
}

const keysIn = (body = "") =>
  sectionsOf(body)
    .map(({ facts: { key } }) => key)
    .toSorted();
const legs = (count: number) => Array.from({ length: count }, (_, leg) => section({ key: `leg-${String(leg)}` }));

describe("one run", () => {
  test("makes the comment, and makes sure of it", async () => {
    const { posted, bodies, comments } = await race([section()], {});
    expect([posted, bodies.length]).toEqual([["created"], 1]);
    expect(comments.counts).toEqual({ list: 2, read: 2, create: 1, update: 0, remove: 0 });
  });

  test("updates its section in place, and leaves the others", async () => {
    const before = [mergeSections(undefined, [section({ key: "other" }), section({ run: "99" }, "old")])];
    const { posted, bodies, comments } = await race([section({}, "new")], { before });
    expect([posted, bodies]).toEqual([["updated"], [expect.stringContaining("new")]]);
    expect(keysIn(bodies[0])).toEqual(["other", "support-agent"]);
    expect(comments.counts).toEqual({ list: 1, read: 3, create: 0, update: 1, remove: 0 });
  });

  test("writes nothing where a later run has written", async () => {
    const before = [mergeSections(undefined, [section({ run: "1000" })])];
    const { posted, bodies, comments } = await race([section()], { before });
    expect([posted, bodies]).toEqual([["stale"], before]);
    expect(comments.counts).toMatchObject({ create: 0, update: 0 });
  });

  test("leaves comments of its author alone that are of another kind", async () => {
    const before = ["Thanks!", "> <!-- graph-deploy:comment:1 -->\n"];
    const { bodies } = await race([section()], { before });
    expect(bodies).toEqual([...before, expect.stringContaining("support-agent")]);
  });

  test("waits until its comment is listed", async () => {
    const { posted, bodies, comments } = await race([section()], { lag: 3_000 });
    expect([posted, bodies.length, comments.counts.create]).toEqual([["created"], 1, 1]);
  });

  test("looks for a comment before it makes it again, when the response was lost", async () => {
    const { posted, bodies, comments } = await race([section()], { lag: 3_000, lost: 1 });
    expect([posted, bodies.length, comments.counts.create]).toEqual([["created"], 1, 1]);
  });

  test("makes two comments one, whoever made them", async () => {
    const before = [legs(1), legs(2).slice(1)].map((some) => mergeSections(undefined, some));
    const { bodies } = await race([section()], { before });
    expect(bodies.map(keysIn)).toEqual([["leg-0", "leg-1", "support-agent"]]);
  });

  test("makes two comments one, also where a later section of a service stands for that of the other", async () => {
    const before = [section({ service: "eu", run: "200" }), section()].map((one) => mergeSections(undefined, [one]));
    const { posted, bodies, comments } = await race(legs(1), { before });
    expect(posted).toEqual(["updated"]);
    expect(bodies.map(keysIn)).toEqual([["leg-0", "support-agent"]]);
    expect(comments.counts.read).toBeLessThan(10);
  });

  /** A run in which one kind of request ends in another way, on comments that are there. */
  async function troubled(
    bodies: readonly string[],
    change: (comments: SlowComments, time: VirtualTime) => Partial<PullRequestComments>,
  ) {
    const time = new VirtualTime();
    const comments = new SlowComments(time, { random: seeded(1), way: 100, lag: 0, lost: 0 });
    for (const [at, body] of bodies.entries()) {
      comments.stored.set(at - 100, { body, since: -10_000 });
    }
    const { list, read, create, update, remove } = comments;
    const all = { list, read, create, update, remove, ...change(comments, time) };
    return await time.run([postSection(all, section(), { clock: time, random: seeded(2) })]);
  }

  test.each(["create", "remove", "update"] as const)(
    "sends nothing for five seconds after GitHub did not answer a %s",
    async (kind) => {
      let [stalled, next] = [-1, -1];
      const own = mergeSections(undefined, [section()]);
      const before = { create: [], update: [mergeSections(undefined, legs(1))], remove: [own, own] }[kind];
      const [end] = await troubled(before, (comments, time) => {
        const noted = async <Result>(work: Promise<Result>) => {
          if (stalled >= 0 && next < 0) next = time.now();
          return await work;
        };
        const stall = async () => {
          await time.sleep(10_000);
          stalled = time.now();
        };
        return {
          list: () => noted(comments.list()),
          read: (id) => noted(comments.read(id)),
          create: async (body) => {
            if (kind !== "create" || stalled >= 0) return await comments.create(body);
            await stall();
            return undefined;
          },
          update: async (id, body) => {
            if (kind !== "update" || stalled >= 0) return await comments.update(id, body);
            await stall();
            return "unclear";
          },
          remove: async (id) => {
            if (kind !== "remove" || stalled >= 0) return await comments.remove(id);
            await stall();
            return "unclear";
          },
        };
      });
      expect(end?.status).toBe("fulfilled");
      expect(next - stalled).toBeGreaterThanOrEqual(5_000);
    },
  );

  test.each(["read", "remove"] as const)("has written its section, also where a later %s fails", async (kind) => {
    const before = kind === "read" ? legs(1) : legs(2);
    const refuse = () => Promise.reject(new GitHubError("no", { status: 502 }));
    const [end] = await troubled(
      before.map((one) => mergeSections(undefined, [one])),
      (comments) => ({
        read: (id) => (kind === "read" && comments.counts.update > 0 ? refuse() : comments.read(id)),
        remove: (id) => (kind === "remove" ? refuse() : comments.remove(id)),
      }),
    );
    expect(end).toMatchObject({ value: { outcome: "updated" } });
  });

  test("reads again before it writes, when the answer to the first read took long", async () => {
    const shown: string[][] = [];
    const before = mergeSections(undefined, legs(1));
    await troubled([before], (comments, time) => ({
      read: async (id) => {
        const body = await comments.read(id);
        if (comments.counts.read > 1) return body;
        await time.sleep(3_000);
        // What another has written meanwhile, which is done.
        await comments.update(id, mergeSections(before, legs(2)));
        return body;
      },
      update: async (id, body) => {
        shown.push(keysIn(body));
        return await comments.update(id, body);
      },
    }));
    expect(shown).toEqual([["leg-0", "leg-1", "support-agent"]]);
  });

  test("says that there is no room beside 60 later sections, and writes nothing", async () => {
    const later = Array.from({ length: 60 }, (_, leg) => section({ key: `later-${String(leg)}`, run: "900" }));
    const before = [mergeSections(undefined, later)];
    const { posted, bodies, comments } = await race([section()], { before });
    expect([posted, bodies]).toEqual([["no-room"], before]);
    expect(comments.counts).toEqual({ list: 1, read: 1, create: 0, update: 0, remove: 0 });
    const on = { number: 7, posted: { outcome: "no-room", id: 1 } } as const;
    expect(postedText(on)).toBe("left as it is on pull request #7: it has no room beside the newest 60 sections");
  });

  test.each<[string, Partial<SectionFacts>, Partial<SectionFacts>, string, string[]]>([
    ["is written, where it is later", { service: "eu" }, { run: "200" }, "updated", ["100 eu", "200 -"]],
    ["is not, where it is earlier", { service: "eu", run: "200" }, {}, "stale", ["200 eu"]],
    ["is taken over by a later one", {}, { service: "eu", run: "200" }, "updated", ["200 eu"]],
  ])("of a key that another writes with its service: %s", async (_, there, own, outcome, expected) => {
    const { posted, bodies } = await race([section(own)], { before: [mergeSections(undefined, [section(there)])] });
    const shown = sectionsOf(bodies[0]).map(({ facts: { run, service = "-" } }) => `${run} ${service}`);
    expect([posted, shown.toSorted()]).toEqual([[outcome], expected]);
  });

  test("that is removed takes the place of what it is about, with a service or without", async () => {
    for (const service of ["eu", undefined]) {
      const before = [mergeSections(undefined, [section({ service })])];
      const gone = section({ service: "eu", run: "200", sign: "gone", state: "removed" });
      const { posted, bodies } = await race([gone], { before, isOnlyUpdate: true });
      expect(posted).toEqual(["updated"]);
      expect(sectionsOf(bodies[0]).map(({ facts }) => [facts.service, facts.state])).toEqual([[service, "removed"]]);
      const again = await race([section({ service, run: "300" })], { before: [...bodies] });
      expect(sectionsOf(again.bodies[0]).map(({ facts }) => facts.state)).toEqual(["live"]);
    }
  });

  test("puts a section back that a write takes away 2.5 s after it was sent, also one that it has only seen", async () => {
    const time = new VirtualTime();
    const comments = new SlowComments(time, { random: seeded(1), way: 100, lag: 0, lost: 0 });
    const old = mergeSections(undefined, [section({ key: "old" })]);
    const stored = { body: mergeSections(old, [section({ key: "seen" })]), since: -10_000 };
    comments.stored.set(1, stored);
    const late = async () => {
      await time.sleep(2_600);
      stored.body = mergeSections(old, [section({ key: "late" })]);
    };
    const post = async () => void (await postSection(comments, section(), { clock: time, random: seeded(2) }));
    await time.run([post(), late()]);
    expect(keysIn(stored.body)).toEqual(["late", "old", "seen", "support-agent"]);
  });

  test("reads again before it writes, when GitHub asked to wait", async () => {
    const time = new VirtualTime();
    const comments = new SlowComments(time, { random: seeded(1), way: 100, lag: 0, lost: 0 });
    const stored = { body: mergeSections(undefined, legs(1)), since: -10_000 };
    comments.stored.set(1, stored);
    const { update } = comments;
    let isHeld = true;
    const held: PullRequestComments["update"] = async (id, body) => {
      if (!isHeld) return await update(id, body);
      isHeld = false;
      stored.body = mergeSections(stored.body, legs(2));
      return "held";
    };
    const waiting: PullRequestComments = {
      list: comments.list,
      read: comments.read,
      create: comments.create,
      update: held,
      remove: comments.remove,
    };
    await time.run([postSection(waiting, section(), { clock: time, random: seeded(2) })]);
    expect(keysIn(stored.body)).toEqual(["leg-0", "leg-1", "support-agent"]);
  });

  test("that is cancelled while it makes sure of its section has written it", async () => {
    const time = new VirtualTime();
    const comments = new SlowComments(time, { random: seeded(1), way: 100, lag: 0, lost: 0 });
    const abort = new AbortController();
    const cancelled: Clock = {
      ...{ now: () => time.now(), date: () => time.date(), alarm: () => time.alarm() },
      sleep: async (milliseconds) => {
        await time.sleep(milliseconds);
        if (milliseconds > 1_000) abort.abort();
        abort.signal.throwIfAborted();
      },
    };
    const work = postSection(comments, section(), { clock: cancelled, random: seeded(2), signal: abort.signal });
    expect(await time.run([work])).toMatchObject([{ value: { outcome: "created" } }]);
  });

  test("that only updates makes nothing", async () => {
    expect(await race([section()], { isOnlyUpdate: true })).toMatchObject({ posted: ["absent"], bodies: [] });
    const before = [mergeSections(undefined, legs(1))];
    expect(await race([section()], { isOnlyUpdate: true, before })).toMatchObject({
      posted: ["absent"],
      bodies: before,
    });
  });
});

describe("runs at once", () => {
  const seeds = Array.from({ length: propertyRuns(0.6) }, (_, seed) => seed);

  test.each([
    ["the comment is new", {}],
    ["the comment is there", { before: [mergeSections(undefined, [section()])] }],
    ["the lists lag", { lag: 1_500 }],
    ["responses are lost", { lag: 800, lost: 0.3 }],
  ])("end as one comment with every section when %s", { tags: "slow" }, async (_, weather) => {
    for (const seed of seeds) {
      const { posted, bodies } = await race(legs(8), { seed, ...weather });
      expect([seed, posted.filter((outcome) => outcome.includes("Error"))]).toEqual([seed, []]);
      expect([seed, bodies.length]).toEqual([seed, 1]);
      expect([seed, keysIn(bodies[0]).filter((key) => key.startsWith("leg"))]).toEqual([
        seed,
        legs(8).map(({ facts: { key } }) => key),
      ]);
    }
  });

  test("the latest one is shown, whichever ends last", async () => {
    for (const seed of seeds) {
      const runs = ["7", "30", "12"].map((run) => section({ run }, `run ${run}`));
      const { bodies } = await race(runs, { seed });
      expect([seed, sectionsOf(bodies[0]).map(({ text }) => text)]).toEqual([seed, ["run 30"]]);
    }
  });
});
