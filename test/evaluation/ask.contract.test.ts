import { describe, expect, test } from "vitest";
import { threadIdOf } from "../../src/evaluation/ask.ts";
import { all } from "../agent-server/rig.ts";
import { deployed, start } from "../local/caller.ts";
import { askerAt, trialOf } from "./asked.ts";
import { testEndings } from "./endings.ts";

const EVALUATION = "e-1";

async function local() {
  const service = await start();
  const { url } = await deployed(service);
  const rig = askerAt(url);
  await rig.asker.meet();
  return { service, url, ...rig };
}

const says = (content: string) => ({ messages: [{ role: "user", content }] });
const CHAT = trialOf("c-1", says("one"), says("two"));
const THREAD = threadIdOf(EVALUATION, CHAT);

describe("a trial of several turns", () => {
  test("is a run a turn in one thread, and the state holds all of them", async () => {
    const { asker, threads } = await local();
    const asked = await asker.ask(CHAT, { evaluation: EVALUATION });
    expect(asked).toMatchObject({ outcome: "answered", threadId: THREAD });
    expect(asked.firstTokenMilliseconds).toBeLessThanOrEqual(asked.runMilliseconds ?? 0);
    expect(asked.state).toMatchObject({
      messages: [{ content: "one" }, { type: "ai" }, { content: "two" }, { type: "ai" }],
    });
    const runs = await all(threads.runs(THREAD));
    expect(runs.map(({ metadata }) => metadata?.["turn"]).toSorted()).toEqual([0, 1]);
    expect(runs.find(({ metadata }) => metadata?.["turn"] === 1)?.run_id).toBe(asked.runId);
    await asker.remove(THREAD);
    expect(await all(threads.search())).toEqual([]);
  });

  test("ends with the first turn that is no answer", async () => {
    const { asker, threads, service } = await local();
    service.faults.nextRun({ end: "interrupted" });
    expect(await asker.ask(CHAT, { evaluation: EVALUATION })).toMatchObject({ outcome: "interrupted" });
    expect(await all(threads.runs(THREAD))).toHaveLength(1);
  });

  test("goes on where an earlier process left it: what was asked is not asked again", async () => {
    const { asker, threads, service, url } = await local();
    service.faults.nextRun({});
    service.faults.nextRun({ hold: "running" });
    const killed = askerAt(url);
    await killed.asker.meet();
    const lost = killed.asker.ask(CHAT, { evaluation: EVALUATION });
    await expect.poll(() => all(threads.runs(THREAD)).catch(() => [])).toHaveLength(2);
    await killed.http.close();
    await lost;
    const [left] = await asker.left(EVALUATION);
    const joined = asker.join(CHAT, left ?? LEFT);
    service.faults.runs.release();
    expect((await joined).state).toMatchObject({ messages: [{ content: "one" }, {}, { content: "two" }, {}] });
    expect(await all(threads.runs(THREAD))).toHaveLength(2);
  });

  test("asks the turns that an earlier process had no time for", async () => {
    const { asker, server, threads } = await local();
    const metadata = { evaluation: EVALUATION, case: "c-1", trial: 0, attempt: 1, turn: 0 };
    const first = { assistant_id: "agent", input: says("one"), metadata, if_not_exists: "create" } as const;
    await server.runAndWait(first, { threadId: THREAD });
    const [left] = await asker.left(EVALUATION);
    expect(await asker.join(CHAT, left ?? LEFT)).toMatchObject({ outcome: "answered" });
    const said = (await threads.get(THREAD)).values;
    expect(said).toMatchObject({ messages: [{ content: "one" }, {}, { content: "two" }, {}] });
  });
});

const LEFT = { threadId: THREAD, evaluation: EVALUATION, caseId: "c-1", repetition: 0, attempt: 1, status: "idle" };

test("a thread that was made and never ran is asked when it is joined", async () => {
  const { asker, threads } = await local();
  await threads.create({ thread_id: THREAD, metadata: { evaluation: EVALUATION } });
  const [left] = await asker.left(EVALUATION);
  expect(left).toEqual({ ...LEFT, caseId: "", repetition: -1, attempt: 0 });
  expect(await asker.join(CHAT, LEFT)).toMatchObject({ outcome: "answered" });
  expect(await all(threads.runs(THREAD))).toHaveLength(2);
});

test(
  "all threads of an evaluation are found and removed, on every page, and those of no other",
  { tags: "slow" },
  async () => {
    const { asker, threads } = await local();
    for (let made = 0; made < 230; made += 1) await threads.create({ metadata: { evaluation: EVALUATION, case: "c" } });
    const { thread_id } = await threads.create({ metadata: { evaluation: "e-2" } });
    let removed = 0;
    for (const { threadId } of await asker.left(EVALUATION)) {
      await asker.remove(threadId);
      removed += 1;
    }
    expect(removed).toBe(230);
    expect(await all(threads.search())).toMatchObject([{ thread_id }]);
  },
);

test("a thread with an open run is removed after its run was cancelled", async () => {
  const { asker, threads, service, server } = await local();
  service.faults.nextRun({ hold: "running" });
  const run = { assistant_id: "agent", input: {}, if_not_exists: "create" } as const;
  const ended = all(server.streamRun(run, { threadId: THREAD }));
  await expect.poll(() => all(threads.runs(THREAD)).catch(() => [])).toMatchObject([{ status: "running" }]);
  await asker.remove(THREAD);
  // The stream ends without a state: the run did not go on.
  expect((await ended).map(({ event }) => event)).toEqual(["metadata", "values"]);
  expect(await all(threads.search())).toEqual([]);
});

test("eight trials at a time begin with as many runs as are open", async () => {
  const { asker } = await local();
  const trials = Array.from({ length: 30 }, (_, index) => trialOf(`c-${String(index)}`, { question: "why?" }));
  const asked = await Promise.all(trials.map((trial) => asker.ask(trial, { evaluation: EVALUATION })));
  expect(new Set(asked.map(({ outcome }) => outcome))).toEqual(new Set(["answered"]));
  expect(Math.max(...asked.map(({ inFlight }) => inFlight))).toBe(8);
});

testEndings("the built-in agent", async () => {
  const service = await start();
  const { faults } = service;
  const { url } = await deployed(service);
  return {
    url,
    tell: async (fate) => {
      faults.nextRun(fate);
      return await Promise.resolve({});
    },
    release: async () => {
      faults.runs.release();
      await Promise.resolve();
    },
  };
});
