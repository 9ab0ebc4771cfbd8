import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputReader } from "../../../action/inputs/input-reader.ts";
import { readRunner } from "../../../action/inputs/runner.ts";
import { readWorkspace, realDirectory } from "../../../action/inputs/workspace.ts";
import { makeRunner } from "./step.ts";

async function read(workspace: string | undefined) {
  const reader = new InputReader({}, { path: "" });
  const root = await readWorkspace(reader, "path", readRunner({ GITHUB_WORKSPACE: workspace }));
  return { root, faults: reader.faults.map(({ input }) => input) };
}

test("the workspace is a directory without links", async () => {
  const { workspace, temp } = await makeRunner();
  symlinkSync(workspace, join(temp, "link"), "junction");
  expect(await read(join(temp, "link"))).toEqual({ root: workspace, faults: [] });
});

test("no workspace, or one that is no directory, is a fault of the input", async () => {
  const { workspace } = await makeRunner();
  const file = join(workspace, "file");
  writeFileSync(file, "");
  expect(await read(undefined)).toEqual({ root: undefined, faults: ["path"] });
  expect(await read(file)).toEqual({ root: undefined, faults: ["path"] });
  expect(await realDirectory(join(workspace, "missing"))).toBeUndefined();
});
