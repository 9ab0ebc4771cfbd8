import { describe, expect, test } from "vitest";
import type { ErrorOptionsWithAdvice } from "../../src/contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../../src/files/file-faults.ts";
import { DataFileError } from "../../src/files/json/errors.ts";

class ThingsError extends FilesError {
  readonly code = "RESULTS";
}

const collect = () =>
  new FileFaults({
    name: "The things",
    error: (sentence: string, faults: readonly FileFault[], count: number, options: ErrorOptionsWithAdvice) =>
      new ThingsError(sentence, faults, count, options),
  });

function thrown(faults: FileFaults): ThingsError {
  try {
    faults.throwIfAny();
  } catch (error) {
    if (error instanceof ThingsError) return error;
    throw error;
  }
  throw new Error("there were no faults");
}

describe("the faults of files", () => {
  test("are no error where there are none", () => {
    collect().throwIfAny();
  });

  test("are one sentence with its place where there is one", () => {
    const faults = collect();
    faults.add({ file: "r.json", line: 2 }, "`score` is a text");
    expect(thrown(faults)).toMatchObject({
      message: "r.json, line 2: `score` is a text.",
      reasons: ["FILE_CONTENT"],
      count: 1,
    });
  });

  test("are counted, and the first twenty are kept", () => {
    const faults = collect();
    for (let line = 1; line <= 25; line++) faults.add({ file: "r.json", line }, "is wrong");
    const error = thrown(faults);
    expect([error.count, error.faults.length, faults.count]).toEqual([25, 20, 25]);
    expect(error.message).toContain("25 errors");
    expect(error.message).toContain("5 more");
  });

  test("have the advice of the first, and the reasons of all", () => {
    const faults = collect();
    faults.add({ file: "a" }, "x", { advice: "Do a.", reasons: ["NO_SCORES"] });
    faults.add({ file: "b" }, "y", { advice: "Do b.", reasons: ["CONFIG_MISSING"] });
    expect(thrown(faults)).toMatchObject({ advice: "Do a.", reasons: ["NO_SCORES", "CONFIG_MISSING"] });
  });

  test("take the advice of a file that cannot be read where nothing came before it", () => {
    const faults = collect();
    faults.addFile(new DataFileError({ file: "a" }, "the file is empty", { advice: "Fill it." }));
    expect(thrown(faults)).toMatchObject({ message: "a: the file is empty.", advice: "Fill it." });
  });
});
