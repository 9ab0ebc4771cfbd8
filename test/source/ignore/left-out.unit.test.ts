import { join } from "node:path";
import { expect, test } from "vitest";
import { LeftOutTally } from "../../../src/source/ignore/left-out.ts";
import type { Rule } from "../../../src/source/ignore/rule.ts";
import { temporaryTree } from "../temporary-tree.ts";

const rule = { name: "node_modules", reason: "built-in" } as unknown as Rule;

/** Folders of ten files each, counted by a tally that looks at so many entries. */
function count(folders: number, mostEntries: number) {
  const files = Array.from({ length: folders * 10 }, (_, index) => [`p${Math.floor(index / 10)}/f${index}`, ""]);
  const tally = new LeftOutTally(mostEntries);
  tally.addFolder(rule, "node_modules", temporaryTree(Object.fromEntries(files) as Record<string, string>));
  return tally;
}

test("counting a folder that is left out ends at some point, and says so", { tags: "slow" }, () => {
  const [nodeModules] = count(21, 200).list();
  expect(nodeModules).toMatchObject({ what: "node_modules", atLeast: true });
  // The last folder that is begun is counted to its end.
  expect(nodeModules?.files).toBe(180);
});

test("a folder that is as large as that is counted whole", { tags: "slow" }, () => {
  expect(count(20, 220).list()).toMatchObject([{ files: 200, atLeast: false }]);
});

test("what was counted before is counted in", () => {
  const tally = count(20, 220);
  tally.addFolder(rule, "more", join(temporaryTree({ "a/b": "" }), "a"));
  expect(tally.list()).toMatchObject([{ files: 200, atLeast: true }]);
});
