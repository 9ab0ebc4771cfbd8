import { expect, test } from "vitest";
import { systemClock } from "../../src/http/clock.ts";

test("a sleep ends at once with the reason of its signal, before it begins or while it lasts", async () => {
  const reason = new Error("stop");
  await expect(systemClock.sleep(600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const sleep = systemClock.sleep(600_000, controller.signal);
  controller.abort(reason);
  await expect(sleep).rejects.toBe(reason);
});

test("an alarm rings once, and one that was called off never", async () => {
  const rung: string[] = [];
  const off = systemClock.alarm(1, () => rung.push("off"));
  systemClock.alarm(1, () => rung.push("on"));
  off();
  await expect.poll(() => rung).toEqual(["on"]);
});

test.each([1e12, Number.POSITIVE_INFINITY])("a wait of %d ms does not end at once", async (milliseconds) => {
  const ended: string[] = [];
  const off = systemClock.alarm(milliseconds, () => ended.push("alarm"));
  const controller = new AbortController();
  const sleep = systemClock.sleep(milliseconds, controller.signal).then(
    () => ended.push("sleep"),
    () => undefined,
  );
  systemClock.alarm(20, () => ended.push("short"));
  await expect.poll(() => ended).toEqual(["short"]);
  off();
  controller.abort();
  await sleep;
});
