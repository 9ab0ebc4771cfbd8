import { expect, test } from "vitest";
import * as z from "zod";
import { NO_QUERY, offsetParam, pageLimit } from "../../../src/contract/operations/operation.ts";
import type { HttpCall } from "../../../src/local/http/call.ts";
import { HttpError } from "../../../src/local/http/error.ts";
import { readQuery, route, serve } from "../../../src/local/http/router.ts";

const ID = "0F8FAD5B-D9CB-469F-A165-70867728950E";
const DEPLOYMENT = "/deployments/{deployment_id}";
const RUN = "/runs/{run_id}";
const ROUTES = [
  serve({ method: "GET", path: "/deployments", query: NO_QUERY }, () => ({ status: 200 })),
  ...(["GET", "PATCH"] as const).map((method) =>
    serve({ method, path: DEPLOYMENT, query: NO_QUERY }, ({ param }) => ({
      status: 200,
      json: param("deployment_id"),
    })),
  ),
  serve({ method: "GET", path: RUN, query: NO_QUERY }, ({ param }) => ({ status: 200, json: param("run_id") })),
];
const ask = (method: string, path: string) => route(ROUTES, { method } as HttpCall, path);

test("the parts of a path are known by their names; a UUID is in lower case, and an id that clients choose is as sent", async () => {
  expect(await ask("GET", `/deployments/${ID}`)).toMatchObject({ json: ID.toLowerCase() });
  expect(await ask("GET", "/runs/Ab")).toMatchObject({ json: "Ab" });
});

test.each([
  ["GET", "/nowhere", 404],
  ["GET", "/deployments/", 404],
  ["GET", `/deployments/${ID}/more`, 404],
  ["POST", "/deployments", 405],
  ["GET", "/deployments/7", 422],
  ["DELETE", "/deployments/7", 405],
])("%s %s is a %d", async (method, path, status) => {
  await expect(ask(method, path)).rejects.toMatchObject({ status });
});

test("a 405 names the methods that there are", async () => {
  await expect(ask("POST", `/deployments/${ID}`)).rejects.toMatchObject({ headers: { allow: "GET, PATCH" } });
});

test("a query has its defaults and its bounds, and other names do not matter", () => {
  const Page = z.object({ limit: pageLimit(20, 100), offset: offsetParam });
  expect(readQuery(Page, new URLSearchParams("offset=3&x=y"))).toEqual({ limit: 20, offset: 3 });
  for (const query of ["limit=0", "limit=101", "offset=-1", "offset=1.5", "limit=x"]) {
    expect(() => readQuery(Page, new URLSearchParams(query))).toThrow(HttpError);
  }
});
