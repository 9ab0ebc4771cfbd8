import { expect, test } from "vitest";
import * as z from "zod";
import { Ledger } from "../../../../src/experiments/formats/shared/ledger.ts";
import type { FormatContext } from "../../../../src/experiments/formats/shared/format.ts";
import {
  booleanField,
  numberField,
  objectField,
  readShape,
  textField,
  type ShapePlace,
} from "../../../../src/experiments/formats/shared/shape.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../../src/files/json/value.ts";

const Row = z.object({ text: textField, flag: booleanField.optional(), object: objectField, number: numberField });

function read(value: JsonValue, place: ShapePlace = { file: "r.json", line: 2 }) {
  const faults: string[] = [];
  const context: FormatContext = {
    ...{
      mapping: undefined,
      workspace: "/",
      takesVerbatim: false,
      isFaulty: () => false,
      numbersOnly: () => undefined,
    },
    ...{ describeRun: () => {}, columns: () => {}, ledger: new Ledger(), warn: () => {} },
    fault: ({ line, row }, message) => faults.push(`${String(line ?? row)}: ${message}`),
  };
  return { shape: readShape(Row, value, place, context), faults };
}

test.each<[JsonValue, number | undefined]>([
  [1.5, 1.5],
  [null, undefined],
  [NOT_A_NUMBER, undefined],
  [new ExactNumber("1.50"), 1.5],
])("the number %j is %j", (number, value) => {
  expect(read({ number })).toMatchObject({ shape: { number: value }, faults: [] });
});

test.each<[JsonValue, string]>([
  [{ text: 7 }, "2: `text` is a number, not a text"],
  [{ flag: "true" }, "2: `flag` is a text, not true or false"],
  [{ object: [1] }, "2: `object` is a list, not an object"],
  [{ object: new ExactNumber("1e400") }, "2: `object` is a number, not an object"],
  [{ number: "1" }, "2: `number` is a text, not a number"],
  [{ number: new ExactNumber("1e400") }, "2: `number` is a number, not one below 1.8e308"],
  [[], "2: the row is a list, not an object"],
])("%j is a fault that names the field and the kind, not the value", (value, fault) => {
  expect(read(value)).toEqual({ shape: undefined, faults: [fault] });
});

test("a place with a path puts it before the field", () => {
  expect(read({ text: 7 }, { file: "r.json", row: 3, path: "results.2" }).faults).toEqual([
    "3: `results.2.text` is a number, not a text",
  ]);
});
