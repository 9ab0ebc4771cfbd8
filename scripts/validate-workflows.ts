import { glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot, runCommand } from "./command.ts";
import { readmeWorkflows } from "./readme-workflows.ts";
import { actionFaults, readAction, workflowFaults } from "./workflow-validation.ts";

// Validates each action.yml, each of our workflows, and each workflow that a page shows.
const findings: string[] = [];
const report = (file: string, faults: readonly string[]) =>
  findings.push(...faults.map((fault) => `${file}: ${fault}`));

if ((await readAction(".")) === undefined) report("action.yml", ["is missing"]);
for await (const file of glob(["action.yml", "action/*/action.yml"], { cwd: projectRoot })) {
  report(file, actionFaults(file, await readFile(join(projectRoot, file), "utf8")));
}

const workflows: string[] = [];
for await (const file of glob([".github/workflows/*.yml", "examples/workflows/*.yml"], { cwd: projectRoot })) {
  workflows.push(file);
  report(file, await workflowFaults(await readFile(join(projectRoot, file), "utf8"), readAction));
}

const readme = readmeWorkflows(await readFile(join(projectRoot, "README.md"), "utf8").catch(() => ""));
if (readme.length === 0) report("README.md", ["shows no workflow that uses the action"]);
const shown: string[] = [];
const blocks = await mkdtemp(join(tmpdir(), "workflows-of-pages-"));
try {
  for await (const file of glob(["README.md", "docs/*.md", "examples/**/README.md"], { cwd: projectRoot })) {
    for (const { text, line } of readmeWorkflows(await readFile(join(projectRoot, file), "utf8"))) {
      report(file, await workflowFaults(text, readAction, line));
      const block = join(blocks, `${file.replaceAll(/[\\/]/g, "-")}-${String(line)}.yml`);
      await writeFile(block, text);
      shown.push(block);
    }
  }
  await lint("actionlint", ["-oneline", ...workflows, ...shown]);
  const zizmor = ["--offline", "--no-progress", "--quiet", "--min-severity", "medium", "--config"];
  await lint("zizmor", [...zizmor, ".github/zizmor.yml", ...workflows]);
  await lint("zizmor", [...zizmor, ".github/zizmor-pages.yml", ...shown]);
} finally {
  await rm(blocks, { recursive: true });
}

/** Runs a linter that is no package of npm, where it is installed. In CI it must be. */
async function lint(linter: string, args: readonly string[]): Promise<void> {
  const ended = await runCommand(linter, args).catch(() => undefined);
  if (ended && ended.exitCode !== 0) findings.push(ended.output);
  if (!ended && process.env["GRAPH_DEPLOY_REQUIRE_LINTERS"] === "1") findings.push(`${linter} is not installed`);
}

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
