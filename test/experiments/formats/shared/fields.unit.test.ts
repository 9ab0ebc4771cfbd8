import { describe, expect, test } from "vitest";
import { Fields } from "../../../../src/experiments/formats/shared/fields.ts";
import type { ValuePlace } from "../../../../src/experiments/formats/shared/ledger.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../../src/files/json/value.ts";
import { silentContext } from "../reading.ts";

function fieldsOf(value: JsonValue, place: ValuePlace = { file: "r.json", line: 2 }) {
  const faults: string[] = [];
  const context = {
    ...silentContext(),
    fault: ({ line, row }: ValuePlace, message: string) => {
      faults.push(`${String(line ?? row)}: ${message}`);
    },
  };
  return { fields: Fields.of(value, place, context, ["id"]), faults, ledger: context.ledger };
}

describe("a field of a record", () => {
  test.each<[JsonValue, number | undefined]>([
    [1.5, 1.5],
    [null, undefined],
    [NOT_A_NUMBER, undefined],
    [new ExactNumber("1.50"), 1.5],
  ])("that is the number %j is %j", (number, value) => {
    const { fields, faults } = fieldsOf({ number });
    expect([fields.number("number"), fields.end(), faults]).toEqual([value, true, []]);
  });

  test("in seconds is read as milliseconds", () => {
    const { fields } = fieldsOf({ seconds: 1.5 });
    expect([fields.milliseconds("seconds"), fields.milliseconds("none")]).toEqual([1500, undefined]);
  });

  test("that is null is as good as absent, but for its value", () => {
    const { fields } = fieldsOf({ a: null });
    expect([fields.text("a"), fields.flag("a"), fields.record("a"), fields.id("a")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([fields.texts("a"), fields.records("a"), fields.values("a")]).toEqual([[], [], []]);
    expect([
      fields.given("a"),
      fields.object("a").text("b"),
      fields.list("a"),
      fields.value("a"),
      fields.value("b"),
    ]).toEqual([undefined, undefined, [], null, undefined]);
    expect(fields.end()).toBe(true);
  });

  test("has two spellings, and the first that is there counts", () => {
    const { fields } = fieldsOf({ a_b: null, aB: "second", c: "first", d: "unread" });
    expect([fields.text("a_b", "aB"), fields.given("a_b", "aB"), fields.text("c", "d")]).toEqual([
      "second",
      "second",
      "first",
    ]);
  });

  test("that names something keeps all digits of a number", () => {
    const { fields } = fieldsOf({ a: new ExactNumber("9007199254740993"), b: 1, c: "c" });
    expect(["a", "b", "c"].map((key) => fields.someId(key))).toEqual(["9007199254740993", 1, "c"]);
    expect(fields.id("b")).toBe(1);
  });

  test.each<[JsonValue, (fields: Fields) => unknown, string]>([
    [{ x: 7 }, (fields) => fields.text("x"), "2: `x` is a number, not a text"],
    [{ x: "true" }, (fields) => fields.flag("x"), "2: `x` is a text, not true or false"],
    [{ x: [1] }, (fields) => fields.record("x"), "2: `x` is a list, not an object"],
    [{ x: new ExactNumber("1e400") }, (fields) => fields.record("x"), "2: `x` is a number, not an object"],
    [{ x: "1" }, (fields) => fields.number("x"), "2: `x` is a text, not a number"],
    [{ x: new ExactNumber("1e400") }, (fields) => fields.number("x"), "2: `x` is a number, not one below 1.8e308"],
    [{ x: ["a", 1] }, (fields) => fields.texts("x"), "2: `x.1` is a number, not a text"],
    [{ x: [null] }, (fields) => fields.records("x"), "2: `x.0` is null, not an object"],
    [{ x: true }, (fields) => fields.list("x"), "2: `x` is true or false, not a list"],
    [
      { x: [{ y: { z: 1 } }] },
      (fields) => fields.list("x")[0]?.object("y").text("z"),
      "2: `x.0.y.z` is a number, not a text",
    ],
    [{}, (fields) => fields.someText("x"), "2: `x` is absent, not a text"],
    [{ x: null }, (fields) => fields.someId("x"), "2: `x` is null, not a text or a number"],
    [{ x: "" }, (fields) => fields.someValues("x"), "2: `x` is an empty text, not a list"],
    [{}, (fields) => fields.someObject("x").someText("y"), "2: `x` is absent, not an object"],
    [{ x: [7] }, (fields) => fields.list("x")[0]?.someObject("y").someText("z"), "2: `x.0` is a number, not an object"],
    [[], (fields) => fields.someText("x"), "2: the row is a list, not an object"],
  ])("that is not what it should be is one error with its path and without the value: %j", (value, read, fault) => {
    const { fields, faults } = fieldsOf(value);
    read(fields);
    read(fields);
    expect([fields.end(), faults]).toEqual([false, [fault]]);
  });

  test("has the path of its place in front", () => {
    const { fields, faults } = fieldsOf({ text: 7 }, { file: "r.json", row: 3, path: "results.2" });
    fields.text("text");
    expect(faults).toEqual(["3: `results.2.text` is a number, not a text"]);
  });
});

test("objects under names that are data are read one by one, and one with an error is left out", () => {
  const { fields, faults } = fieldsOf({ scores: { secret: 1, bad: { value: 1, why: 2 }, good: { value: 1, x: 1 } } });
  const read = fields.entries("scores", [], (score, name) => [name, score.value("value"), score.text("why")]);
  expect(read).toEqual([["good", 1, undefined]]);
  expect(faults).toEqual(["2: `scores` is a number, not an object", "2: `scores.why` is a number, not a text"]);
  expect([fields.end(), fieldsOf({}).fields.entries("scores", [], () => 1)]).toEqual([true, []]);
});

test("what was not asked for is in the ledger with the keys above it, unless it is left out on purpose", () => {
  const value = { id: 1, x: 1, whole: { y: 1 }, one: { y: 1, z: 1 }, many: [{ y: 1 }, { y: 1, w: 1 }], none: null };
  const { fields, ledger } = fieldsOf(value, { file: "r.json", path: "rows.0" });
  fields.value("whole");
  fields.object("one", ["z"]).value("none");
  fields.given("one");
  for (const each of fields.list("many")) each.value("w");
  fields.value("x");
  expect(ledger.unread).toEqual([]);
  expect(fields.end()).toBe(true);
  expect([ledger.unread, ledger.leftOut]).toEqual([
    ["rows.one.y", "rows.many.y"],
    ["rows.id", "rows.one.z"],
  ]);
});

test("an object that is absent has no fields, and what its reader needs of them is no error", () => {
  const { fields, faults } = fieldsOf({ a: null });
  const absent = fields.object("a");
  expect([absent.isThere, absent.someText("b"), absent.someObject("c").isThere]).toEqual([false, "", false]);
  expect([fields.isSound, faults]).toEqual([true, []]);
});

test("an item that is null is an error, but where a list may have gaps", () => {
  const { fields, faults } = fieldsOf({ sure: [null], gapped: [null, { a: "b" }, 7] });
  fields.list("sure");
  const gapped = fields.list("gapped", [], { hasGaps: true });
  expect(gapped.map((each) => each.text("a"))).toEqual([undefined, "b", undefined]);
  expect(faults).toEqual(["2: `sure.0` is null, not an object", "2: `gapped.2` is a number, not an object"]);
});

test("a reader can say itself what it did not ask for", () => {
  const { fields } = fieldsOf({ a: 1, b: null });
  fields.number("a");
  expect([fields.others, fields.isSound]).toEqual([[["b", null]], true]);
});

test("a record with an error says nothing of what is not read", () => {
  const { fields, ledger } = fieldsOf({ a: 1, b: 2 });
  fields.text("a");
  expect([fields.end(), ledger.unread]).toEqual([false, []]);
});
