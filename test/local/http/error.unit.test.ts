import { expect, test } from "vitest";
import {
  errorCode,
  HttpError,
  invalid,
  noRoom,
  notFound,
  toHttpError,
  tooLarge,
} from "../../../src/local/http/error.ts";

test("an error response has its status and its detail", () => {
  const lost = expect.objectContaining({ status: 404, detail: "Deployment ID 7 not found." });
  expect(() => notFound("Deployment", "7")).toThrow(lost);
  expect(tooLarge(10)).toMatchObject({ status: 413, headers: { connection: "close" } });
  const errors = [{ loc: ["body", "name"], msg: "Field required", type: "missing" }];
  expect(invalid(errors)).toMatchObject({ status: 422, detail: errors });
});

test("only an error of the system has a code", () => {
  expect(errorCode(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toBe("ECONNRESET");
  expect([errorCode(new HttpError(404, "x")), errorCode({ code: "X" })]).toEqual(["", ""]);
});

const FULL = "its disk is full";
const LIMITED = "its disk takes no more: it may be full, or over a quota or a limit";

test.each([
  [{ code: "ENOSPC" }, FULL],
  [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, FULL],
  [{ code: "EDQUOT" }, LIMITED],
  [{ code: "EFBIG" }, LIMITED],
  [{ code: "ERR_SQLITE_ERROR", errcode: 778 }, LIMITED],
  [{ code: "ERR_SQLITE_ERROR", errcode: 1034 }, LIMITED],
])("a write that found no room is told to the client: %j", (facts, reason) => {
  const error = Object.assign(new Error("internal"), facts);
  expect(noRoom(error)).toBe(reason);
  expect(toHttpError(error)).toMatchObject({
    status: 507,
    detail: `The local service stored nothing of this, because ${reason}. Free some space and try again.`,
  });
});

test.each([{ code: "EIO" }, { code: "ERR_SQLITE_ERROR", errcode: 11 }, { code: "ERR_SQLITE_ERROR", errcode: 5 }, {}])(
  "any other error is not: %j",
  (facts) => {
    const error = Object.assign(new Error("internal"), facts);
    expect([noRoom(error), toHttpError(error)]).toEqual(["", undefined]);
    expect(noRoom(facts)).toBe("");
  },
);

test("an error response stays as it is", () => {
  const error = new HttpError(404, "x");
  expect(toHttpError(error)).toBe(error);
});
