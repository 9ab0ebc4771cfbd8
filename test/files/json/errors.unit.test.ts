import { expect, test } from "vitest";
import { DataFileError, placeText } from "../../../src/files/json/errors.ts";
import { FAULT } from "../../../src/files/json/faults.ts";

test("a place is a line where that is exact, else a row, else the file", () => {
  expect(placeText({ file: "r.json", line: 12, row: 3 })).toBe("r.json, line 12");
  expect(placeText({ file: "r.json", row: 3 })).toBe("r.json, row 3");
  expect(placeText({ file: "r.json" })).toBe("r.json");
});

test("a file that ends too early has the advice to look at what wrote it, unless there is a better one", () => {
  for (const fault of [FAULT.cutOff, FAULT.openBracket, FAULT.openString]) {
    expect(new DataFileError({ file: "a" }, fault).advice).toContain("the step that writes the file");
  }
  expect(new DataFileError({ file: "a" }, FAULT.cutOff, { advice: "Do." }).advice).toBe("Do.");
  expect(new DataFileError({ file: "a" }, FAULT.noComma).advice).toBeUndefined();
});
