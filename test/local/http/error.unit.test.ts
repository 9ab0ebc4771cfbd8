import { expect, test } from "vitest";
import { errorCode, HttpError, invalid, notFound, tooLarge } from "../../../src/local/http/error.ts";

test("an error response has its status and its detail", () => {
  expect(notFound("Deployment", "7")).toMatchObject({ status: 404, detail: "Deployment ID 7 not found." });
  expect(tooLarge(10)).toMatchObject({ status: 413, headers: { connection: "close" } });
  const errors = [{ loc: ["body", "name"], msg: "Field required", type: "missing" }];
  expect(invalid(errors)).toMatchObject({ status: 422, detail: errors });
});

test("only an error of the system has a code", () => {
  expect(errorCode(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toBe("ECONNRESET");
  expect([errorCode(new HttpError(404, "x")), errorCode({ code: "X" })]).toEqual([undefined, undefined]);
});
