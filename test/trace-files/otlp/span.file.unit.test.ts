import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Run } from "../../../src/contract/run.ts";
import { runFaults } from "../../../src/contract/run-rules.ts";
import { faultsOf, linesOf, readFiles } from "../read-files.ts";
import { nanoseconds, request, runsOf, span, spanId } from "./spans.ts";

describe("a file of spans", () => {
  const two = [request([span(1)]), request([span(2)])];

  test.each([
    ["a request a line", linesOf(two)],
    ["one request", JSON.stringify(request([span(1), span(2)]))],
    ["one request over lines", JSON.stringify(request([span(1), span(2)]), null, 2)],
    ["a list of requests", JSON.stringify(two)],
    ["a list of requests over lines", JSON.stringify(two, null, 2)],
    ["a byte order mark", `\uFEFF${linesOf(two)}`],
    ["a first line of more than 256 KiB", linesOf([request([span(1, { long: "x".repeat(400_000) })]), two[1]])],
  ])("may hold %s", async (_what, content) => {
    const { sent, read } = await readFiles({ "spans.json": content });
    expect(sent).toHaveLength(2);
    expect(read.files[0]).toMatchObject({ format: "otlp", runs: 2 });
  });

  test("of an older exporter has its spans in `instrumentationLibrarySpans`, beside `scopeSpans` or instead", async () => {
    const older = (...numbers: readonly number[]) => ({
      instrumentationLibrarySpans: [
        { instrumentationLibrary: { name: "agent.py", version: "0.9" }, spans: numbers.map((number) => span(number)) },
      ],
    });
    const newer = { scopeSpans: [{ scope: { name: "agent.py", version: "0.9" }, spans: [span(3)] }] };
    const content = { resourceSpans: [older(1, 2), { ...older(4), ...newer }, { scopeSpans: [], ...older(5) }] };
    const { sent, read } = await readFiles({ "spans.json": JSON.stringify(content) });
    expect(sent.map(({ run }) => run["name"]).sort()).toEqual(
      [1, 2, 3, 4, 5].map((number) => `span ${String(number)}`),
    );
    expect(read.files[0]).toMatchObject({ format: "otlp", runs: 5 });
    for (const { run } of sent.filter(({ run }) => ["span 1", "span 3"].includes(String(run["name"])))) {
      expect(run["extra"]).toMatchObject({ metadata: { "otel.scope": { name: "agent.py", version: "0.9" } } });
    }
  });

  test("may have lines of other signals, which are counted", async () => {
    const { read } = await readFiles({
      "all.json": linesOf([{ resourceLogs: [] }, ...two, { resourceMetrics: [] }, {}]),
    });
    expect(read).toMatchObject({ passedLines: 3, sums: { runs: 2 } });
  });

  test.each<[string, unknown, string]>([
    ["no span", request([7]), "a span must be an object, found a number"],
    [
      "a trace id in base64 that is too short",
      request([span(1, {}, { traceId: "W47/95gDgQPSabYzgT/G" })]),
      "the `traceId` of a span must be 32 hex digits, or their bytes in base64",
    ],
    [
      "a span id of zeros",
      request([span(1, {}, { spanId: "0".repeat(16) })]),
      "the `spanId` of a span must be 16 hex digits, or their bytes in base64",
    ],
    [
      "a parent that is not an id",
      request([span(1), span(2, {}, { parentSpanId: "7uGbfsPBsA" })]),
      `span ${spanId(2)}: \`parentSpanId\` must be 16 hex digits, or their bytes in base64`,
    ],
    [
      "no start",
      request([span(1, {}, { startTimeUnixNano: "0" })]),
      `span ${spanId(1)}: \`startTimeUnixNano\` must be the nanoseconds since 1970`,
    ],
    [
      "attributes as an object",
      request([span(1, {}, { attributes: { a: 1 } })]),
      `span ${spanId(1)}: \`attributes\` must be a list of keys and values`,
    ],
    [
      "events as an object",
      request([span(1, {}, { events: {} })]),
      `span ${spanId(1)}: \`events\` must be a list of events with their attributes`,
    ],
    [
      "no list of spans",
      { resourceSpans: [{ scopeSpans: [{ spans: {} }] }] },
      "`spans` must be a list, found an object",
    ],
    [
      "no list of spans of an older exporter",
      { resourceSpans: [{ instrumentationLibrarySpans: 7 }] },
      "`instrumentationLibrarySpans` must be a list, found a number",
    ],
    ["no list at all", { resourceSpans: 7 }, "`resourceSpans` must be a list, found a number"],
    [
      "two spans of one id",
      request([span(1), span(1, {}, { name: "other" })]),
      "another run has the same id: spans.json, line 1",
    ],
  ])("is refused for %s", async (_what, content, fault) => {
    expect(await faultsOf({ "spans.json": `${JSON.stringify(content)}\n` }, { format: "otlp" })).toEqual([
      `spans.json, line 1: ${fault}`,
    ]);
  });

  test("that is cut off is an error with its line", async () => {
    const whole = linesOf(two);
    expect(await faultsOf({ "spans.json": whole.slice(0, -20) })).toEqual([
      expect.stringMatching(/^spans\.json, line 2: /),
    ]);
  });

  test("has the errors of all its lines, even if the first is broken", async () => {
    const lines = `{"resourceSpans":[{"scope\n${linesOf([...two, request([7])])}`;
    expect((await faultsOf({ "spans.json": lines })).map((fault) => fault.split(":")[0])).toEqual([
      "spans.json, line 1",
      "spans.json, line 4",
    ]);
  });

  test("that is compressed is an error", async () => {
    const error = await readFiles({ "spans.json.gz": gzipSync(linesOf(two)) }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: "spans.json.gz: could not detect the format: the file is compressed with gzip.",
    });
  });

  test("of an unknown format is an error with its keys", async () => {
    expect(await faultsOf({ "a.json": '{"rows":[],"at":1}' })).toEqual([
      'a.json: could not detect the format: JSON with the keys "rows", "at"',
    ]);
  });
});

test("the runs of any spans are valid", { tags: "slow" }, async () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.string()),
  );
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "gen_ai.operation.name",
      "gen_ai.input.messages",
      "gen_ai.prompt.0.role",
      "gen_ai.prompt",
      "input.value",
      "llm.input_messages.0",
      "gen_ai.usage.input_tokens",
      "error.type",
      "__proto__",
      "toJSON",
    ),
  );
  const spans = fc.array(
    fc.record({
      of: fc.dictionary(key, value),
      parent: fc.option(fc.nat(12)),
      start: fc.nat(5_000),
      code: fc.nat(3),
      name: fc.string({ maxLength: 200 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(spans, async (list) => {
      const sent = await runsOf(
        ...list.map(({ of, parent, start, code, name }, at) =>
          span(at, of, {
            name,
            startTimeUnixNano: nanoseconds(start),
            status: { code },
            ...(parent === null || parent >= at ? {} : { parentSpanId: spanId(parent) }),
          }),
        ),
      );
      expect(sent).toHaveLength(list.length);
      for (const run of sent) expect(runFaults(Run.parse(run), { made: true })).toEqual([]);
    }),
  );
});
