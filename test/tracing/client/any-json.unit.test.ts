import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson, cutJson, LEAST_LONG } from "../../../src/tracing/client/any-json.ts";

const circular: Record<string, unknown> = { a: 1 };
circular["self"] = { circular };
const shared = { x: 1 };
const deep = Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ inner }), "core");

const revoked = Proxy.revocable({}, {});
revoked.revoke();
const no = {
  read(): never {
    throw new Error("no");
  },
};
const acquaintances = Array.from({ length: 12 }, (): Record<string, unknown> => ({}));
for (const one of acquaintances) for (const [index, other] of acquaintances.entries()) one[`k${String(index)}`] = other;

describe("JSON of any value", () => {
  test("has a bound for objects that refer to each other", { tags: "slow" }, () => {
    const json = anyJson(acquaintances[0]);
    expect(json).toContain('"[Too much]"');
    expect(json.length).toBeLessThan(200_000_000);
  });

  test("is that of JSON.stringify for a JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(anyJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each<readonly [string, unknown, unknown]>([
    ["a number without end", { a: 10n ** 20n }, { a: "100000000000000000000" }],
    ["a circle", circular, { a: 1, self: { circular: "[Circular]" } }],
    ["one object in two places", { a: shared, b: [shared, 1n] }, { a: { x: 1 }, b: [{ x: 1 }, "1"] }],
    ["a proxy that refuses to be looked at", revoked.proxy, "[Unreadable]"],
    ["such a proxy within", { a: revoked.proxy, b: 1 }, { a: "[Unreadable]", b: 1 }],
    ["a list whose own idea throws", { a: Object.assign([1], { toJSON: () => no.read() }), b: 1 }, { a: [1], b: 1 }],
    ["a Date", { at: new Date(0), n: 1n }, { at: "1970-01-01T00:00:00.000Z", n: "1" }],
    ["a Date that is none", { at: new Date(Number.NaN) }, { at: null }],
    ["a Map", new Map<unknown, unknown>([["a", new Map([[1, 2]])]]), { a: { 1: 2 } }],
    ["a Set", new Set([1, new Set(["a"])]), [1, ["a"]]],
    ["an Error", { error: new TypeError("bad") }, { error: { name: "TypeError", message: "bad" } }],
    ["a Buffer", { bytes: Buffer.from("hello") }, { bytes: "aGVsbG8=" }],
    ["a part of an array of bytes", new Uint8Array([1, 2, 3, 4]).subarray(1, 3), "AgM="],
    ["an ArrayBuffer", new Uint8Array([255]).buffer, "/w=="],
    ["a pattern", /a+/gi, "/a+/gi"],
    ["NaN and infinity", [Number.NaN, Infinity], [null, null]],
    ["undefined, functions and symbols", { a: undefined, b: () => 1, c: Symbol("c"), d: 1n }, { d: "1" }],
    ["a function", () => 1, null],
    ["undefined", undefined, null],
    [
      "an object of a class",
      new (class Point {
        x = 1;
        #y = 2;
        get y() {
          return this.#y;
        }
      })(),
      { x: 1 },
    ],
    ["its own idea of JSON", { toJSON: () => ({ said: 1n }) }, { said: "1" }],
    [
      "an own idea that is itself",
      {
        a: 1n,
        toJSON() {
          return this;
        },
      },
      { a: "1" },
    ],
    [
      "an own idea that throws",
      {
        b: {
          toJSON: () => {
            throw new Error("no");
          },
        },
      },
      { b: "[Unreadable]" },
    ],
    [
      "a getter that throws",
      {
        get bad() {
          throw new Error("no");
        },
        good: 1,
      },
      { bad: "[Unreadable]", good: 1 },
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
      "[Unreadable]",
    ],
    [
      "a Proxy that throws at its prototype",
      {
        p: new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error("no");
            },
          },
        ),
      },
      { p: "[Unreadable]" },
    ],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["half of a character", "\ud800", "\ud800"],
  ])("writes %s", (_, value, expected) => {
    expect(JSON.parse(anyJson(value))).toEqual(expected);
  });

  test("has a bound for the depth", () => {
    expect(anyJson(deep)).toContain('"[Too deep]"');
  });

  test("never throws and is always JSON", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
          withBoxedValues: true,
        }),
        (value) => {
          expect(() => JSON.parse(anyJson(value)) as unknown).not.toThrow();
        },
      ),
    );
  });
});

describe("JSON without its long texts", () => {
  const long = "x".repeat(LEAST_LONG);
  const huge = "y".repeat(128 * 1024 + 1);
  const half = `${long}\ud800`;

  test.each<readonly [string, unknown, readonly string[], readonly string[]]>([
    ["a long text", { a: long, n: 1 }, ['{"a":', ',"n":1}'], [long]],
    ["long texts at any depth, beside short ones", { a: [long, "b", { c: half, d: long }] }, [], [long, long]],
    ["a text by itself", long, ["", ""], [long]],
    ["half of a surrogate pair", { a: half, b: long }, [`{"a":"${long}\\ud800","b":`, "}"], [long]],
    ["a long name", { [long]: long }, [`{"${long}":`, "}"], [long]],
  ])("%s", (_, value, pieces, texts) => {
    const cut = cutJson(value);
    if (typeof cut === "string") throw new Error("It was not cut");
    expect(cut.texts).toEqual(texts);
    if (pieces.length > 0) expect(cut.pieces).toEqual(pieces);
    const whole = cut.pieces.map((piece, at) => piece + (at < texts.length ? JSON.stringify(texts[at]) : ""));
    expect(whole.join("")).toBe(anyJson(value));
  });

  test.each<readonly [string, unknown]>([
    ["short texts", { a: long.slice(1), b: ["c"] }],
    ["a huge text beside a long one", { a: huge, b: long }],
    ["a text that is huge where it stands often", Array.from({ length: 1025 }, () => long)],
    ["an object that is not plain", new Map([["a", long]])],
    ["an object with its own JSON", { a: long, toJSON: () => "own" }],
    ["a number without end", { a: long, b: 1n }],
    ["undefined", undefined],
  ])("stays whole for %s", (_, value) => {
    expect(cutJson(value)).toBe(anyJson(value));
  });
});
