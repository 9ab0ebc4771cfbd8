import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkedOutCommit } from "../../../action/github/checkout.ts";
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
  ...["https://github.example/Us/agents", "git@github.example:us/agents.git"].map(
    (url): [string, Record<string, string>, string, string] => [
      `a second checkout below the first, of ${url}`,
      {
        ...{ ".git/HEAD": `${OTHER}\n`, "second/.git/HEAD": `${COMMIT}\n`, "second/a/graph.json": "{}" },
        "second/.git/config": `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`,
      },
      "second/a",
      COMMIT,
    ],
  ),
  ...["https://github.example/them/agents", "https://github.example/us/agents2", "https://us/agents/x"].map(
    (url): [string, Record<string, string>, string, undefined] => [
      `another repository, ${url}`,
      { ".git/HEAD": `${OTHER}\n`, "other/.git/HEAD": `${COMMIT}\n`, "other/.git/config": `\turl = ${url}\n` },
      "other",
      undefined,
    ],
  ),
  ...(
    [
      ["its own repository", `${COMMIT}\t\thttps://github.example/Us/agents\n`, COMMIT],
      ["a commit of it", `${COMMIT}\t\t'${COMMIT}' of https://github.example/us/agents\n`, COMMIT],
      ["a branch of it", `${COMMIT}\tnot-for-merge\tbranch 'of them/x' of github.example:us/agents\n`, COMMIT],
      ["another repository", `${COMMIT}\t\tbranch 'main' of https://github.example/them/agents\n`, undefined],
      ["nothing", undefined, undefined],
    ] as const
  ).map(([what, fetched, commit]): [string, Record<string, string>, string, string | undefined] => [
    `a second checkout without a remote, that has fetched ${what}`,
    {
      ...{ ".git/HEAD": `${OTHER}\n`, "second/.git/HEAD": `${COMMIT}\n` },
      "second/.git/config": "[core]\n\tbare = false\n",
      ...(fetched === undefined ? {} : { "second/.git/FETCH_HEAD": fetched }),
    },
    "second",
    commit,
  ]),
  ...(
    [
      ["this repository", "https://github.example/Us/agents", COMMIT],
      ["a fork", "https://github.example/them/agents.git", COMMIT],
      ["a mirror", "/srv/git/agents.git/", COMMIT],
      ["another repository", "https://github.example/us/infrastructure", undefined],
      ["another repository, whose name ends alike", "https://github.example/us/old-agents", undefined],
    ] as const
  ).map(([what, url, commit]): [string, Record<string, string>, string, string | undefined] => [
    `the first checkout, of ${what}`,
    { ".git/HEAD": `${COMMIT}\n`, ".git/config": `[remote "origin"]\n\turl = ${url}\n` },
    ".",
    commit,
  ]),
  [
    "the first checkout without a remote",
    { ".git/HEAD": `${COMMIT}\n`, ".git/config": "[core]\n\tbare = false\n" },
    ".",
    COMMIT,
  ],
  [
    "a submodule",
    {
      ".git/HEAD": `${OTHER}\n`,
      ".git/config": "\turl = https://github.example/us/agents\n",
      ".git/modules/sub/HEAD": `${COMMIT}\n`,
      "sub/.git": "gitdir: ../.git/modules/sub\n",
    },
    "sub",
    undefined,
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
  expect(checkedOutCommit(directory, workspace, "us/agents")).toBe(commit);
});

test("packed references, of which a repository may have megabytes, are not read for a branch that has its own file", async () => {
  const workspace = await mkdtemp(join(tmpdir(), "checkout-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  const packed = join(workspace, ".git/packed-refs");
  await writeFiles(workspace, {
    ".git/HEAD": MAIN,
    ".git/refs/heads/main": `${COMMIT}\n`,
    ".git/packed-refs": `${OTHER} refs/heads/main\n`,
  });
  // The time of the last read; a file system that keeps none shows nothing.
  await utimes(packed, 1, 2);
  expect(checkedOutCommit(".", workspace, "us/agents")).toBe(COMMIT);
  expect((await stat(packed)).atimeMs).toBe(1_000);
});
