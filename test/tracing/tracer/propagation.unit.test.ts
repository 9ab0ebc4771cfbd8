import { describe, expect, test } from "vitest";
import { formatTraceparent, incomingContext, parseTraceparent } from "../../../src/tracing/tracer/propagation.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent", () => {
  test("is read in its first version and in later ones", () => {
    const found = { traceId: TRACE, spanId: SPAN, sampled: true };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(found);
    expect(parseTraceparent(` 00-${TRACE}-${SPAN}-00 `)).toEqual({ ...found, sampled: false });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-03-what-comes`)).toEqual(found);
  });

  test.each([
    ["", "nothing"],
    [`ff-${TRACE}-${SPAN}-01`, "no version"],
    [`00-${"0".repeat(32)}-${SPAN}-01`, "no trace"],
    [`00-${TRACE}-${"0".repeat(16)}-01`, "no span"],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, "capitals"],
    [`00-${TRACE}-${SPAN}-01-more`, "more than the first version has"],
    [`00-${TRACE}-${SPAN}`, "no flags"],
  ])("%j is none: %s", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  test("of a run has the id of its trace and the end of its own, and is valid", () => {
    const traceId = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
    const id = "0193a1b2-c3d4-7e5f-9a6b-0c1d2e3f4a5c";
    const header = formatTraceparent({ traceId, id, sampled: true });
    expect(header).toBe("00-0193a1b2c3d47e5f8a6b0c1d2e3f4a5b-9a6b0c1d2e3f4a5c-01");
    expect(parseTraceparent(header)).toMatchObject({ sampled: true });
  });
});

describe("headers from outside", () => {
  test.each<[string, unknown]>([
    ["null", null],
    ["a number", 7],
    ["a text", "traceparent"],
    ["a list", [`00-${TRACE}-${SPAN}-01`]],
    ["a number as their value", { traceparent: 7 }],
    ["an object as their value", { traceparent: { join: 1 } }],
    ["a list of what no text can be made of", { traceparent: [Symbol("a"), Object.create(null)] }],
  ])("disturb no program where a caller without types gives %s", (_, headers) => {
    expect(incomingContext(headers as Headers)).toBeUndefined();
  });

  test("may have several values", () => {
    const headers = { traceparent: [`00-${TRACE}-${SPAN}-01`], baggage: ["a=1", "b=2"] };
    expect(incomingContext(headers)).toEqual({ w3cTraceId: TRACE, isSampled: true, parent: undefined });
  });
});
