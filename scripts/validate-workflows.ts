import { glob, readFile } from "node:fs/promises";
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
for await (const file of glob(["README.md", "docs/*.md", "examples/**/README.md"], { cwd: projectRoot })) {
  const shown = readmeWorkflows(await readFile(join(projectRoot, file), "utf8"));
  for (const { text, line } of shown) report(file, await workflowFaults(text, readAction, line));
}

// actionlint knows shell and expressions better; it is used where it is installed.
const actionlint = await runCommand(
  "actionlint",
  workflows.filter((file) => file.startsWith(".github")),
).catch(() => undefined);
if (actionlint !== undefined && actionlint.exitCode !== 0) findings.push(actionlint.output);

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
