import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  saysNothing,
} from "../../../src/files/json/value.ts";
import { SkimMembers, type SkimPlan } from "../../../src/files/json/skim-plan.ts";
import { skimJson as skimAt } from "../../../src/files/json/skim.ts";

function skimJson(bytes: Buffer, plan: SkimMembers): JsonValue | undefined {
  const { value, end } = skimAt(bytes, plan) ?? {};
  // Its end is told, whatever stands around it.
  expect(skimAt(Buffer.from(`[${bytes.toString()},`), plan, 1)).toEqual(
    value === undefined ? undefined : { value, end: Number(end) + 1 },
  );
  return end === bytes.length ? value : undefined;
}

const PLANS: ReadonlyMap<string, SkimPlan> = new Map<string, SkimPlan>([
  ["sign", "sign"],
  ["blank", "blank"],
  ["below", new SkimMembers((key) => PLANS.get(key) ?? "sign")],
  ["list", { item: new SkimMembers((key) => PLANS.get(key) ?? "whole") }],
]);
const PLAN = new SkimMembers((key) => PLANS.get(key) ?? "whole");
const LONG = '"a text as long as it takes to be cut out" {}[]:,\\';

const key = fc.constantFrom("sign", "blank", "below", "list", "whole", "sigm", "é", "", "__proto__", "1");
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, "", LONG, '"', "\\", "é😀", 0.1, 0.30000000000000004, -3, 1e21, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** True where a value is what a plan leaves of another, or all of it, which short ones keep. */
function isLeft(skimmed: JsonValue, value: JsonValue, plan: SkimPlan): boolean {
  if (plan === "sign") {
    const left = saysNothing(value) ? null : 1;
    return skimmed === left || (JSON.stringify(value).length < 60 && same(skimmed, value));
  }
  if (plan === "blank" && typeof value === "string") return skimmed === "";
  if (plan instanceof SkimMembers && isJsonObject(value)) {
    if (!isJsonObject(skimmed)) return false;
    const names = Object.keys(value);
    return (
      same(names, Object.keys(skimmed)) &&
      names.every((name) => isLeft(skimmed[name] ?? null, value[name] ?? null, planOf(plan, name)))
    );
  }
  if (typeof plan === "object" && "item" in plan && isJsonList(value)) {
    return isJsonList(skimmed) && value.every((item, at) => isLeft(skimmed[at] ?? null, item, plan.item));
  }
  return same(skimmed, value);
}

function planOf(plan: SkimMembers, name: string): SkimPlan {
  const bytes = Buffer.from(name);
  return plan.of(bytes, 0, bytes.length) ?? "whole";
}

function same(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

test("an object keeps what its plan wants, and of the rest whether it says something", () => {
  const members = fc.array(fc.tuple(key, json), { maxLength: 6 }).map((all): JsonObject => Object.fromEntries(all));
  fc.assert(
    fc.property(members, fc.nat(2), (whole, space) => {
      const skimmed = skimJson(Buffer.from(JSON.stringify(whole, undefined, space)), PLAN);
      expect(skimmed !== undefined && isLeft(skimmed, whole, PLAN)).toBe(true);
    }),
  );
});

test("what is passed over is not parsed", () => {
  expect(skimJson(Buffer.from('{"sign":{"a":tru,"b":1,"b":2,"c":"\u0001"},"x":1}'), PLAN)).toEqual({ sign: 1, x: 1 });
  expect(skimJson(Buffer.from(String.raw`{"blank":"\x","sign":[                                ]}`), PLAN)).toEqual({
    blank: "",
    sign: null,
  });
});

test.each([
  ["that is no object", "[1]"],
  ["that is cut", '{"a":1'],
  ["that is cut in what is passed over", '{"sign":{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1'],
  ["that has more behind it", '{"a":1} 1'],
  ["without a colon", '{"a" 1}'],
  ["without a comma", '{"a":1 "b":2}'],
  ["with a comma too many", '{"a":1,}'],
  ["with another bracket", '{"a":[1}]}'],
  ["with a key that is none", "{a:1}"],
  ["with a key that has an escape", String.raw`{"s\u0069gn":1}`],
  ["with a word that JSON has not", '{"a":NaN}'],
  ["with a word that is none", '{"a":tru}'],
  ["with a key twice", '{"a":1,"a":2}'],
  ["with a key twice below", '{"a":{"b":[{"c":1,"c":2}]}}'],
  ["with a key twice, one of them passed over", '{"sign":{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1},"sign":1}'],
  ["with more digits than a double holds", '{"a":0.12345678901234567890}'],
  ["with a number beyond a double", '{"a":1e999}'],
  ["with a number that is none in a double", '{"a":1e-999}'],
  ["that is deep", `{"a":${"[".repeat(200)}${"]".repeat(200)}}`],
])("a text is left to the parser %s", (_, text) => {
  expect(skimJson(Buffer.from(text), PLAN)).toBeUndefined();
});

test("very many keys are told apart, and those that are alike in length and some letters", () => {
  const plan = new SkimMembers((name) => (Number(name.slice(1, -1)) % 2 === 0 ? "blank" : "whole"));
  const names = Array.from({ length: 3_000 }, (_, at) => `k${String(at).padStart(5, "0")}k`);
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, "x"])));
  for (let round = 0; round < 2; round++) {
    const skimmed = skimJson(Buffer.from(text), plan);
    expect(skimmed).toEqual(Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? "" : "x"])));
  }
});
