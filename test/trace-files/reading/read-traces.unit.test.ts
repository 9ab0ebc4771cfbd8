import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { Run } from "../../../src/contract/run.ts";
import { runFaults } from "../../../src/contract/run-rules.ts";
import { lineFaults, linesOf, readFiles, run, runsOf, uuid } from "../read-files.ts";

describe("a run in the format `jsonl`", () => {
  test("is sent with all its fields, its place in the trace, and the project of the request", async () => {
    const fields = {
      outputs: { a: 1 },
      tags: ["x"],
      extra: { metadata: { k: "v" } },
      error: "no",
      events: [{ name: "e" }],
    };
    expect(await runsOf([run(1, fields)])).toEqual([
      {
        ...run(1, fields),
        trace_id: uuid(1),
        dotted_order: `20260504T090001000000Z${uuid(1)}`,
        session_name: "tests",
      },
    ]);
  });

  test("finds its parent in any file", async () => {
    const child = run(2, { parent_run_id: uuid(1) });
    const grandchild = run(3, { parent_run_id: uuid(2).toUpperCase() });
    const { sent, read } = await readFiles({ "a.jsonl": linesOf([grandchild, child]), "b.jsonl": linesOf([run(1)]) });
    const order = [1, 2, 3].map((number) => `20260504T09000${String(number)}000000Z${uuid(number)}`);
    expect(sent.map(({ run: { dotted_order } }) => dotted_order)).toEqual([
      order.join("."),
      order.slice(0, 2).join("."),
      order[0],
    ]);
    expect(sent.map(({ run: { trace_id } }) => trace_id)).toEqual([uuid(1), uuid(1), uuid(1)]);
    expect(read.sums).toMatchObject({ traces: 1, runs: 3 });
  });

  test("is sorted behind the start of its parent, and keeps its own start", async () => {
    const [, child] = await runsOf([run(30), run(1, { parent_run_id: uuid(30) })]);
    expect(child).toMatchObject({
      start_time: "2026-05-04T09:00:01Z",
      dotted_order: `20260504T090030000000Z${uuid(30)}.20260504T090030000000Z${uuid(1)}`,
    });
  });

  const OF_PROJECTS = [
    run(1, { session_name: "own" }),
    run(2, { parent_run_id: uuid(1) }),
    run(3, { session_id: uuid(9) }),
    run(4, { parent_run_id: uuid(3) }),
    run(5, { parent_run_id: uuid(1), session_id: uuid(9) }),
  ];

  test("goes to its own project, else to that of its parent", async () => {
    const { sent, read } = await readFiles({ "runs.jsonl": linesOf(OF_PROJECTS) }, { sessionName: "" });
    const sessions = sent.map(({ run: { session_name, session_id } }) => session_name ?? session_id);
    expect(sessions).toEqual(["own", "own", uuid(9), uuid(9), uuid(9)]);
    expect(read.sums.sessions.map(({ session, runs }) => [session.name ?? session.id, runs])).toEqual([
      ["own", 2],
      [uuid(9), 3],
    ]);
    expect(read.movedRuns).toBe(0);
  });

  test("goes to the project that the user names, not to that of its `session_id`, which may be of another tenant", async () => {
    const lines = [...OF_PROJECTS, run(6), run(7, { session_name: "own", session_id: uuid(9) })];
    const end = { event: "patch", id: uuid(3), session_id: uuid(9), outputs: { a: 1 } };
    const { sent, read } = await readFiles({ "runs.jsonl": linesOf([...lines, end]) });
    expect(sent.map((each) => each.run["session_name"])).toEqual([
      ...["own", "own", "tests", "tests", "own", "tests", "own"],
      undefined,
    ]);
    expect(sent.filter((each) => "session_id" in each.run)).toEqual([]);
    expect(read.movedRuns).toBe(2);
  });

  test("refers to nothing with an empty text", async () => {
    const empty = { parent_run_id: "", trace_id: "", dotted_order: "", session_name: " ", session_id: "" };
    expect(await runsOf([run(1, empty)])).toEqual(await runsOf([run(1)]));
  });

  test("needs a project: one error for all runs without one", async () => {
    const sessionless = await lineFaults([run(1), run(2), run(3, { session_name: "s" }), run(4)], { sessionName: "" });
    expect(sessionless).toEqual([expect.stringMatching(/^line 1: .*`session_name`.*`session_id`.* 2 other runs$/)]);
  });

  test("without an id has the same one each time, with the milliseconds of its start", async () => {
    const lines = [run(1), run(2)].map(({ id: _id, ...fields }) => fields);
    const [first, second] = await runsOf(lines);
    expect(await runsOf([...lines, lines[0]])).toMatchObject([{ id: first?.id }, { id: second?.id }]);
    expect(first?.id).not.toBe(second?.id);
    expect(Number.parseInt(first?.id.replace("-", "").slice(0, 12) ?? "", 16)).toBe(Date.parse("2026-05-04T09:00:01Z"));
    expect(first?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test.each([
    [1_777_888_800_123, "2026-05-04T10:00:00.123Z"],
    [1_777_888_800.000_5, "2026-05-04T10:00:00.000500Z"],
    ["2026-05-04T10:00:00.123456+02:00", "2026-05-04T10:00:00.123456+02:00"],
    ["2026-05-04 10:00:00", "2026-05-04T10:00:00Z"],
    ["2026-05-04T10:00:00.5", "2026-05-04T10:00:00.500Z"],
  ])("has a time as %j, which is sent as %s", async (start_time, sent) => {
    expect(await runsOf([run(1, { start_time, end_time: start_time })])).toMatchObject([
      { start_time: sent, end_time: sent },
    ]);
  });

  test("keeps all digits of a number, and writes NaN as null", async () => {
    const text = JSON.stringify(run(1)).replace('"inputs":{}', '"inputs":{"n":12345678901234567890,"x":[NaN]}');
    const { sent } = await readFiles({ "runs.jsonl": text });
    expect(JSON.stringify(sent[0]?.run["inputs"])).toBe('{"n":12345678901234567890,"x":[null]}');
  });

  test("has inputs and outputs in an object, whatever their type", async () => {
    expect(await runsOf([run(1, { inputs: "hi", outputs: [1] })])).toMatchObject([
      { inputs: { input: "hi" }, outputs: { output: [1] } },
    ]);
  });

  test("is taken once where two files have it", async () => {
    const { sent, read } = await readFiles({
      "a.jsonl": linesOf([run(1), run(2)]),
      "b.jsonl": linesOf([run(2), run(3)]),
    });
    expect(sent.map(({ run: { id } }) => id)).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(read).toMatchObject({ sharedRuns: 1, sums: { runs: 3 } });
  });

  test("may be in a JSON list", async () => {
    const { sent } = await readFiles({ "runs.json": JSON.stringify([run(1), run(2)], null, 2) });
    expect(sent.map(({ run: { id } }) => id)).toEqual([uuid(1), uuid(2)]);
  });
});

describe("a given place", () => {
  const order = `20260504T090001000000Z${uuid(1)}`;
  const below = `${order}.20260504T090002000000Z${uuid(2)}`;

  test("is sent as it is, even if the parent is in none of the files", async () => {
    const given = run(2, { parent_run_id: uuid(1), trace_id: uuid(1), dotted_order: below });
    const made = run(3, { parent_run_id: uuid(2) });
    const { sent, read } = await readFiles({ "runs.jsonl": linesOf([given, made]) });
    expect(sent.map(({ run: { trace_id } }) => trace_id)).toEqual([uuid(1), uuid(1)]);
    expect(sent.map(({ run: { dotted_order } }) => dotted_order)).toEqual([
      below,
      `${below}.20260504T090003000000Z${uuid(3)}`,
    ]);
    expect(sent[0]?.run["parent_run_id"]).toBe(uuid(1));
    expect(read.sums.traces).toBe(1);
  });

  test.each([
    ["before", (parent: unknown, child: unknown) => [parent, child]],
    ["behind", (parent: unknown, child: unknown) => [child, parent]],
  ])("is compared with that of the parent %s it", { tags: "slow" }, async (_where, inOrder) => {
    const child = run(2, { parent_run_id: uuid(1), dotted_order: below });
    expect(await runsOf(inOrder(run(1), child))).toHaveLength(2);
    expect(await runsOf(inOrder(run(1, { dotted_order: order }), child))).toHaveLength(2);
    const faults = await lineFaults(inOrder(run(1, { start_time: "2026-05-04T09:00:00Z" }), child));
    expect(faults).toEqual([expect.stringMatching(/^line \d: `dotted_order` /)]);
  });

  test("with a trace_id alone must name the root", async () => {
    expect(await runsOf([run(1), run(2, { parent_run_id: uuid(1), trace_id: uuid(1) })])).toHaveLength(2);
    expect(await lineFaults([run(1), run(2, { parent_run_id: uuid(1), trace_id: uuid(2) })])).toEqual([
      "line 2: `trace_id` is not the id of the root of the trace",
    ]);
  });
});

describe("a line that adds to a run", () => {
  const patch = { event: "patch", id: uuid(1), end_time: "2026-05-04T09:00:05Z", outputs: { a: 1 }, error: "late" };

  test("is sent after all runs, with the place of its run", async () => {
    const { sent, read } = await readFiles({ "runs.jsonl": linesOf([patch, run(2), run(1)]) });
    expect(sent.map(({ event }) => event)).toEqual(["post", "post", "patch"]);
    const { event: _event, ...fields } = patch;
    expect(sent[2]?.run).toEqual({ ...fields, trace_id: uuid(1), dotted_order: `20260504T090001000000Z${uuid(1)}` });
    expect(read).toMatchObject({ additions: 1, sums: { runs: 2, errors: 1 } });
  });

  test("may be in a separate file, whose format it shows", async () => {
    const end = { event: "patch", id: uuid(1), end_time: "2026-05-04T09:00:09Z" };
    const { sent } = await readFiles({ "ends.jsonl": linesOf([end]), "runs.jsonl": linesOf([run(1)]) });
    expect(sent.map(({ event }) => event)).toEqual(["post", "patch"]);
  });

  test("needs its place where its run is in none of the files", async () => {
    expect(await lineFaults([patch])).toEqual([expect.stringContaining("line 1: adds to a run")]);
    const placed = { ...patch, trace_id: uuid(1), dotted_order: `20260504T090001000000Z${uuid(1)}` };
    const { sent } = await readFiles({ "runs.jsonl": linesOf([placed]) });
    expect(sent).toMatchObject([{ event: "patch", run: { id: uuid(1), dotted_order: placed.dotted_order } }]);
  });

  test("has the tokens of the run that it ends", async () => {
    const usage = { outputs: { usage_metadata: { input_tokens: 3, output_tokens: 4 } } };
    const { read } = await readFiles({
      "runs.jsonl": linesOf([
        run(1, { run_type: "llm" }),
        run(2),
        { ...patch, ...usage },
        { ...patch, ...usage, id: uuid(2) },
      ]),
    });
    expect(read.sums.tokens).toBe(14);
  });
});

test("runs in any order get valid places, and the tree that they name", { tags: "slow" }, async () => {
  const trees = fc.array(fc.record({ parent: fc.nat(), start: fc.nat(59) }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(trees, fc.infiniteStream(fc.nat()), async (nodes, chance) => {
      const lines = nodes.map(({ parent, start }, at) => {
        const start_time = `2026-05-04T09:00:${String(start).padStart(2, "0")}Z`;
        return run(
          at,
          at === 0 || parent % (at + 1) === at
            ? { start_time }
            : { start_time, parent_run_id: uuid(parent % (at + 1)) },
        );
      });
      const shuffled = lines
        .map((line) => ({ line, key: chance.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ line }) => line);
      const sent = await runsOf(shuffled);
      const byId = new Map(sent.map((one) => [one.id, one]));
      for (const line of lines) {
        const one = byId.get(line.id);
        expect(runFaults(Run.parse(one), { made: true })).toEqual([]);
        const parent = "parent_run_id" in line ? byId.get(String(line.parent_run_id)) : undefined;
        expect(one?.["parent_run_id"]).toBe(parent?.id);
        if (parent !== undefined) {
          expect(one?.["trace_id"]).toBe(parent["trace_id"]);
          expect(String(one?.["dotted_order"]).startsWith(`${String(parent["dotted_order"])}.`)).toBe(true);
        }
      }
    }),
    { numRuns: propertyRuns(0.5) },
  );
});
