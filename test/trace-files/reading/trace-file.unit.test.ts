import { describe, expect, test } from "vitest";
import { request, span } from "../otlp/spans.ts";
import { faultsOf, linesOf, readFiles, run } from "../read-files.ts";

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

describe("a file of one value over many lines", () => {
  test.each<[string, string, "jsonl" | "otlp"]>([
    ["a run", pretty(run(1)), "jsonl"],
    ["a run with a byte order mark", `\uFEFF${pretty(run(1))}`, "jsonl"],
    ["a request", pretty(request([span(1)])), "otlp"],
    ["a request in snake_case", pretty({ resource_spans: [{ scope_spans: [{ spans: [span(1)] }] }] }), "otlp"],
    ["a request with its list behind other fields", pretty({ a: 1, ...(request([span(1)]) as object) }), "otlp"],
  ])("may hold %s", async (_what, content, format) => {
    const { read } = await readFiles({ "a.json": content });
    expect(read.files[0]).toMatchObject({ format, runs: 1 });
  });

  test("may hold several, one behind the other", async () => {
    expect((await readFiles({ "a.json": [run(1), run(2), run(3)].map(pretty).join("\n") })).sent).toHaveLength(3);
    expect(
      (await readFiles({ "a.json": [span(1), span(2)].map((one) => pretty(request([one]))).join("\n\n") })).sent,
    ).toHaveLength(2);
  });

  test("has errors at the line where the value begins, and where it breaks", async () => {
    const faults = await faultsOf({ "a.json": `${pretty(run(1))}\n${pretty(run(2, { name: 7 }))}\n` });
    expect(faults).toEqual(["a.json, line 8: `name` must be a text, found a number"]);
    const cut = await faultsOf({ "a.json": `${pretty(run(1))}\n${pretty(run(2)).slice(0, -3)}` });
    expect(cut).toHaveLength(1);
    expect(cut[0]).toMatch(/^a\.json, line \d+: /);
  });

  test("is not what a broken line makes of a file of lines", async () => {
    const faults = await faultsOf({ "a.jsonl": `{"run_type":"chain",\n${linesOf([run(1), run(2, { name: 7 })])}` });
    expect(faults.map((fault) => fault.split(":")[0])).toEqual(["a.jsonl, line 1", "a.jsonl, line 3"]);
  });
});
