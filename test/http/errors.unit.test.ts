import { expect, test } from "vitest";
import {
  codeAfter,
  hasStatus,
  HttpStatusError,
  InvalidResponseError,
  isMissingEndpoint,
  isTransient,
  mayHaveBeenProcessed,
  NetworkError,
  RedirectError,
  TimeoutError,
} from "../../src/http/errors.ts";

const target = "GET https://host.example/x";
const status = (code: number) => new HttpStatusError(code, [], { target });

test.each<[string, unknown, boolean, boolean]>([
  ["408", status(408), true, true],
  ["425", status(425), true, false],
  ["429", status(429), true, false],
  ["500", status(500), true, true],
  ["404", status(404), false, false],
  ["401", status(401), false, false],
  [
    "a connection that was cut",
    new NetworkError("ECONNRESET", "cut", { target, mayHaveBeenProcessed: true }),
    true,
    true,
  ],
  [
    "one that was refused",
    new NetworkError("ECONNREFUSED", "no", { target, mayHaveBeenProcessed: false }),
    true,
    false,
  ],
  ["a timeout", new TimeoutError(1, { target, mayHaveBeenProcessed: true }), true, true],
  ["a response that is not of the API", new InvalidResponseError("HTML", { target }), true, true],
  ["a redirect", new RedirectError(301, "other.example", { target }), false, false],
  ["a bug", new TypeError("x"), false, false],
])("%s may pass by itself, and may have been processed", (_what, error, passes, processed) => {
  expect([isTransient(error), mayHaveBeenProcessed(error)]).toEqual([passes, processed]);
});

test("a rejected credential keeps its code, whatever it ends", () => {
  expect([status(401).code, status(403).code]).toEqual(["UNAUTHORIZED", "HTTP_STATUS"]);
  expect([codeAfter(status(401), "PLAN"), codeAfter(status(500), "PLAN"), codeAfter(undefined, "PLAN")]).toEqual([
    ...["UNAUTHORIZED", "PLAN"],
    "PLAN",
  ]);
});

test("a service without an endpoint says so in three ways", () => {
  expect([404, 405, 501, 400, 500].map((code) => isMissingEndpoint(status(code)))).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  expect(hasStatus(new Error("404"), 404)).toBe(false);
});
