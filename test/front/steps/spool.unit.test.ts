import { hostOf } from "../hosted.ts";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { HostFileError } from "../../../front/host-file-error.ts";
import { makeSpool } from "../../../front/steps/spool.ts";
import { withRunner } from "../options/step.ts";

withRunner("a spool is gone with its step, and post knows where it was", async ({ temp }) => {
  const state = join(temp, "state");
  writeFileSync(state, "");
  vi.stubEnv("GITHUB_STATE", state);
  const spool = await makeSpool(hostOf({ RUNNER_TEMP: temp }));
  expect(dirname(spool.directory)).toBe(temp);
  expect(readFileSync(state, "utf8")).toContain(spool.directory);
  await spool[Symbol.asyncDispose]();
  expect(existsSync(spool.directory)).toBe(false);
});

withRunner("a runner that keeps no state, or has no room, is named, and nothing is left behind", async ({ temp }) => {
  vi.stubEnv("GITHUB_STATE", join(temp, "missing"));
  await expect(makeSpool(hostOf({ RUNNER_TEMP: temp }))).rejects.toThrow(HostFileError);
  await expect(makeSpool(hostOf({ RUNNER_TEMP: join(temp, "missing") }))).rejects.toThrow("RUNNER_TEMP");
});
