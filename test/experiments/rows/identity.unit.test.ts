import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonValue } from "../../../src/files/json/parsed-value.ts";
import { caseKey, rowId, type RowIdentity } from "../../../src/experiments/rows/identity.ts";
import { canonicalJson } from "../../../src/text/canonical-json.ts";

const CASE: RowIdentity = { dataset: "qa-set", id: "case-1", inputs: {}, expected: undefined, repetition: 0 };
const parse = (text: string) => parseJsonValue(Buffer.from(text), { file: "x.json" });

describe("the id of a row", () => {
  test("follows from the dataset and the id of the case", () => {
    expect(rowId(CASE)).toBe("0f84ba2f-b6d8-5970-aec8-a27e6617a463");
  });

  test("follows from inputs and expected outputs where there is no id", () => {
    const inputs = { b: 2, a: "naïve 日本" };
    expect(rowId({ ...CASE, id: undefined, inputs })).toBe("3ac5f9a4-88c1-5b47-824b-1ff4d0c03661");
  });

  test("counts repetitions from the second one", () => {
    expect(rowId({ ...CASE, repetition: 1 })).toBe("b1a12c17-6261-519c-be56-ae8936cce672");
  });

  test("is the uuid of the source, which repetitions do not share", () => {
    const id = "0F8FAD5B-D9CB-469F-A165-70867728950E";
    expect(rowId({ ...CASE, id })).toBe(id.toLowerCase());
    expect(rowId({ ...CASE, id, repetition: 1 })).not.toBe(id.toLowerCase());
  });

  test("distinguishes an id that is a number from one that is a text", () => {
    expect(rowId({ ...CASE, id: 1 })).not.toBe(rowId({ ...CASE, id: "1" }));
  });

  test("is the same whatever the order of the keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (object) => {
        const text = JSON.stringify(object);
        const entries = Object.entries(JSON.parse(text) as object).reverse();
        const reversed = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
        expect(canonicalJson(parse(reversed))).toBe(canonicalJson(parse(text)));
        expect(JSON.parse(canonicalJson(parse(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("keeps the digits of a large number, and writes what is no number as null", () => {
    expect(canonicalJson(parse('{"n": 9007199254740993, "m": NaN}'))).toBe('{"m":null,"n":9007199254740993}');
  });
});

describe("the key of a case", () => {
  const OWN = "0f8fad5b-d9cb-469f-a165-70867728950e";

  const keyOf = (given: Partial<RowIdentity>, source: Parameters<typeof caseKey>[1] = {}) => {
    const identity = { ...CASE, ...given };
    return caseKey({ ...identity, rowId: rowId(identity) }, source);
  };

  test("is the id of its first repetition", () => {
    for (const repetition of [0, 3]) {
      expect(keyOf({ repetition })).toBe(rowId(CASE));
      expect(keyOf({ repetition }, { repetition })).toBe(rowId(CASE));
      expect(keyOf({ id: undefined, repetition })).toBe(rowId({ ...CASE, id: undefined }));
      expect(keyOf({ id: OWN, repetition }, { namesCase: true, metadata: { case_id: "a" } })).toBe(OWN);
    }
  });

  test("of a row with a UUID of its own is that of the case that its metadata name", () => {
    const key = (metadata?: Readonly<Record<string, string | number>>) => keyOf({ id: OWN }, { metadata });
    expect(key()).toBe(OWN);
    expect(key({ case_id: "case-1", repetition: 2 })).toBe(rowId(CASE));
    expect(key({ case_id: 7 })).toBe(rowId({ ...CASE, id: 7 }));
    expect(key({ case_id: "" })).toBe(OWN);
    expect(key({ repetition: 2 })).toBe(rowId({ ...CASE, id: undefined }));
  });
});
