import { expect, test } from "vitest";
import * as z from "zod";
import type { HttpCall } from "../../../src/local/http/call.ts";
import { HttpError } from "../../../src/local/http/error.ts";
import { offsetParam, pageLimit, param, readQuery, route, type Route } from "../../../src/local/http/router.ts";

const ID = "0F8FAD5B-D9CB-469F-A165-70867728950E";
const answering = (method: string, path: string): Route => ({
  method,
  path,
  handle: (_call, params) => ({
    status: 200,
    json: { path, id: param(params, "run_id"), name: param(params, "name") },
  }),
});
const ROUTES = [
  ...[answering("GET", "/runs"), answering("GET", "/runs/:run_id"), answering("PATCH", "/runs/:run_id")],
  ...[answering("GET", "/named/:name")],
];
const ask = (method: string, path: string) => route(ROUTES, { method } as HttpCall, path);

test("the parts of a path are known by their names, and an id is in lower case", async () => {
  expect(await ask("GET", `/runs/${ID}`)).toMatchObject({ json: { path: "/runs/:run_id", id: ID.toLowerCase() } });
  expect(await ask("GET", "/named/Ab")).toMatchObject({ json: { name: "Ab" } });
});

test.each([
  ["GET", "/nowhere", 404],
  ["GET", "/runs/", 404],
  ["GET", `/runs/${ID}/more`, 404],
  ["POST", "/runs", 405],
  ["GET", "/runs/7", 422],
  ["DELETE", "/runs/7", 405],
])("%s %s is a %d", async (method, path, status) => {
  await expect(ask(method, path)).rejects.toMatchObject({ status });
});

test("a 405 names the methods that there are", async () => {
  await expect(ask("POST", `/runs/${ID}`)).rejects.toMatchObject({ headers: { allow: "GET, PATCH" } });
});

test("a query has its defaults and its bounds, and other names do not matter", () => {
  const Page = z.object({ limit: pageLimit(20, 100), offset: offsetParam });
  expect(readQuery(Page, new URLSearchParams("offset=3&x=y"))).toEqual({ limit: 20, offset: 3 });
  for (const query of ["limit=0", "limit=101", "offset=-1", "offset=1.5", "limit=x"]) {
    expect(() => readQuery(Page, new URLSearchParams(query))).toThrow(HttpError);
  }
});
