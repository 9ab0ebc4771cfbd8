import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dottedOrder, parseDottedOrder } from "../../src/contract/dotted-order.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
// Until the year 2255 a number is exact to the microsecond.
const microseconds = fc.integer({ min: 0, max: 9_007_199_254_000 }).map((milliseconds) => milliseconds * 1_000 + 999);

describe("a dotted order", () => {
  test("is the start with microseconds and the id, after that of the parent", () => {
    const startMicroseconds = Date.UTC(2024, 0, 2, 1, 4, 5, 678) * 1_000 + 901;
    expect(dottedOrder({ startMicroseconds, id: ID })).toBe(`20240102T010405678901Z${ID}`);
    expect(dottedOrder({ startMicroseconds, id: ID, parent: "P" })).toBe(`P.20240102T010405678901Z${ID}`);
  });

  test("reads back as it was written", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(microseconds, fc.uuid()), { minLength: 1, maxLength: 8 }), (runs) => {
        const places = runs.map(([startMicroseconds, id]) => ({ startMicroseconds, id }));
        const text = places.reduce<string | undefined>((parent, place) => dottedOrder({ ...place, parent }), undefined);
        expect(parseDottedOrder(text ?? "")).toEqual(places);
      }),
    );
  });

  test("may be of any year that a start may be of, as the contract names none", () => {
    const [start] = parseDottedOrder(`00500102T010405000000Z${ID}`) ?? [];
    expect(start?.startMicroseconds).toBe(Date.parse("0050-01-02T01:04:05Z") * 1_000);
    expect(parseDottedOrder(`00000102T010405000000Z${ID}`)).toBeUndefined();
  });

  test.each([
    ["nothing", ""],
    ["nine digits of a second", `20240102T010405678901234Z${ID}`],
    ["no zone", `20240102T010405678901${ID}`],
    ["a day that no month has", `20240231T010405678901Z${ID}`],
    ["an hour that no day has", `20240102T250405678901Z${ID}`],
    ["an id that is none", "20240102T010405678901Zabc"],
    ["an empty segment", `20240102T010405678901Z${ID}.`],
  ])("that has %s is none", (_, text) => {
    expect(parseDottedOrder(text)).toBeUndefined();
  });
});
