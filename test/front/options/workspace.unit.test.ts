import { hostOf } from "../hosted.ts";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputReader } from "../../../front/options/input-reader.ts";
import { readPlace } from "../../../action/host.ts";
import { nearestDirectory, readWorkspace, realDirectory } from "../../../front/options/workspace.ts";
import { withRunner, makeRunner } from "./step.ts";

async function read(workspace: string | undefined) {
  const reader = new InputReader(hostOf({}), { defaults: { path: "" }, neverEmpty: {} });
  const root = await readWorkspace(reader, "path", readPlace({ GITHUB_WORKSPACE: workspace }));
  return { root, faults: reader.faults.map(({ input }) => input) };
}

withRunner("the workspace is a directory without links", async ({ workspace, temp }) => {
  symlinkSync(workspace, join(temp, "link"), "junction");
  expect(await read(join(temp, "link"))).toEqual({ root: workspace, faults: [] });
});

withRunner("no workspace, or one that is no directory, is a fault of the input", async ({ workspace }) => {
  const file = join(workspace, "file");
  writeFileSync(file, "");
  expect(await read(undefined)).toEqual({ root: undefined, faults: ["path"] });
  expect(await read(file)).toEqual({ root: undefined, faults: ["path"] });
  expect(await realDirectory(join(workspace, "missing"))).toBeUndefined();
});

test("the directory whose path is near is found at each place of a path, and never outside of the workspace", async () => {
  const { workspace, temp } = await makeRunner();
  for (const path of ["examples/agent", "examples/support", ".git"]) {
    mkdirSync(join(workspace, path), { recursive: true });
  }
  mkdirSync(join(temp, "agent"));
  writeFileSync(join(workspace, "notes"), "");
  symlinkSync(temp, join(workspace, "out"), "junction");
  const nearest = async (path: string) => await nearestDirectory(workspace, join(workspace, path));
  expect(await nearest("examples/agnt")).toBe(join(workspace, "examples", "agent"));
  expect(await nearest("exampels/Agent")).toBe(join(workspace, "examples", "agent"));
  expect(await nearest("exampels/zebra")).toBe(join(workspace, "examples"));
  for (const path of ["examples/zebra", "git", "note", "out/agnt", "../temp/agnt", ".."]) {
    expect(await nearest(path), path).toBeUndefined();
  }
});

withRunner("the look for a similar name ends in a directory that is large", async ({ workspace }) => {
  for (let at = 0; at < 1_000; at += 1) mkdirSync(join(workspace, `a-${String(at)}`));
  mkdirSync(join(workspace, "zebra"));
  expect(await nearestDirectory(workspace, join(workspace, "zebr"))).toBeUndefined();
  expect(await nearestDirectory(workspace, join(workspace, "a-999x"))).toBe(join(workspace, "a-999"));
});
