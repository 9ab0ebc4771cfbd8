import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeReadError, fileErrorCode } from "../../src/files/file-error.ts";

const system = (code: string) => Object.assign(new Error("x"), { code, syscall: "open" });

test("only an error of the file system has a code of it", () => {
  expect(fileErrorCode(Object.assign(new Error("x"), { code: "ERR_INVALID_ARG" }))).toBeUndefined();
  expect(fileErrorCode({ code: "ENOENT", syscall: "open" })).toBeUndefined();
  try {
    readFileSync("/no/such/file");
  } catch (error) {
    expect(fileErrorCode(error)).toBe("ENOENT");
  }
});

test("what is known of a code follows the name of the file, with the code", () => {
  expect(describeReadError(system("EACCES"))).toMatch(/cannot be read by .*\(EACCES\)$/);
  expect(describeReadError(system("EIO"))).toBe("cannot be read (EIO)");
  expect(describeReadError(new TypeError("bug"))).toBeUndefined();
});
