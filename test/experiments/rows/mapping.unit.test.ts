import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseMapping, readMapping } from "../../../src/experiments/rows/mapping.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/results");

async function faultsOf(text: string): Promise<readonly string[]> {
  const reading = await parseMapping(text);
  return reading.ok ? [] : reading.faults;
}

describe("a mapping", () => {
  it("is read from YAML", async () => {
    expect(await parseMapping(readFileSync(join(FIXTURES, "csv/project/mapping.yaml"), "utf8"))).toEqual({
      ok: true,
      mapping: {
        id: "case",
        inputs: { question: "q" },
        expected: "gold",
        outputs: "a",
        scores: { grade: { path: "grade" }, cost: { path: "cost", direction: "lower" } },
        startTime: "t0",
        latencyMilliseconds: "ms",
      },
    });
  });

  it("is read from JSON", async () => {
    const text = JSON.stringify({ inputs: "q", latency: "took", metadata: { m: "a.b" }, end_time: "end", error: "e" });
    expect(await parseMapping(text)).toEqual({
      ok: true,
      mapping: { inputs: "q", latencySeconds: "took", metadata: { m: "a.b" }, endTime: "end", error: "e" },
    });
  });

  it("takes paths as JSONPath writes them, and a place of the rows alone", async () => {
    expect(await parseMapping("inputs: $.case.text\nscores: { exact: $.scores.exact }")).toMatchObject({
      mapping: { inputs: "case.text", scores: { exact: { path: "scores.exact" } } },
    });
    expect(await parseMapping('inputs: $.turns[-1]["the text"]\noutputs: $["the answer"]')).toMatchObject({
      mapping: { inputs: '$.turns[-1]["the text"]', outputs: "the answer" },
    });
    expect(await parseMapping("rows: $.report.cases")).toEqual({ ok: true, mapping: { rows: "report.cases" } });
    expect(await faultsOf("rows: cases\noutputs: a")).toEqual([
      "`inputs` must be a column or a dotted path, or one for each key",
    ]);
    expect(await faultsOf("inputs: $.")).not.toEqual([]);
  });

  it("reports all of its faults at once", async () => {
    const faults = await faultsOf(`
id: 3
outputs: [a]
metadata: {}
latency: a
latency_ms: b
scores:
  a: { from: x, direction: up, kind: number, extra: 1 }
  b: 4
  c: {}
  d: ""
input: q
`);
    const known =
      "rows, id, inputs, expected, outputs, scores, start_time, end_time, repetition, latency, latency_ms, error, metadata";
    expect([...faults].sort()).toEqual(
      [
        "`id` must be a column or a dotted path, such as case.text",
        "`inputs` must be a column or a dotted path, or one for each key",
        "`outputs` must be a column or a dotted path, or one for each key",
        "`metadata` must be a column or a dotted path, or one for each key",
        "`scores.a.direction` must be higher or lower",
        "`scores.a.kind` must be one of continuous, categorical, freeform",
        "`scores.a.extra` is not known; a score has from, direction, kind",
        "`scores.b` must be a column or a dotted path, or `from` with `direction` and `kind`",
        "`scores.c.from` must be a column or a dotted path, such as case.text",
        "`scores.d.from` must be a column or a dotted path, such as case.text",
        `\`input\` is not known; a mapping has ${known}`,
        "`latency` (seconds) and `latency_ms` are both set; set one of them",
      ].sort(),
    );
  });

  it.each([
    ["nothing", "", /must be a YAML mapping/],
    ["a text", "question", /must be a YAML mapping/],
    ["a list", "- a\n- b\n", /must be a YAML mapping/],
    ["a bracket that stays open", "inputs: [", /is not valid YAML: line 1, column \d+ \(\w+\)/],
    ["a key twice", "inputs: a\ninputs: b\n", /^`inputs` is set twice$/],
    ["an alias of nothing", "inputs: *a\n", /has an alias without an anchor/],
    ["a score without a name", 'inputs: a\nscores: { "": b }\n', /`scores` has a score without a name/],
    ["scores in a list", "inputs: a\nscores: [b]\n", /`scores` must map the name of each score/],
    ["an object in place of a path", "inputs: { a: { b: c } }\n", /`inputs` must be a column/],
  ])("is refused for %s", async (_what, text, fault) => {
    expect((await faultsOf(text)).join("\n")).toMatch(fault);
  });

  it("with aliases that multiply is refused at once", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]`,
    );
    expect(await faultsOf(`a0: &a0 x\n${levels.join("\n")}\n`)).toEqual(["is too large, with its aliases expanded"]);
  });

  it("never quotes a text that is no mapping", async () => {
    expect((await faultsOf('a: "secret\n b: {secret')).join()).not.toContain("secret");
  });

  it("does not fail on any text", async () => {
    const unit = fc.constantFrom(
      "inputs",
      "scores",
      "from",
      ":",
      " ",
      "\n",
      "-",
      "{",
      "}",
      "[",
      "]",
      "&a",
      "*a",
      "!!",
      '"',
      "|",
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (text) => {
        const reading = await parseMapping(text);
        expect(reading.ok || reading.faults.length > 0).toBe(true);
      }),
    );
  });

  it("says of a promise that it is not a score", () => {
    expect(readMapping({ inputs: "q", scores: { exact: Promise.resolve("exact") } })).toEqual({
      ok: false,
      faults: [expect.stringMatching(/^`scores\.exact` must be a column or a dotted path/)],
    });
  });
});
