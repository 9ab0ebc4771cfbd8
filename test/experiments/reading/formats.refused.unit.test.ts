import { describe, expect, test } from "vitest";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { chooseFormat, FORMATS } from "../../../src/experiments/reading/formats.ts";
import { refuseForeign } from "../../../src/experiments/formats/shared/foreign-file.ts";
import { DataFileError } from "../../../src/files/json/errors.ts";
import { expectedRefusal, refusedNames } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { FIXTURES, fixtureFile } from "../formats/stored-file.ts";

/** What a step says of a file that it does not take. */
async function refusal(name: string): Promise<{ readonly fault: string; readonly advice: string }> {
  try {
    const file = fixtureFile(name);
    refuseForeign(file);
    const { rows } = await readAll(chooseFormat(file, FORMATS), file);
    return { fault: `read, with ${String(rows.length)} rows`, advice: "" };
  } catch (error) {
    if (error instanceof DataFileError) return { fault: error.fault, advice: error.advice ?? "" };
    throw error;
  }
}

describe("a file without rows that a tool wrote", () => {
  test.each(refusedNames("refused"))("%s is refused by what it is, with what to write in its place", async (name) => {
    const { refused, advice } = expectedRefusal("refused", name);
    expect(await refusal(`refused/${name}`)).toEqual({
      fault: expect.stringContaining(refused),
      advice: expect.stringContaining(advice ?? ""),
    });
  });

  test("is known for each of the files that are there", () => {
    const files = readdirSync(join(FIXTURES, "refused"), { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name).filter((name) => name !== "make.md" && name !== "expected.json");
    expect(refusedNames("refused").toSorted()).toEqual(names.toSorted());
  });
});
