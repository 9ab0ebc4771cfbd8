import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { withRunServer } from "./run-server.ts";

const PROGRAM = join(import.meta.dirname, "short-program.ts");

withRunServer("a program that just ends has sent its runs", async (server) => {
  const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM, server.url], { timeout: 100_000 });
  expect(stderr).toBe("");
  expect(server.runs.size).toBe(150);
  expect([...server.runs.values()].filter(({ end_time: end }) => end === undefined)).toEqual([]);
});
