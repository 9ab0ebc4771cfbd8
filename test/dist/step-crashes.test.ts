import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAction, startAction, type ActionResult } from "../runner/runner.ts";
import { withStep, API_KEY, step } from "./step.ts";
import { nodeOptions } from "../node-arguments.ts";

const VALUE = "value-of-the-agent-4711";
const errors = ({ annotations }: ActionResult) =>
  annotations.filter(({ type }) => type === "error").map(({ message }) => message);
const raw = ({ rawStdout, rawStderr }: ActionResult) => rawStdout + rawStderr;

describe("the names of secrets", () => {
  test.each(["constructor", "__proto__"])("%s is no variable that every environment has", async (name) => {
    const { options, service } = await step();
    const result = await runAction(options({ secrets: `MODEL_KEY=${VALUE}\n${name}` }, { secrets: [API_KEY, VALUE] }));
    expect(result).toMatchObject({ exitCode: 1, leaked: [], rawStderr: "" });
    expect(result.outputs.get("outcome")).toBe("failed");
    expect(errors(result)).toEqual([expect.stringContaining("line 2 is not set in the environment")]);
    expect(service.requests).toEqual([]);
  });

  withStep("are all that is said of values that cannot be masked, in one notice", async ({ options }) => {
    const secrets = `MODEL_KEY=${VALUE}\nDEBUG=true\nPIN=4q7\nEMPTY=null`;
    const result = await runAction(options({ secrets, "dry-run": "true" }));
    expect(result.exitCode).toBe(0);
    const notices = result.annotations.filter(({ type }) => type === "notice").map(({ message }) => message);
    expect(notices).toEqual([expect.stringMatching(/"DEBUG", "PIN" and "EMPTY".*cannot be masked/)]);
    expect(raw(result)).not.toContain("4q7");
  });
});

describe("an error that nothing awaited", () => {
  // What a library of the bundle could do at any time, at a signal of the test.
  const CRASH = `
    process.once("SIGUSR2", () => {
      const error = new Error("it broke with ${VALUE}");
      error.stack = "file:///dist/index.js:2\\n" + "const minified=1;".repeat(20000) + "\\n      ^\\n\\nError: it broke\\n" +
        "    at somewhere (file:///dist/index.js:2:34567)\\n".repeat(50) + "    at " + "x".repeat(1000);
      CRASH;
    });
  `;

  test.each([
    ["is thrown", "throw error"],
    ["rejects a promise", "void Promise.reject(error)"],
  ])("and that %s has outputs, no secret and no line of the source", async (_how, crash) => {
    const { options, service, workspace } = await step();
    service.faults.nextRevision({ hold: "BUILDING" });
    const program = join(workspace, "..", "crash.mjs");
    await writeFile(program, CRASH.replace("CRASH;", `${crash};`));
    const env = { ...nodeOptions("--import", program), RUNNER_DEBUG: "1" };
    const secrets = `MODEL_KEY=${VALUE}`;
    const running = await startAction(options({ secrets }, { env, secrets: [API_KEY, VALUE] }));
    await running.line(/BUILDING/);
    running.signal("SIGUSR2");
    const result = await running.result;
    expect(result).toMatchObject({ exitCode: 1, leaked: [], rawStderr: "" });
    expect(result.outputs.get("outcome")).toBe("failed");
    expect(result.outputs.get("revision-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(errors(result)).toEqual(["An unexpected error ended the run: it broke with ***."]);
    const stack = result.log.slice(result.log.indexOf("##[group]Stack") + 1);
    const lines = stack.slice(0, stack.indexOf("##[endgroup]"));
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(300);
    expect(raw(result)).not.toContain("minified");
  });
});

withStep("an input that repeats itself in an error is cut, with the count of its characters", async ({ options }) => {
  const long = "x".repeat(100_000);
  const result = await runAction(
    options({ "field-names": long, "poll-interval": long, "reserved-names": "a-b,".repeat(9_999) }),
  );
  expect(result).toMatchObject({ exitCode: 1, faults: [] });
  expect(raw(result).length).toBeLessThan(4_000);
  expect(raw(result)).toContain(`"${"x".repeat(80)}…" (100,000 characters)`);
});

test("an environment in which no certificate is checked has one warning, and the step goes on", async () => {
  const { options } = await step();
  const result = await runAction(options({}, { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } }));
  expect(result.exitCode).toBe(0);
  const warnings = result.annotations.filter(({ type }) => type === "warning").map(({ message }) => message);
  expect(warnings).toEqual([expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED is 0")]);
  expect(result.summary).toContain("⚠️ NODE_TLS_REJECT_UNAUTHORIZED is 0");
});

withStep("a SOCKS proxy is not supported, which the error says without its password", async ({ options, service }) => {
  const env = { HTTPS_PROXY: "socks5://user:pass-4711@proxy.example:1080" };
  const result = await runAction(options({}, { env, secrets: [API_KEY, "pass-4711"] }));
  expect(result).toMatchObject({ exitCode: 1, leaked: [] });
  expect(errors(result)).toEqual([
    expect.stringMatching(/^The environment variable HTTPS_PROXY is a SOCKS proxy, and only HTTP proxies/),
  ]);
  expect(service.requests).toEqual([]);
});

describe("the runner's own files", () => {
  withStep("a RUNNER_TEMP that is missing is reported by its name", async ({ options, temp }) => {
    const gone = join(temp, "gone");
    const result = await runAction(options({}, { env: { RUNNER_TEMP: gone } }));
    expect(result.exitCode).toBe(1);
    expect(errors(result)).toEqual([`RUNNER_TEMP, ${gone}, cannot be written to: it does not exist (ENOENT).`]);
    expect(result.outputs.get("outcome")).toBe("failed");
    expect(raw(result)).not.toContain("bug in graph-deploy");
  });

  test.each([{}, { "control-plane-url": "local", "api-key": "" }])(
    "a RUNNER_TEMP that is a file is reported by its name, with %o",
    async (inputs) => {
      const { options, temp } = await step();
      const file = join(temp, "file");
      await writeFile(file, "");
      const result = await runAction(options(inputs, { env: { RUNNER_TEMP: file } }));
      expect(errors(result)).toEqual([expect.stringMatching(/^RUNNER_TEMP, .*, cannot be written to: /)]);
      expect(raw(result)).not.toContain("bug in graph-deploy");
    },
  );

  /** A program that runs before the step, which changes what the runner set. */
  const before = async (folder: string, program: string) => {
    const file = join(folder, "..", "before.mjs");
    await writeFile(file, program);
    return { env: nodeOptions("--import", file) };
  };

  test("a GITHUB_STATE that is missing is reported by its name, and nothing is left behind", async () => {
    const { options, workspace } = await step();
    const result = await runAction(options({}, await before(workspace, 'process.env.GITHUB_STATE = "/gone/state";')));
    expect(result).toMatchObject({ exitCode: 1, leftInTemp: [], rawStderr: "" });
    expect(errors(result)).toEqual([expect.stringContaining("GITHUB_STATE")]);
    expect(raw(result)).not.toContain("bug in graph-deploy");
  });

  withStep("a GITHUB_OUTPUT that is missing fails the step in one sentence", async ({ options, workspace }) => {
    const result = await runAction(options({}, await before(workspace, 'process.env.GITHUB_OUTPUT = "/gone/output";')));
    expect(result).toMatchObject({ exitCode: 1, rawStderr: "" });
    expect(errors(result)).toEqual([
      "The step fails because its outputs could not be written: GITHUB_OUTPUT, /gone/output, cannot be written to: it does not exist.",
    ]);
    expect(result.log.filter((line) => line.startsWith("Next "))).toEqual([
      expect.stringContaining("the directory of GITHUB_OUTPUT must exist"),
    ]);
  });

  withStep("a GITHUB_STEP_SUMMARY that is missing is a warning", async ({ options, workspace }) => {
    const program = 'process.env.GITHUB_STEP_SUMMARY = "/gone/summary";';
    const result = await runAction(options({}, await before(workspace, program)));
    expect(result).toMatchObject({ exitCode: 0, rawStderr: "" });
    expect(result.annotations.filter(({ type }) => type === "warning").map(({ message }) => message)).toEqual([
      "The job summary could not be written: GITHUB_STEP_SUMMARY, /gone/summary, cannot be written to: it does not exist (ENOENT).",
    ]);
  });

  test.skipIf(process.platform !== "linux")("a folder that post cannot remove is a warning", async () => {
    const { options, workspace } = await step();
    const program = 'process.env.STATE_spool = "/proc/self/status";';
    const { post } = await runAction(options({ "dry-run": "true" }, await before(workspace, program)));
    expect(post).toMatchObject({ exitCode: 0, rawStderr: "" });
    expect(post?.annotations).toEqual([expect.objectContaining({ type: "warning" })]);
  });
});
