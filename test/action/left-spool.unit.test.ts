import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { removeLeftSpool } from "../../action/left-spool.ts";
import { withRunner } from "../front/options/step.ts";

/** Runs it with this state, and answers what it prints. */
async function printed(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const texts: string[] = [];
  await removeLeftSpool({ env, stdout: { write: (text) => texts.push(text) } });
  return texts;
}

withRunner("post removes what a killed main has left, and nothing where there is nothing", async ({ temp }) => {
  const left = join(temp, "left");
  mkdirSync(left);
  expect(await printed({})).toEqual([]);
  expect(existsSync(left)).toBe(true);
  expect(await printed({ STATE_spool: left })).toEqual([]);
  expect(existsSync(left)).toBe(false);
  expect(await printed({ STATE_spool: left })).toEqual([]);
});

withRunner("what post cannot remove is one warning", async ({ temp }) => {
  writeFileSync(join(temp, "file"), "");
  expect(await printed({ STATE_spool: join(temp, "file", "left") })).toEqual([
    expect.stringMatching(/^::warning::RUNNER_TEMP, .*left, cannot be written to: .*\n$/),
  ]);
});
