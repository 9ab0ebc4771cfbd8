import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { loadedModules } from "../../bench/loaded.ts";
import { runNode, toolPath } from "../../scripts/command.ts";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";

const run = promisify(execFile);

let built: Consumer;
beforeAll(async () => {
  built = await builtPackage();
});

/** What a program that only imports these loads: Node's own modules and files. */
async function loadedBy(name: string, specifiers: readonly string[]): Promise<ReadonlySet<string>> {
  const file = join(built.directory, `loads-${name}.mjs`);
  await writeFile(file, specifiers.map((specifier) => `import "${specifier}";\n`).join(""));
  const all = await loadedModules(file, { env: process.env, exitCode: 0 });
  return new Set([...all].filter((url) => url.startsWith("file:") && !url.endsWith(".mjs")));
}

test.each([
  ["graph-deploy", "library", 40],
  ["graph-deploy/experiments", "experiments", 45],
  ["graph-deploy/judgement", "judgement", 45],
  ["graph-deploy/local", "local", 45],
  ["graph-deploy/trace-files", "trace-files", 45],
  ["graph-deploy/tracing", "tracing", 30],
])("importing %s loads few files besides those of undici and zod", async (specifier, name, most) => {
  const packages = await loadedBy("packages", ["undici", "zod"]);
  const all = await loadedBy(name, [specifier]);
  expect(all.size).toBeGreaterThan(5);
  expect([...all].filter((url) => !packages.has(url)).length).toBeLessThan(most);
});

const PROGRAM_OF_ERRORS = `
  const thrown = async (call) => { try { await call(); } catch (error) { return error; } };
  const { ArgumentsError, GraphDeployError } = library;
  for (const call of [library.deploy, library.uploadExperiment, judgement.judge, library.connect]) {
    const error = await thrown(call);
    console.log(error instanceof ArgumentsError, error instanceof GraphDeployError, error.name);
  }
  console.log(judgement.ArgumentsError === ArgumentsError);
`;

describe("an error is of the exported class, whichever part of the package throws it", () => {
  const lines = Array.from({ length: 4 }, () => "true true ArgumentsError");
  test("in an ES module", async () => {
    const code = `import * as library from "graph-deploy"; import * as judgement from "graph-deploy/judgement"; ${PROGRAM_OF_ERRORS}`;
    expect((await built.node("errors.mjs", code)).split("\n")).toEqual([...lines, "true"]);
  });

  test("in CommonJS", async () => {
    const code = `const library = require("graph-deploy"); const judgement = require("graph-deploy/judgement"); void (async () => { ${PROGRAM_OF_ERRORS} })();`;
    expect((await built.node("errors.cjs", code)).split("\n")).toEqual([...lines, "true"]);
  });
});

describe("a bundler keeps the check of Node's version, also for a program that uses nothing else of its script", () => {
  const PROGRAM = `import { systemClock } from "graph-deploy";\nconsole.log(typeof systemClock.now);\n`;
  const OLDER = `
    import { syncBuiltinESMExports } from "node:module";
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.18.0" } });
    syncBuiltinESMExports();`;

  /** What a bundle prints, here and on an older Node. */
  async function printed(file: string): Promise<readonly [here: string, older: string]> {
    const { stdout } = await run(process.execPath, [file], { cwd: built.directory });
    const older = ["--import", `data:text/javascript,${encodeURIComponent(OLDER)}`, file];
    const failed: unknown = await run(process.execPath, older, { cwd: built.directory }).catch(
      (error: unknown) => error,
    );
    return [stdout.trim(), String(failed)];
  }

  test("rolldown", async () => {
    const input = join(built.directory, "bundled.mjs");
    await writeFile(input, PROGRAM);
    await using bundle = await rolldown({
      input,
      platform: "node",
      external: (id) => /^(node:|undici|zod|tar)/.test(id),
    });
    const file = join(built.directory, "bundle-rolldown/bundled.js");
    await bundle.write({ dir: join(file, ".."), format: "esm" });
    const [here, older] = await printed(file);
    expect(here).toBe("function");
    expect(older).toContain("graph-deploy needs Node 22.19 or later; this is 22.18.0.");
  });

  test("webpack, in ncc", async () => {
    const input = "bundled-ncc.mjs";
    await writeFile(join(built.directory, input), PROGRAM);
    const args = ["build", input, "-o", "bundle-ncc", "--no-cache", "-q"];
    const { exitCode, output } = await runNode(toolPath("@vercel/ncc", "dist/ncc/cli.js"), args, built.directory);
    expect(output).toBe("");
    expect(exitCode).toBe(0);
    const [here, older] = await printed(join(built.directory, "bundle-ncc/index.mjs"));
    expect(here).toBe("function");
    expect(older).toContain("graph-deploy needs Node 22.19 or later; this is 22.18.0.");
  });
});
