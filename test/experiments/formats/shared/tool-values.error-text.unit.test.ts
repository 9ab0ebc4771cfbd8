import { expect, test } from "vitest";
import {
  errorText,
  errorTextOfAnyTool,
  UNKNOWN_ERROR,
} from "../../../../src/experiments/formats/shared/tool-values.ts";
import { readRow } from "../../../../src/experiments/reading/row-reader.ts";
import type { JsonValue } from "../../../../src/files/json/value.ts";

test.each<[JsonValue, string | undefined, string | undefined]>([
  ["", undefined, undefined],
  [false, undefined, undefined],
  ["broke", "broke", "broke"],
  [{ message: "broke" }, "broke", "broke"],
  [{ type: "E", message: "broke" }, "E: broke", "broke"],
  [{ name: "E", message: "" }, UNKNOWN_ERROR, '{"name":"E","message":""}'],
  [{}, UNKNOWN_ERROR, "{}"],
  [[], UNKNOWN_ERROR, undefined],
  [7, UNKNOWN_ERROR, "7"],
])("of the error %j a tool says %j, and any tool %j", (error, text, ofAny) => {
  expect([errorText(error), errorTextOfAnyTool(error)]).toEqual([text, ofAny]);
});

test.each([
  [UNKNOWN_ERROR, true],
  ["", false],
  [undefined, false],
] as const)("a row is sent with the error %j: %j", (error, hasError) => {
  const { row } = readRow({ place: { file: "r.json", row: 1 }, inputs: {}, scores: [], error });
  expect([row?.hasError, row?.members.includes('"error":')]).toEqual([hasError, hasError]);
});
