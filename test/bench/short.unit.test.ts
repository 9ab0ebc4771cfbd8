import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bench, type Claim } from "../../bench/options.ts";
import { claimTable, short } from "../../bench/short.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

const MET: Claim = { what: "packing", ratio: 0.5, most: 0.8 };
const MISSED: Claim = { what: "reading", ratio: 0.9, most: 0.8 };
const UNKNOWN: Claim = { what: "sending", ratio: undefined, most: 0.8 };

const withClaims = (...claims: readonly Claim[]) =>
  bench(
    "x",
    {},
    async () => undefined,
    async () => claims,
  );
const broken = bench(
  "y",
  {},
  async () => undefined,
  () => Promise.reject(new Error("no tar")),
);
const without = bench("z", {}, async () => undefined);

test.each([
  ["all are met", [withClaims(MET), without], 0],
  ["one is missed", [withClaims(MET, MISSED)], 4],
  ["one is missed, and one could not be measured", [broken, withClaims(MISSED, UNKNOWN)], 4],
  ["one could not be measured", [withClaims(MET), broken], 1],
  ["one is unknown here", [withClaims(MET, UNKNOWN)], 1],
  ["there are none", [without], 1],
])("where %s", async (_, benches, code) => {
  expect(await short(benches)).toBe(code);
});

test("a ratio that is no number is not a ratio below the limit", () => {
  expect(claimTable([{ ...MET, ratio: Number.NaN }])[2]).toMatch(/unknown$/);
});

test("the table says what was missed", () => {
  expect(claimTable([MET, MISSED, UNKNOWN]).map((line) => line.replace(/ {2,}/g, " | "))).toEqual([
    "CPU time, as a share of the other's | ratio | at most",
    expect.any(String),
    "packing | 0.50 | 0.80 | met",
    "reading | 0.90 | 0.80 | MISSED",
    "sending | – | 0.80 | unknown",
  ]);
});
