import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const START = join(import.meta.dirname, "../../../pulumi-provider/plugin/start.cjs");
const LIMIT = "MALLOC_TRIM_THRESHOLD_";
const run = promisify(execFile);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "graph-deploy-start-"));
  await copyFile(START, join(folder, "start.cjs"));
  const shown = `{ args: process.argv.slice(2), flags: process.execArgv, limit: process.env.${LIMIT} ?? "none", pid: process.pid }`;
  await writeFile(join(folder, "index.js"), `console.log(JSON.stringify(${shown}));\n`);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "program"), '#!/usr/bin/env node\nimport "./start.cjs";\n', { mode: 0o755 });
  await symlink(join(folder, "program"), `${folder}-link`);
  await writeFile(`${folder}-other.cjs`, `require("${folder}/start.cjs");\n`);
});
afterAll(async () => {
  for (const path of [folder, `${folder}-link`, `${folder}-other.cjs`])
    await rm(path, { recursive: true, force: true });
});

const restarts = process.platform === "linux" && "execve" in process;

test.for<{
  how: string;
  args: (folder: string) => readonly string[];
  env?: NodeJS.ProcessEnv;
  limit: string;
  flags?: readonly string[];
}>([
  { how: "by its start file", args: (at) => [`${at}/start.cjs`], limit: restarts ? "1000000" : "none" },
  { how: "by its program", args: (at) => [`${at}/program`], limit: restarts ? "1000000" : "none" },
  { how: "by a link to its program", args: (at) => [`${at}-link`], limit: restarts ? "1000000" : "none" },
  {
    ...{ how: "with flags of Node", args: (at: string) => ["--no-deprecation", `${at}/start.cjs`] },
    ...{ limit: restarts ? "1000000" : "none", flags: ["--no-deprecation"] },
  },
  { how: "with a limit of the user", args: (at) => [`${at}/start.cjs`], env: { [LIMIT]: "5" }, limit: "5" },
  { how: "with an empty limit", args: (at) => [`${at}/start.cjs`], env: { [LIMIT]: "" }, limit: "" },
  { how: "by another program", args: (at) => [`${at}-other.cjs`], limit: "none" },
  {
    ...{ how: "without the permission to start programs", limit: "none" },
    args: (at) => ["--permission", "--allow-fs-read=*", `${at}/start.cjs`],
    flags: ["--permission", "--allow-fs-read=*"],
  },
])("the plugin begins once more with a limit for freed memory: $how", async ({ args, env, limit, flags = [] }) => {
  const { [LIMIT]: _limit, NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...own } = process.env;
  const running = run(process.execPath, [...args(folder), "127.0.0.1:1", "--more"], { env: { ...own, ...env } });
  const { stdout, stderr } = await running;
  // The engine waits for this process, and ends it: it stays the same one.
  const { pid } = running.child;
  expect(JSON.parse(stdout)).toEqual({ args: ["127.0.0.1:1", "--more"], flags, limit, pid });
  expect(stderr).toBe("");
});
