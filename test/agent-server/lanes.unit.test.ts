import { expect, test } from "vitest";
import { Lanes } from "../../src/agent-server/lanes.ts";

const NEVER = new AbortController().signal;

/** Takes so many lanes. */
async function taken(lanes: Lanes, count: number) {
  return await Promise.all(Array.from({ length: count }, () => lanes.take(NEVER)));
}

test("no more lanes are taken than there are, and the next one waits for an end", async () => {
  const lanes = new Lanes(2);
  const [first, second] = await taken(lanes, 2);
  expect([first?.inFlight, second?.inFlight]).toEqual([1, 2]);
  let third = 0;
  const waiting = lanes.take(NEVER).then(({ inFlight }) => (third = inFlight));
  await Promise.resolve();
  expect(third).toBe(0);
  first?.[Symbol.dispose]();
  expect(await waiting).toBe(2);
});

test("a wave of refusals halves them once, the next wave again, and one is left", async () => {
  const lanes = new Lanes(8);
  const wave = await taken(lanes, 8);
  expect(wave.map((lane) => lane.pushedBack())).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
  expect(lanes.concurrency).toBe(4);
  for (const lane of wave) lane[Symbol.dispose]();
  for (const left of [2, 1, 1]) {
    const lane = await lanes.take(NEVER);
    lane.pushedBack();
    lane[Symbol.dispose]();
    expect(lanes.concurrency).toBe(left);
  }
});

test("each ten quiet ends open one more, as many as there were", async () => {
  const lanes = new Lanes(3);
  const [lane] = await taken(lanes, 1);
  lane?.pushedBack();
  const seen = Array.from({ length: 40 }, () => {
    lanes.quiet();
    return lanes.concurrency;
  });
  expect([8, 9, 18, 19, 39].map((end) => seen[end])).toEqual([1, 2, 2, 3, 3]);
});

test("a refusal begins the count of quiet ends anew", async () => {
  const lanes = new Lanes(4);
  const [lane] = await taken(lanes, 1);
  for (let end = 0; end < 9; end += 1) lanes.quiet();
  lane?.pushedBack();
  lanes.quiet();
  expect(lanes.concurrency).toBe(2);
});

test("who waits is let in when there is one lane more", async () => {
  const lanes = new Lanes(2);
  const [lane] = await taken(lanes, 1);
  lane?.pushedBack();
  const waiting = lanes.take(NEVER);
  for (let end = 0; end < 10; end += 1) lanes.quiet();
  expect(await waiting).toMatchObject({ inFlight: 2 });
});

test("a server that works on fewer at a time bounds them for good", async () => {
  const lanes = new Lanes(8);
  lanes.bound(2);
  lanes.bound(20);
  for (let end = 0; end < 100; end += 1) lanes.quiet();
  expect(lanes.concurrency).toBe(2);
  expect(await taken(lanes, 2)).toHaveLength(2);
});

test("who waits leaves when the signal fires, and takes no lane from others", async () => {
  const lanes = new Lanes(1);
  const [lane] = await taken(lanes, 1);
  const cancel = new AbortController();
  const waiting = lanes.take(cancel.signal);
  const next = lanes.take(NEVER);
  cancel.abort();
  await expect(waiting).rejects.toThrow();
  await expect(lanes.take(cancel.signal)).rejects.toThrow();
  lane?.[Symbol.dispose]();
  expect(await next).toMatchObject({ inFlight: 1 });
});
