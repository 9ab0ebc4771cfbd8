import { describe, expect, test } from "vitest";
import { faultsOf, lineFaults, linesOf, readFiles, run, uuid } from "../read-files.ts";

describe("a file of runs is invalid", () => {
  test("for a parent cycle, and for a chain that is too long", { tags: "slow" }, async () => {
    const circle = [
      run(1, { parent_run_id: uuid(2) }),
      run(2, { parent_run_id: uuid(1) }),
      run(3, { parent_run_id: uuid(2) }),
    ];
    expect(await lineFaults(circle)).toEqual([expect.stringContaining("parent cycle")]);
    const chain = Array.from({ length: 1_005 }, (_, at) => run(at, at === 0 ? {} : { parent_run_id: uuid(at - 1) }));
    expect(await lineFaults(chain)).toEqual([expect.stringContaining("more than 1,000 levels below")]);
  });

  test("for a run that is its own parent, even with a given place", async () => {
    const segment = `20260504T090001000000Z${uuid(1)}`;
    const own = { parent_run_id: uuid(1), trace_id: uuid(1), dotted_order: `${segment}.${segment}` };
    expect(await lineFaults([run(1, own)])).toContainEqual(expect.stringContaining("parent cycle"));
  });

  test("with all errors of one run", async () => {
    const errors = await lineFaults([{ id: 7, run_type: 7, parent_run_id: uuid(2), end_time: "soon" }]);
    const fields = ["end_time", "id", "run_type", "name", "start_time"];
    expect(errors).toEqual(fields.map((field) => expect.stringContaining(`line 1: \`${field}\` `) as string));
  });

  test("with the errors of all its lines, even if the first does not show the format", async () => {
    const file = `# our runs\n${linesOf([run(1), run(2, { name: 7 }), run(3)])}{"id":\n`;
    expect((await faultsOf({ "runs.jsonl": file })).map((fault) => fault.split(":")[0])).toEqual([
      "runs.jsonl, line 1",
      "runs.jsonl, line 3",
      "runs.jsonl, line 5",
    ]);
  });

  test("for a text with a run as an example", async () => {
    const text = `# Runs\n\nOne line is one run:\n\n${linesOf([run(1)])}\nThat is all.\n`;
    const error = await readFiles({ "README.md": text }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: "README.md: could not detect the format: it is not JSON.",
    });
  });

  test("for a value that is nested too deep to be sent", async () => {
    const deep = `${'{"a":'.repeat(190)}1${"}".repeat(190)}`;
    const text = JSON.stringify(run(1)).replace('"inputs":{}', `"inputs":${deep}`);
    expect(await faultsOf({ "runs.jsonl": text })).toEqual([
      "runs.jsonl, line 1: the run is nested more than 180 levels deep",
    ]);
  });

  test("with all errors of all files by file and line, never with the value", async () => {
    const secret = "hunter2-hunter2";
    const faults = await faultsOf({
      "a.jsonl": `${linesOf([run(1, { name: [secret] })])}{"id": ${secret}\n${linesOf([run(2, { start_time: secret })])}`,
      "b.jsonl": '{"run_type":"chain"',
      "c.jsonl": "",
      "d.txt": "hello",
    });
    expect(faults.map((fault) => fault.split(":")[0])).toEqual([
      "c.jsonl",
      "d.txt",
      "a.jsonl, line 1",
      "a.jsonl, line 2",
      "a.jsonl, line 3",
      "b.jsonl, line 1",
    ]);
    expect(faults.join()).not.toContain(secret);
  });
});

describe("a rule that only some services have is one warning, and the runs are sent as they are", () => {
  const early = {
    parent_run_id: uuid(1),
    trace_id: uuid(1),
    dotted_order: `20260504T090001000000Z${uuid(1)}.20260504T090000000000Z${uuid(2)}`,
  };
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["an empty name", { name: "" }],
    ["a name of more than 128 characters", { name: "n".repeat(129) }],
    ["a `run_type` other than the known ones", { run_type: "agent" }],
    ["a `session_id` that is not a UUID", { session_id: 'Team/<b>"1"' }],
    ["a `session_id` that is not a UUID", { session_id: "0193A1B2C3D47E5F8A6B0C1D2E3F4A5B" }],
    ["a `dotted_order` whose times go back", early],
    ["an `end_time` before its `start_time`", { end_time: "2026-05-04T08:59:59.999Z" }],
  ])("for %s: %o", async (what, fields) => {
    const own = "session_id" in fields ? { session_name: "s" } : {};
    const lines = [run(1, own), run(2, fields)];
    const more = Array.from({ length: 20 }, (_, at) => run(at + 3, what.includes("dotted_order") ? {} : fields));
    const { sent, warnings } = await readFiles(
      { "runs.jsonl": linesOf([...lines, ...more]) },
      // A name of the project would win over its id.
      "session_id" in fields ? { sessionName: "" } : {},
    );
    const count = what.includes("dotted_order") ? "1 run" : "21 runs";
    expect(warnings).toEqual([`${count} with ${what}, which some services reject: the first is runs.jsonl, line 2.`]);
    expect(sent[1]?.run).toMatchObject(fields);
  });

  test("with the doubts of additions, and each run that two files have once", async () => {
    const one = linesOf([run(1, { run_type: "agent" })]);
    const patch = { event: "patch", id: uuid(1), name: "" };
    const { sent, warnings } = await readFiles({ "a.jsonl": one, "b.jsonl": one + linesOf([patch]) });
    expect(warnings.map((text) => text.split(",")[0])).toEqual([
      "1 run with a `run_type` other than the known ones",
      "1 run with an empty name",
    ]);
    expect(sent.map((each) => [each.event, each.run["name"]])).toEqual([
      ["post", "run 1"],
      ["patch", ""],
    ]);
  });
});

describe("a run of a type that is not known", () => {
  test("is counted under its own name, after the known ones", async () => {
    const types = ["agent", "llm", "", "agent", "chain"];
    const { read } = await readFiles({ "a.jsonl": linesOf(types.map((run_type, at) => run(at, { run_type }))) });
    expect([...read.sums.types].map(([type, { runs }]) => [type, runs])).toEqual([
      ["chain", 1],
      ["llm", 1],
      ["agent", 2],
      ["", 1],
    ]);
  });

  test("keeps its type where there are more types than the sums name, however long they are", async () => {
    const long = "t".repeat(5_000);
    const lines = Array.from({ length: 400 }, (_, at) => run(at, { run_type: `${String(at)}${long}` }));
    const { read, sent } = await readFiles({ "a.jsonl": linesOf(lines) });
    expect(sent.map((each) => each.run["run_type"])).toEqual(lines.map(({ run_type }) => run_type));
    const types = [...read.sums.types];
    expect(types).toHaveLength(44);
    expect(types.at(-1)).toMatchObject(["further types", { runs: 357 }]);
    expect(Math.max(...types.map(([type]) => type.length))).toBe(60);
  });
});
