import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { RunServer } from "./run-server.ts";

const PROGRAM = join(import.meta.dirname, "short-program.ts");

test("a program that just ends has sent its runs", async () => {
  const server = await RunServer.start();
  const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM, server.url], { timeout: 100_000 });
  expect(stderr).toBe("");
  expect(server.runs.size).toBe(150);
  expect([...server.runs.values()].filter(({ end_time: end }) => end === undefined)).toEqual([]);
});
