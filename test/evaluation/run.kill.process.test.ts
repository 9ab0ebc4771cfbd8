import { expect, test } from "vitest";
import { killAt, killOnAnotherMachine, undisturbed } from "./killed.ts";

test("an evaluation that is killed asks no case twice when it runs again", { tags: "slow" }, async () => {
  const whole = await undisturbed();
  for (const share of [0.2, 0.5, 0.9]) expect(await killAt(whole, share, 1)).toBe(true);
});

test("a job that runs again on another machine takes up what its threads hold", { tags: "slow" }, killOnAnotherMachine);
