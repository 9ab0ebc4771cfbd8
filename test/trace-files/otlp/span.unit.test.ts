import { describe, expect, test } from "vitest";
import { linesOf, readFiles } from "../read-files.ts";
import { event, nanoseconds, request, runOf, runsOf, span, spanId, TRACE } from "./spans.ts";

describe("a span", () => {
  test("that ends before it starts is sent as it is, with a warning", async () => {
    const ends = (number: number, milliseconds: number) =>
      span(number, {}, { endTimeUnixNano: nanoseconds(milliseconds) });
    const spans = request([ends(1, 1), ends(2, 1), ends(3, 9)]);
    const { sent, warnings } = await readFiles({ "spans.json": JSON.stringify(spans) });
    expect(sent.map(({ run }) => run["end_time"])).toEqual(
      ["1", "1", "9"].map((digit) => `2026-05-04T10:00:00.00${digit}Z`),
    );
    expect(warnings).toEqual([
      "1 run with an `end_time` before its `start_time`, which some services reject: the first is spans.json, line 1.",
    ]);
  });

  test("becomes a run with its ids, times, scope and resource", async () => {
    const spans = request(
      [span(1, { "http.route": "/ask", "http.status": 200, ratio: 0.5, ok: true, list: ["a", 1], map: { k: "v" } })],
      { "service.name": "desk" },
      { name: "example", version: "1.2" },
    );
    const { sent } = await readFiles({ "spans.json": JSON.stringify(spans) });
    const id = sent[0]?.run.id ?? "";
    expect(id).toMatch(/^019df26e-2d01-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(sent.map(({ run }) => run)).toEqual([
      {
        id,
        trace_id: id,
        dotted_order: `20260504T100000001000Z${id}`,
        session_name: "tests",
        name: "span 1",
        run_type: "chain",
        start_time: "2026-05-04T10:00:00.001Z",
        end_time: "2026-05-04T10:00:00.101Z",
        extra: {
          metadata: {
            "http.route": "/ask",
            "http.status": 200,
            ratio: 0.5,
            ok: true,
            list: ["a", 1],
            map: { k: "v" },
            "otel.trace_id": TRACE,
            "otel.span_id": spanId(1),
            "otel.scope": { name: "example", version: "1.2" },
            "otel.resource": { "service.name": "desk" },
          },
        },
      },
    ]);
  });

  test("has the same id in every file, and is taken once", async () => {
    const [first] = await runsOf(span(1));
    const { sent, read } = await readFiles({
      "a.json": linesOf([request([span(1), span(2)]), request([span(1)])]),
      "b.json": JSON.stringify(request([span(2)]), null, 2),
    });
    expect(sent.map(({ run: { id } }) => id)).toEqual([first?.id, expect.any(String)]);
    expect(read.sharedRuns).toBe(2);
    const other = await runsOf(span(1, {}, { traceId: TRACE.replace("5", "6") }));
    expect(other[0]?.id.slice(0, 13)).toBe(first?.id.slice(0, 13));
    expect(other[0]?.id).not.toBe(first?.id);
  });

  test("is below its parent, which may come later, and is a root where the parent is in none of the files", async () => {
    const { sent, read } = await readFiles({
      "spans.json": linesOf([
        request([span(3, {}, { parentSpanId: spanId(2) })]),
        request([span(2, {}, { parentSpanId: spanId(1).toUpperCase() }), span(1, {}, { parentSpanId: "" })]),
        request([span(4, {}, { parentSpanId: spanId(9) })]),
      ]),
    });
    const [third, second, first, fourth] = sent.map(({ run }) => run);
    expect(third).toMatchObject({ parent_run_id: second?.id, trace_id: first?.id });
    expect(String(third?.["dotted_order"]).split(".")).toHaveLength(3);
    expect(first).not.toHaveProperty("parent_run_id");
    expect(fourth).toMatchObject({ trace_id: fourth?.id });
    expect(read).toMatchObject({ lostParents: 1, sums: { traces: 2, runs: 4 } });
  });

  test("keeps the microseconds of its times, given as texts or as numbers", async () => {
    const text = JSON.stringify(request([span(1, {}, { startTimeUnixNano: "1777888800123456789" })]));
    const number = text.replace('"1777888800123456789"', "1777888800123456789");
    for (const content of [text, number]) {
      const { sent } = await readFiles({ "spans.json": content });
      expect(sent[0]?.run).toMatchObject({ start_time: "2026-05-04T10:00:00.123456Z" });
      expect(sent[0]?.run["dotted_order"]).toMatch(/^20260504T100000123456Z/);
    }
  });

  test("that has not ended has no end", async () => {
    expect(await runOf({}, { endTimeUnixNano: "0" })).not.toHaveProperty("end_time");
  });

  test("with a long name has a cut one, and the whole name in its metadata", async () => {
    const name = "x".repeat(200);
    expect(await runOf({}, { name })).toMatchObject({
      name: `${"x".repeat(127)}…`,
      extra: { metadata: { "otel.span.name": name } },
    });
  });

  test.each([
    [{ code: 2, message: "no quota" }, [], "no quota"],
    [
      { code: "STATUS_CODE_ERROR" },
      [event("exception", { "exception.type": "E", "exception.message": "bad" })],
      "E: bad",
    ],
    [{ code: 2 }, [], "timeout"],
    [{ code: 1, message: "fine" }, [event("exception", { "exception.type": "E" })], undefined],
  ])("with the status %j has the error %s", async (status, events, error) => {
    const run = await runOf({ "error.type": "timeout" }, { status, events });
    expect(run["error"]).toBe(error);
  });

  test("without a reason for its error has an error all the same", async () => {
    expect(await runOf({}, { status: { code: 2 } })).toMatchObject({ error: "The span ended with an error." });
  });
});
