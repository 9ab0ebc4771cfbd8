import { expect, test } from "vitest";
import { nameCommit } from "../../../../action/github/comment/named-commit.ts";

const [HEAD, MERGE, MAIN] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const facts = { number: 7, headCommit: HEAD, isOpen: true, base: "us/agents", isFromFork: false };
const PULL = { ...facts, mergeCommit: undefined, isFromDependabot: false };
const AT_HEAD = { text: "the pull request is at", commit: HEAD };
const MERGED = { text: "merged as", commit: MERGE };

test.each([
  ["its newest commit is checked out", { commit: HEAD, merge: undefined }, MAIN, { commit: HEAD }, false],
  [
    "a run of it checks out its merge commit",
    { commit: MERGE, merge: MERGE },
    HEAD,
    { commit: HEAD, note: MERGED },
    false,
  ],
  [
    "the default branch is checked out",
    { commit: MAIN, merge: undefined },
    MAIN,
    { commit: MAIN, note: AT_HEAD },
    true,
  ],
  ["nothing is checked out", undefined, MAIN, { commit: HEAD }, false],
])("of a pull request, when %s", (_, checkout, ofRun, named, isWarned) => {
  const { warning, ...found } = nameCommit(checkout, { ofRun, pull: PULL });
  expect(found).toEqual(named);
  expect(warning !== undefined).toBe(isWarned);
  if (warning !== undefined) expect(warning).toMatch(/ccccccc.*#7, aaaaaaa/);
});

test("a merge commit that only GitHub knows is no other commit", () => {
  const pull = { ...PULL, mergeCommit: MERGE };
  const named = { commit: HEAD, note: MERGED };
  expect(nameCommit({ commit: MERGE, merge: undefined }, { ofRun: MAIN, pull })).toEqual(named);
});

test("without a pull request it is what is checked out, or what the run is of", () => {
  const nothing = { ofRun: MAIN, pull: undefined };
  expect(nameCommit({ commit: HEAD, merge: undefined }, nothing)).toEqual({ commit: HEAD });
  expect(nameCommit(undefined, nothing)).toEqual({ commit: MAIN });
  expect(nameCommit({ commit: MERGE, merge: MERGE }, { ofRun: HEAD, pull: undefined })).toEqual({
    commit: HEAD,
    note: MERGED,
  });
});
