import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { seeded } from "../fault/seeded.ts";
import { Schedule } from "./schedule.ts";

/** Three that sleep, wait for a server and do something else meanwhile; in which order they came to it. */
async function race(seed: string) {
  const schedule = new Schedule({ random: seeded(seed), way: 100 });
  const order: string[] = [];
  const works = ["a", "b", "c"].map((name) => async () => {
    for (let round = 0; round < 3; round += 1) {
      await tick();
      await schedule.turn();
      order.push(`${name}${String(round)} at ${String(Math.round(schedule.now()))}`);
      await schedule.sleep(50);
    }
    return name;
  });
  const results = await schedule.all(works, 100);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  return order.join(" ");
}

test("the same numbers make the same order, and other numbers another one", async () => {
  const seeds = Array.from({ length: 20 }, (_, index) => String(index));
  const orders: string[] = [];
  for (const seed of seeds) orders.push(await race(seed));
  expect(new Set(orders).size).toBe(20);
  for (const [index, seed] of seeds.entries()) expect(await race(seed)).toBe(orders[index]);
});

test("who waits longer comes later, and one that fails holds nobody up", async () => {
  const schedule = new Schedule({ random: () => 0, way: 0 });
  const order: number[] = [];
  const sleepers = [300, 100, 200].map((milliseconds) => async () => {
    await schedule.sleep(milliseconds);
    order.push(schedule.now());
    if (milliseconds === 100) throw new Error("No.");
  });
  const results = await schedule.all(sleepers);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(order).toEqual([100, 200, 300]);
});

test("a signal ends a sleep, and nobody waits outside of a race", async () => {
  const schedule = new Schedule({ random: () => 0, way: 10 });
  await schedule.sleep(1_000);
  await schedule.turn();
  expect(schedule.now()).toBe(1_000);
  await expect(schedule.sleep(1, AbortSignal.abort(new Error("Enough.")))).rejects.toThrow("Enough.");
});
