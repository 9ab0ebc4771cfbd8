import { expect, test } from "vitest";
import { inLanes } from "../fault/lanes.ts";
import { seeded } from "../fault/seeded.ts";
import { killAt, undisturbed } from "./killed.ts";

const MOMENTS = 40;

test("an evaluation that is killed at any of 40 moments asks no case twice when it runs again", async () => {
  const whole = await undisturbed();
  const random = seeded("evaluation");
  const moments = Array.from({ length: MOMENTS }, () => ({ share: random(), delay: 12 * random() }));
  let killed = 0;
  await inLanes(2, moments, async ({ share, delay }) => {
    if (await killAt(whole, share, delay)) killed += 1;
  });
  expect(killed).toBeGreaterThan(MOMENTS - 5);
});
