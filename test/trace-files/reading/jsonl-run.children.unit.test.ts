import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../property-runs.ts";
import { lineFaults, linesOf, readFiles, run, runsOf, uuid } from "../read-files.ts";

interface Tree {
  readonly id: string;
  readonly child_runs?: readonly Tree[];
}

function parentsOf(runs: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(runs.map((one): [string, unknown] => [String(one["name"]), one["parent_run_id"]]));
}

describe("runs in `child_runs`", () => {
  const leaf = { ...run(3), parent_run_id: null, child_runs: [] };
  const tree = run(1, { child_runs: [run(2, { run_type: "llm", child_runs: [leaf] }), run(4)] });

  test("are runs of their own below the run that holds them, at any depth", async () => {
    const runs = await runsOf([tree]);
    expect(parentsOf(runs)).toEqual({ "run 1": undefined, "run 2": uuid(1), "run 3": uuid(2), "run 4": uuid(1) });
    expect(new Set(runs.map((one) => one["trace_id"]))).toEqual(new Set([uuid(1)]));
    expect(runs[0]).not.toHaveProperty("child_runs");
  });

  test("are read in a JSON list, and in one document over many lines", async () => {
    const flat = await runsOf([tree]);
    for (const content of [JSON.stringify([tree]), JSON.stringify(tree, null, 2)]) {
      expect((await readFiles({ "a.json": content })).sent.map((each) => each.run)).toEqual(flat);
    }
  });

  test("have the same ids each time where the file has none, and twins below two runs stay two", async () => {
    const { id: _id, ...twin } = run(9, { name: "twin" });
    const lines = [run(1, { child_runs: [run(2, { child_runs: [twin] }), run(3, { child_runs: [twin] })] })];
    const runs = await runsOf(lines);
    const twins = runs.filter(({ name }) => name === "twin");
    expect(twins.map((one) => one["parent_run_id"])).toEqual([uuid(2), uuid(3)]);
    expect(new Set(twins.map(({ id }) => id)).size).toBe(2);
    expect(await runsOf(lines)).toEqual(runs);
  });

  test.each([
    ["behind", (parent: unknown, own: unknown) => [parent, own]],
    ["before", (parent: unknown, own: unknown) => [own, parent]],
  ])("give way to a line of their own, which may have more, %s them", async (_where, inOrder) => {
    const own = run(2, { parent_run_id: uuid(1), outputs: { a: 1 }, error: "late" });
    const { sent, read } = await readFiles({ "a.jsonl": linesOf(inOrder(run(1, { child_runs: [run(2)] }), own)) });
    const [found, ...others] = sent.filter((each) => each.run.id === uuid(2));
    expect(others).toEqual([]);
    expect(found?.run).toMatchObject({ outputs: { a: 1 }, error: "late", parent_run_id: uuid(1) });
    expect(read).toMatchObject({ sharedRuns: 1, sums: { runs: 2, errors: 1 } });
  });

  test("have their errors at the line, with what is wrong", async () => {
    const faults = await lineFaults([
      run(1),
      run(2, { child_runs: [run(3, { name: 7 }), { ...run(4), run_type: null }] }),
    ]);
    expect(faults).toEqual([
      "line 2: in `child_runs`: `name` must be a text, found a number",
      "line 2: in `child_runs`: `run_type` is missing",
    ]);
  });

  test.each([
    ["ids", [uuid(2), uuid(3)]],
    ["nothing", []],
    ["an object", { a: 1 }],
  ])("that are %s are a field like any other", async (_what, child_runs) => {
    expect(await runsOf([run(1, { child_runs })])).toMatchObject([{ child_runs }]);
  });

  test("may be nested as deep as JSON may be, and be many", { tags: "slow" }, async () => {
    let deep: object = run(0);
    for (let level = 1; level < 300; level++) deep = run(level, { child_runs: [deep] });
    const many = run(1_000, { child_runs: Array.from({ length: 3_000 }, (_, at) => run(2_000 + at)) });
    expect(await runsOf([deep, many])).toHaveLength(3_301);
  });

  test("are the same runs as the lines of a tree, whatever it looks like", { tags: "slow" }, async () => {
    const parents = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parents, async (chosen) => {
        const above = chosen.map((parent, at) => (at === 0 ? undefined : parent % at));
        const lines = above.map((parent, at) =>
          parent === undefined ? run(at) : run(at, { parent_run_id: uuid(parent) }),
        );
        const treeAt = (at: number): Tree => {
          const child_runs = above.flatMap((parent, child) => (parent === at ? [treeAt(child)] : []));
          return child_runs.length === 0 ? run(at) : { ...run(at), child_runs };
        };
        const nested = await runsOf([treeAt(0)]);
        expect(nested.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(await runsOf(lines));
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });
});
