import { expect, test } from "vitest";
import { readNodes } from "../temporary-tree.ts";

test("what looks wrong is one warning, and what no one reads of it is counted", async () => {
  const graphs = Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`g${String(i)}`, "./agent.py:app"]));
  const { warnings } = await readNodes({ "graph.json": JSON.stringify({ graphs, dependencies: [".", "requests"] }) });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^The project may not build or run: graph "g0": .*; graph "g19": [^;]+; and 3 more\.$/);
});
