import { describe, expect, test } from "vitest";
import type { ResultFormat } from "../../../../src/experiments/format.ts";
import { evalite } from "../../../../src/experiments/formats/evalite.ts";
import { inspect } from "../../../../src/experiments/formats/inspect.ts";
import { jest } from "../../../../src/experiments/formats/jest.ts";
import { junit } from "../../../../src/experiments/formats/junit.ts";
import { vitest } from "../../../../src/experiments/formats/vitest.ts";
import { storedFile, fixtureFile, fixtureNames } from "./stored-file.ts";

const FORMATS: readonly ResultFormat[] = [evalite, inspect, jest, junit, vitest];

describe("each format of a test runner or of an evaluation log", () => {
  // A file in UTF-16 is refused before any format sees it.
  const names = fixtureNames().filter((name) => !name.includes("utf-16"));

  test.each(names)("knows its own in %s, and nothing else", (name) => {
    const file = fixtureFile(name);
    const own = FORMATS.filter((format) => name.startsWith(`${format.name}/`)).map((format) => format.name);
    expect(FORMATS.filter((format) => format.detect(file)).map((format) => format.name)).toEqual(own);
  });

  test.each([
    ["nothing", ""],
    ["a list of numbers", "[1,2,3]"],
    ["a package.json", '{"name":"x","version":"1.0.0","jest":{"testResults":[]}}'],
    ["a page", "<!doctype html><html><testsuite></testsuite></html>"],
    ["a zip of something else", "PK\u0003\u0004 word/document.xml"],
    ["words of a report in a text", "numTotalTests, testResults"],
  ])("does not take %s for its own", (_, content) => {
    const file = storedFile(content);
    expect(FORMATS.filter((format) => format.detect(file))).toEqual([]);
  });
});
