import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readPlace } from "../../action/host.ts";
import { hostOf } from "../front/hosted.ts";
import { parseFileCommand } from "../runner/file-command.ts";

test("the runner's variables are read, and each has a default outside of a runner", () => {
  const named = { names: { temp: "RUNNER_TEMP", workspace: "GITHUB_WORKSPACE" }, machine: "runner" };
  expect(readPlace({})).toEqual({ ...named, temp: tmpdir(), workspace: undefined, debug: false, attempt: 1 });
  const runner = { RUNNER_TEMP: "/t", GITHUB_WORKSPACE: "/w", RUNNER_DEBUG: "1", GITHUB_RUN_ATTEMPT: "3" };
  expect(readPlace(runner)).toEqual({ ...named, temp: "/t", workspace: "/w", debug: true, attempt: 3 });
  expect(hostOf(runner)).toMatchObject({ place: readPlace(runner), summary: undefined });
});

test("the outputs and the summary go into the files that the variables of the runner name", () => {
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  const [outputs, summary] = [join(folder, "o"), join(folder, "s")];
  for (const path of [outputs, summary]) writeFileSync(path, "");
  vi.stubEnv("GITHUB_OUTPUT", outputs);
  const host = hostOf({ GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary });
  host.setOutput("name", "text");
  host.summary?.("### title");
  expect([...parseFileCommand(readFileSync(outputs, "utf8"))]).toEqual([["name", "text"]]);
  expect(readFileSync(summary, "utf8")).toBe("### title");
});
