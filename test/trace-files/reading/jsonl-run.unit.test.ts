import { describe, expect, test } from "vitest";
import { faultsOf, lineFaults, linesOf, readFiles, run, uuid } from "../read-files.ts";

describe("a file of runs is invalid", () => {
  test.each<[string, readonly unknown[], string]>([
    ["no object", [run(1), 5], "line 2: the line must be an object"],
    ["no name", [{ ...run(1), name: undefined }], "line 1: `name` is missing"],
    ["a long name", [run(1, { name: "x".repeat(129) })], "line 1: `name` is longer than 128 characters"],
    ["no type", [{ ...run(1), run_type: null }], "line 1: `run_type` is missing"],
    [
      "an unknown type",
      [run(1, { run_type: "agent" })],
      "line 1: `run_type` must be chain, llm, tool, retriever, embedding, prompt or parser",
    ],
    ["a number as its name", [run(1, { name: 7 })], "line 1: `name` must be a text, found a number"],
    ["an invalid id", [run(1, { id: "seven" })], "line 1: `id` must be a UUID"],
    ["events that are not a list", [run(1, { events: {} })], "line 1: `events` must be a list, found an object"],
    ["no start", [{ ...run(1), start_time: null }], "line 1: `start_time` is missing"],
    ["an invalid start", [run(1, { start_time: "soon" })], "line 1: `start_time` must be a time between 1970 and 9999"],
    ["an unknown event", [run(1, { event: "put" })], "line 1: `event` must be post or patch"],
    ["a parent nowhere", [run(1, { parent_run_id: uuid(7) })], "line 1: `parent_run_id` refers to a run"],
    ["a run that is its own parent", [run(1, { parent_run_id: uuid(1) })], "line 1: parent cycle"],
    ["neither an id nor a start", [{ name: "a", run_type: "chain" }], "line 1: `start_time` is missing"],
    [
      "another run of its id",
      [run(1), run(2, { id: uuid(1) })],
      "line 2: another run has the same id: runs.jsonl, line 1",
    ],
    [
      "a wrong dotted_order",
      [run(1, { dotted_order: "now" })],
      "line 1: `dotted_order` must be segments like 20240102T030405678901Z and a UUID, joined by dots",
    ],
  ])("for %s", async (_what, lines, fault) => {
    expect(await lineFaults(lines)).toEqual([expect.stringContaining(fault)]);
  });

  test("for a parent cycle, and for a chain that is too long", async () => {
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
    const errors = await lineFaults([{ id: 7, run_type: "agent", parent_run_id: uuid(2), end_time: "soon" }]);
    const fields = ["end_time", "id", "run_type", "name", "start_time"];
    expect(errors).toEqual(fields.map((field) => expect.stringContaining(`line 1: \`${field}\` `) as string));
  });

  test("with the errors of all its lines, even if the first does not show the format", async () => {
    const file = `# our runs\n${linesOf([run(1), run(2, { name: "" }), run(3)])}{"id":\n`;
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
