import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../scripts/command.ts";
import { writeFiles } from "../write-files.ts";

const agent = (name: string, dependencies: readonly string[]) => ({
  "graph.json": JSON.stringify({ graphs: { [name]: `./${name}.py:graph` }, dependencies }),
  [`${name}.py`]: "graph = 1\n",
  "requirements.txt": "requests\n",
});

const under = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** Beside the examples: an agent at the root, and three that share a package. */
const FILES: Readonly<Record<string, string>> = {
  ...agent("root", ["."]),
  ...under("agents/support", agent("support", [".", "../../packages/common"])),
  ...under("agents/triage", agent("triage", [".", "../../packages/common"])),
  ...under("agents/refunds", agent("refunds", [".", "../../packages/common"])),
  "agents/support/tests/test_support.py": "def test(): pass\n",
  "packages/common/common.py": "shared = 1\n",
};

/** What of examples/ each repository has at its root. */
const EXAMPLES = ["agent", "evaluation", "results"];

/** Makes a git repository with these workflows, which suits every example, and one commit. */
export async function makeRepository(folder: string, workflows: readonly string[]): Promise<void> {
  const named = workflows.map((text, index) => [`.github/workflows/workflow-${index}.yml`, text] as const);
  for (const [path, text] of [...Object.entries(FILES), ...named]) await write(folder, path, text);
  for (const name of EXAMPLES) await cp(join(projectRoot, "examples", name), join(folder, name), { recursive: true });
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await commit(folder);
}

/** Changes a file of a repository, and commits. */
export async function change(folder: string, path: string, text: string): Promise<void> {
  await write(folder, path, text);
  await commit(folder);
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await writeFiles(folder, { [path]: text });
}

async function commit(folder: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "-c", "user.name=Octo Cat", "-c", "user.email=octo@example.com", "commit", "--quiet", "-m", "Work");
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  // No settings of the user who runs the tests: a hook or a signing key would be theirs.
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  await promisify(execFile)("git", args, { cwd: folder, env });
}
