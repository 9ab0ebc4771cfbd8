import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAction, startAction, type ActionOptions } from "./runner.ts";

// The actions are small scripts: what is tested is the runner.
let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "fake-runner-")));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const prelude = `
  import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
  const put = (kind, text) => appendFileSync(process.env["GITHUB_" + kind], text);
  const say = (...lines) => console.log(lines.join("\\n"));
`;

/** Writes an action whose main and post are the given scripts. */
async function action(main: string, post?: string): Promise<ActionOptions> {
  const name = `a${crypto.randomUUID()}`;
  await writeFile(join(folder, `${name}.mjs`), prelude + main);
  if (post !== undefined) await writeFile(join(folder, `${name}-post.mjs`), prelude + post);
  const actionYml = join(folder, `${name}.yml`);
  await writeFile(
    actionYml,
    `name: n
description: d
inputs:
  api-key: { description: d }
  dry run: { description: d, default: false }
  path: { description: d, default: . }
outputs:
  url: { description: d }
runs:
  using: node24
  main: ${name}.mjs
${post === undefined ? "" : `  post: ${name}-post.mjs\n`}`,
  );
  return { actionYml, workspace: folder };
}

describe("the environment of a step", () => {
  const environment = `console.log(JSON.stringify({ cwd: process.cwd(), env: process.env, node: process.version }))`;

  const environmentOf = ({ rawStdout }: { rawStdout: string }) => {
    return z.object({ cwd: z.string(), env: z.record(z.string(), z.string()) }).parse(JSON.parse(rawStdout));
  };

  test("has the workspace, the temporary folder and what GitHub says, and nothing of this process", async () => {
    process.env["OF_THIS_PROCESS"] = "1";
    const result = await runAction({
      ...(await action(environment)),
      env: { EXTRA: "x", GITHUB_SHA: "abc", CI: undefined },
    });
    delete process.env["OF_THIS_PROCESS"];
    const { cwd, env } = environmentOf(result);
    expect(cwd).toBe(folder);
    expect(env).toMatchObject({ GITHUB_WORKSPACE: folder, GITHUB_ACTIONS: "true", EXTRA: "x", GITHUB_SHA: "abc" });
    expect(env).not.toHaveProperty("OF_THIS_PROCESS");
    expect(env).not.toHaveProperty("CI");
    expect(Object.keys(env).filter((name) => /^(npm_|VITEST|NODE_(?!COMPILE_CACHE$))/.test(name))).toEqual([]);
  });

  test("refuses a default that is an expression", async () => {
    const options = await action("");
    await expect(runAction({ ...options, inputs: { path: "${{ github.sha }}" } })).rejects.toThrow(
      "path is an expression",
    );
  });
});

describe("a step's result", () => {
  test("has outputs, state, summary, annotations and commands", async () => {
    const result = await runAction(
      await action(`
        put("OUTPUT", "url<<E\\nhttp://a\\nE\\n");
        put("STATE", "id=7\\n");
        put("STEP_SUMMARY", "# Done");
        say("::group::Files", "a", "::endgroup::", "::error title=Build failed::it%0Abroke", "::debug::hidden");
        process.stdout.write("progress\\r::notice::after a lone CR\\r\\n");
        console.error("##[warning]from stderr");
      `),
    );
    expect(result).toMatchObject({ exitCode: 0, conclusion: "success", summary: "# Done", faults: [], leaked: [] });
    expect([...result.outputs]).toEqual([["url", "http://a"]]);
    expect([...result.state]).toEqual([["id", "7"]]);
    expect(result.annotations).toContainEqual({ type: "error", title: "Build failed", message: "it\nbroke" });
    expect(result.annotations).toContainEqual({ type: "notice", title: undefined, message: "after a lone CR" });
    expect(result.annotations).toContainEqual({ type: "warning", title: undefined, message: "from stderr" });
    expect(result.log.filter((line) => !line.includes("stderr"))).toEqual([
      "##[group]Files",
      "a",
      "##[endgroup]",
      "##[error]it",
      "broke",
      "progress",
      "##[notice]after a lone CR",
    ]);
    expect(result.commands.map(({ name }) => name).filter((name) => name !== "warning")).toEqual([
      "group",
      "endgroup",
      "error",
      "debug",
      "notice",
    ]);
  });

  test("shows debug lines when the step debugs", async () => {
    const options = await action(`say("::debug::detail")`);
    expect((await runAction({ ...options, env: { RUNNER_DEBUG: "1" } })).log).toEqual(["##[debug]detail"]);
  });

  test("is a failure for an exit code, a throw, and a promise that never settles", async () => {
    expect(await runAction(await action(`process.exitCode = 3`))).toMatchObject({ exitCode: 3, conclusion: "failure" });
    expect(await runAction(await action(`throw new Error("x")`))).toMatchObject({ exitCode: 1, conclusion: "failure" });
    expect(await runAction(await action(`await new Promise(() => {})`))).toMatchObject({
      exitCode: 13,
      conclusion: "failure",
    });
  });

  test("is a failure for a file that the runner cannot read", async () => {
    const result = await runAction(await action(`put("OUTPUT", "url<<E\\nno end")`));
    expect(result).toMatchObject({ exitCode: 0, conclusion: "failure" });
    expect(result.faults).toEqual([expect.stringContaining("EOF marker")]);
  });

  test("reports an output that is not declared, and a command that is out of use", async () => {
    const result = await runAction(
      await action(`put("OUTPUT", "other=1\\n"); say("::set-output name=url::x", "::add-mask::")`),
    );
    expect(result.faults).toEqual([
      expect.stringContaining("set-output"),
      "add-mask got an empty value",
      "output other is not declared in action.yml",
    ]);
  });

  test("reports what the runner cuts and drops", async () => {
    const result = await runAction(
      await action(`
        say(...Array(11).fill("::warning::w"), "::error::" + "e".repeat(5000), "::group::a", "::group::b");
        put("STEP_SUMMARY", "s".repeat(1024 * 1024 + 1));
        put("OUTPUT", "url=" + "u".repeat(600 * 1024));
      `),
    );
    expect(result.faults).toEqual([
      "more than 10 annotations of type warning",
      "an annotation of 5000 characters is cut at 4096",
      "a group inside a group",
      expect.stringMatching(/^outputs of \d+ bytes/),
      expect.stringMatching(/^a summary of 1048577 bytes/),
    ]);
  });

  test("obeys no command between stop-commands and its token", async () => {
    const result = await runAction(await action(`say("::stop-commands::abc", "::error::x", "::abc::", "::notice::y")`));
    expect(result.annotations).toEqual([{ type: "notice", title: undefined, message: "y" }]);
    expect(result.log).toContain("::error::x");
  });

  test("rejects when a stage has no end", async () => {
    const options = await action(`say("begun"); setInterval(() => {}, 1000)`);
    await expect(runAction({ ...options, timeoutMs: 5_000 })).rejects.toThrow(/no end after 5000 ms.*\nbegun/);
  });
});

describe("a secret", () => {
  const run = async (main: string, secret = "hunter2hunter2") =>
    runAction({ ...(await action(main)), secrets: [secret] });

  test("that is masked before it is printed does not leak", async () => {
    const result = await run(`say("::add-mask::hunter2hunter2", "key hunter2hunter2", "::error::hunter2hunter2")`);
    expect(result.leaked).toEqual([]);
    expect(result.log).toEqual(["key ***", "##[error]***"]);
    expect(result.annotations).toMatchObject([{ message: "***" }]);
  });

  test("that is printed before its mask leaks", async () => {
    const result = await run(`say("key hunter2hunter2", "::add-mask::hunter2hunter2")`);
    expect(result.leaked).toEqual([{ secret: "hunter2hunter2", where: "log", text: "key hunter2hunter2" }]);
  });

  test.each([
    ["encoded for a URL", "p&ss+w/rd", `say(encodeURIComponent("p&ss+w/rd"))`],
    ["in base64", "hunter2hunter2", `say(Buffer.from("hunter2hunter2").toString("base64"))`],
    ["on stderr", "hunter2hunter2", `console.error("hunter2hunter2")`],
    ["in the title of an annotation", "hunter2hunter2", `say("::notice title=hunter2hunter2::x")`],
    ["in an output", "hunter2hunter2", `say("::add-mask::hunter2hunter2"); put("OUTPUT", "url=hunter2hunter2\\n")`],
    ["in the state", "hunter2hunter2", `say("::add-mask::hunter2hunter2"); put("STATE", "key=hunter2hunter2\\n")`],
    ["in the summary", "hunter2hunter2", `say("::add-mask::hunter2hunter2"); put("STEP_SUMMARY", "hunter2hunter2\\n")`],
  ])("%s leaks", async (_where, secret, main) => {
    expect((await run(main, secret)).leaked).toMatchObject([{ secret }]);
  });

  test("stays masked in post", async () => {
    const options = await action(`say("::add-mask::hunter2hunter2")`, `say("key hunter2hunter2")`);
    const result = await runAction({ ...options, secrets: ["hunter2hunter2"] });
    expect(result.post).toMatchObject({ log: ["key ***"], leaked: [] });
  });
});

describe("post", () => {
  test("runs after a failed main, with its state and the same inputs", async () => {
    const options = await action(
      `put("STATE", "revision-id=7\\n"); process.exitCode = 1`,
      `say(process.env["STATE_revision-id"], process.env["INPUT_PATH"])`,
    );
    const result = await runAction({ ...options, inputs: { path: "agent" } });
    expect(result).toMatchObject({ exitCode: 1, conclusion: "failure" });
    expect(result.post).toMatchObject({ exitCode: 0, conclusion: "success", log: ["7", "agent"] });
  });

  test("is followed by a look at what is left in RUNNER_TEMP", async () => {
    const file = (name: string) => `writeFileSync(process.env.RUNNER_TEMP + "/${name}", "")`;
    expect((await runAction(await action(file("spool"), ""))).leftInTemp).toEqual(["spool"]);
    expect((await runAction(await action("", ""))).leftInTemp).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("a running step", () => {
  const patient = `
    process.on("SIGINT", () => { say("interrupted"); clearInterval(timer); process.exitCode = 1; });
    const timer = setInterval(() => {}, 1000);
    say("waiting");
  `;

  test("is cancelled with SIGINT first, and ended by nothing else when it listens", async () => {
    const controller = new AbortController();
    const step = await startAction({ ...(await action(patient)), signal: controller.signal });
    await step.line(/waiting/);
    controller.abort();
    expect(await step.result).toMatchObject({ exitCode: 1, log: ["waiting", "interrupted"] });
  });

  test("that ends without the line rejects the wait for it", async () => {
    const step = await startAction(await action(`say("other")`));
    await expect(step.line(/waiting/)).rejects.toThrow("no line matched /waiting/ in:\nother");
    await step.result;
  });
});
