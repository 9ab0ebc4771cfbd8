import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { inLanes } from "../../../action/remove/lanes.ts";

test.each([
  [0, 0],
  [1, 1],
  [3, 3],
  [4, 4],
  [100, 4],
])("of %d items %d are worked on at a time, each once and in their order", async (count, atOnce) => {
  const items = Array.from({ length: count }, (_, at) => at);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  await inLanes(items, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await tick();
    running -= 1;
  });
  expect({ begun, most, running }).toEqual({ begun: items, most: atOnce, running: 0 });
});

test("an error of one item is the error of all", async () => {
  const work = (item: number) => (item === 2 ? Promise.reject(new Error("no")) : tick());
  await expect(inLanes([1, 2, 3], work)).rejects.toThrow("no");
});
