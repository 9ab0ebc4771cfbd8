import { expect, test } from "vitest";
import { native } from "../../../src/experiments/formats/native.ts";
import { refusalOf } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

test("a body is seen whose list comes behind more than is looked at", () => {
  const long = `{"experiment_start_time":"2026-05-04T10:00:00Z","experiment_metadata":{"x":"${"x".repeat(300_000)}"}`;
  expect(native.detect(storedFile(`${long},"results":[]}`))).toBe(true);
});

test("a row that is nested too deep is refused", async () => {
  const deep = `{"a":${"[".repeat(1001)}${"]".repeat(1001)}}`;
  const file = storedFile(`{"experiment_name":"x","results":[{"inputs":${deep}}]}`);
  expect(await refusalOf(native, file)).toMatch("nested more");
});
