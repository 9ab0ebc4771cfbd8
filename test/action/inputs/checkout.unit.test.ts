import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkedOutCommit } from "../../../action/inputs/checkout.ts";
import { writeFiles } from "../../write-files.ts";

const [COMMIT, OTHER] = ["4f1c09ab".repeat(5), "7d2e10bc".repeat(5)];
const MAIN = "ref: refs/heads/main\n";

test.each<[string, Record<string, string>, string, string | undefined]>([
  ["a commit without a branch, as of a pull request", { ".git/HEAD": `${COMMIT}\n` }, ".", COMMIT],
  ["a branch", { ".git/HEAD": MAIN, ".git/refs/heads/main": `${COMMIT}\n` }, ".", COMMIT],
  [
    "a branch that is packed",
    {
      ".git/HEAD": MAIN,
      ".git/packed-refs": `# pack-refs\n${OTHER} refs/heads/x/refs/heads/main2\n${COMMIT} refs/heads/main\n`,
    },
    ".",
    COMMIT,
  ],
  ["a directory of the checkout", { ".git/HEAD": `${COMMIT}\n`, "agents/a/graph.json": "{}" }, "agents/a", COMMIT],
  [
    "a second checkout below the first",
    { ".git/HEAD": `${OTHER}\n`, "second/.git/HEAD": `${COMMIT}\n`, "second/a/graph.json": "{}" },
    "second/a",
    COMMIT,
  ],
  [
    "a worktree",
    {
      ".git/HEAD": `${OTHER}\n`,
      ".git/refs/heads/topic": `${COMMIT}\n`,
      ".git/worktrees/w/HEAD": "ref: refs/heads/topic\n",
      ".git/worktrees/w/commondir": "../..\n",
      "w/.git": "gitdir: ../.git/worktrees/w\n",
    },
    "w",
    COMMIT,
  ],
  ["no repository", { "graph.json": "{}" }, ".", undefined],
  ["a branch without a commit", { ".git/HEAD": MAIN }, ".", undefined],
  ["a reference out of the repository", { ".git/HEAD": "ref: refs/../../secret\n", secret: COMMIT }, ".", undefined],
])("%s", async (_, files, directory, commit) => {
  const workspace = await mkdtemp(join(tmpdir(), "checkout-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  await writeFiles(workspace, files);
  expect(checkedOutCommit(directory, workspace)).toBe(commit);
});
