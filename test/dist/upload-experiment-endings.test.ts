import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { runAction, startAction } from "../runner/runner.ts";
import { API_KEY } from "./step.ts";
import { withUploadStep, errorsOf, redSentence, UPLOAD_DIST, uploadStep } from "./upload-step.ts";
import { nodeOptions } from "../node-arguments.ts";

describe.skipIf(process.platform === "win32")("an upload that is cancelled", () => {
  async function whileSending() {
    const step = await uploadStep();
    step.service.faults.add({ match: { method: "POST" }, do: { kind: "stall", when: "after" }, times: 9 });
    const running = await startAction(step.options());
    await expect.poll(step.posts).toBe(1);
    return { ...step, running };
  }

  test.each(["SIGINT", "SIGTERM"] as const)("by %s while it is sent names what may be stored", async (signal) => {
    const { running } = await whileSending();
    running.signal(signal);
    const result = await running.result;
    expect(redSentence(result)).toBe('The upload of the experiment "nightly" was cancelled.');
    expect(result.log.at(-1)).toBe(
      "Next          It may still be stored if its last byte was sent: look for it by its name.",
    );
    expect(result.annotations.map(({ title }) => title)).toEqual(["Cancelled"]);
  });

  test("as the runner does it ends at the first signal", async () => {
    const { running } = await whileSending();
    await running.cancel();
    redSentence(await running.result);
  });

  test("by force leaves a spool behind, which post removes", async () => {
    const { running, temp } = await whileSending();
    expect((await readdir(temp)).filter((name) => name.startsWith("graph-deploy-spool-"))).toHaveLength(1);
    running.signal("SIGKILL");
    const result = await running.result;
    expect(result).toMatchObject({ exitCode: null, leftInTemp: [] });
    expect(result.post).toMatchObject({ exitCode: 0, rawStdout: "", rawStderr: "" });
    expect((await readdir(temp)).filter((name) => !name.startsWith("_"))).toEqual([]);
  });
});

describe("a step whose ground goes away", () => {
  async function withPreload(code: string) {
    const step = await uploadStep();
    const path = join(step.temp, "..", "preload.mjs");
    await writeFile(path, code);
    return { ...step, options: () => step.options({}, { env: nodeOptions("--import", path) }) };
  }

  test("by a promise that never settles is red, with one sentence and its outputs", async () => {
    const { options } = await withPreload(
      `import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
       fs.mkdtemp = () => new Promise(() => {}); syncBuiltinESMExports();`,
    );
    const result = await runAction(options());
    expect(result.exitCode).not.toBe(0);
    expect(errorsOf(result)).toEqual([
      "An unexpected error ended the run: the process had nothing left to do, but the step had not finished.",
    ]);
    expect(result.outputs.get("upload-status")).toBe("failed");
  });

  test("by outputs that cannot be written is red with a sentence", async () => {
    const { options } = await withPreload(`process.env.GITHUB_OUTPUT = "/nowhere/outputs";`);
    const result = await runAction(options());
    expect(result).toMatchObject({ exitCode: 1, rawStderr: "", leftInTemp: [] });
    expect(result.rawStdout).toMatch(
      /^::error title=Outputs::The step fails because its outputs could not be written: /m,
    );
  });

  // A write error of stdout was thrown with a stack, and the outputs said that a good upload had failed.
  withUploadStep("by a log that nobody reads uploads all the same", async ({ workspace, temp, service, stored }) => {
    const outputs = join(temp, "outputs");
    await writeFile(outputs, "");
    const child = spawn(process.execPath, [join(UPLOAD_DIST, "upload-experiment/index.js")], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        RUNNER_TEMP: temp,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: outputs,
        INPUT_RESULTS: "*.jsonl",
        "INPUT_BASE-URL": service.url,
        "INPUT_API-KEY": API_KEY,
        "INPUT_DATASET-NAME": "capitals",
      },
    });
    child.stdout.destroy();
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([exitCode, errors]).toEqual([0, ""]);
    expect(await readFile(outputs, "utf8")).toMatch(/^upload-status<<.*\nuploaded\n/m);
    expect(await stored()).toHaveLength(1);
  });
});
