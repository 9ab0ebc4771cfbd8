import { deployStep } from "../../../front/steps/deploy/step.ts";
import { optionsOf } from "../hosted.ts";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { InputsError } from "../../../front/options/inputs-error.ts";
import { withRunner, environment, type makeRunner } from "./step.ts";

type Runner = Awaited<ReturnType<typeof makeRunner>>;

/** The path of the record that a step takes, or the sentence of its error. */
async function recordOf({ workspace, temp }: Runner, path: string, more = {}): Promise<string | undefined> {
  const inputs = { "control-plane-url": "local", name: "agent", "deploy-record": path, ...more };
  const env = environment(inputs, { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp });
  const step = await optionsOf(deployStep, env).catch((error: unknown) => error);
  if (step instanceof InputsError) return step.message;
  if (!(typeof step === "object" && step !== null && "request" in step)) expect.fail(String(step));
  return (step.request as { record?: string }).record;
}

describe("the deploy record", () => {
  withRunner("is relative to the workspace, and its folder need not be there", async (runner) => {
    const path = join(runner.workspace, ".graph-deploy/record.json");
    expect(await recordOf(runner, ".graph-deploy/record.json")).toBe(path);
    expect(await recordOf(runner, path)).toBe(path);
  });

  withRunner("may lie in the folder for temporary files", async (runner) => {
    const path = join(runner.temp, "record.json");
    expect(await recordOf(runner, path)).toBe(path);
  });

  withRunner("lies nowhere else, also behind a link of the checkout", async (runner) => {
    await symlink(dirname(runner.workspace), join(runner.workspace, "out"));
    for (const path of ["../record.json", "/etc/record.json", "out/record.json", "out/new/record.json"]) {
      expect(await recordOf(runner, path)).toBe(
        `The input deploy-record is invalid: "${path}" is outside the workspace and RUNNER_TEMP.`,
      );
    }
  });

  withRunner("is a file", async (runner) => {
    await mkdir(join(runner.workspace, "kept"));
    for (const path of ["kept", "new/"]) {
      expect(await recordOf(runner, path)).toContain(`"${path}" is a directory; write the path of a file in it`);
    }
  });

  withRunner("may be a link itself, which the deploy replaces", async (runner) => {
    await writeFile(join(runner.temp, "target.json"), "{}");
    await symlink(join(runner.temp, "target.json"), join(runner.workspace, "record.json"));
    expect(await recordOf(runner, "record.json")).toBe(join(runner.workspace, "record.json"));
  });

  withRunner("belongs to a folder", async (runner) => {
    expect(await recordOf(runner, "record.json", { "image-uri": "registry.example/agent:1" })).toBe(
      "The input deploy-record applies only to source internal_source; the source here is external_docker.",
    );
  });
});
