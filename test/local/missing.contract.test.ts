import { describe, expect, test } from "vitest";
import { MISSING_ENDPOINTS } from "../../src/local/missing.ts";
import { call, start, UNKNOWN_ID } from "./caller.ts";
import { uploaded } from "./experiment-caller.ts";

const ENDPOINTS = MISSING_ENDPOINTS.flatMap(({ missing, because }) =>
  missing.map((pattern) => {
    const [path = "", method = "GET"] = pattern.split(" ").toReversed();
    return { method, path: path.replace(/\{\w+\}/g, UNKNOWN_ID), because };
  }),
);

describe("what public clients request and the local service does not serve", () => {
  test.each(ENDPOINTS)("is refused with the way to go: $method $path", async ({ method, path, because }) => {
    const service = await start();
    for (const prefix of ["", "/api/v1", "/api/v2", "/api-host"]) {
      const reply = await call(service.url, method, prefix + path, method === "GET" ? {} : { json: {} });
      expect(reply).toMatchObject({
        status: 404,
        json: { detail: expect.stringMatching(/^The local service does not serve [a-z ]+\. /) as string },
      });
      expect(reply.text).toContain(because);
    }
  });

  test("needs the key first", async () => {
    const service = await start({ apiKey: "key-1" });
    expect((await call(service.url, "GET", "/examples")).status).toBe(401);
  });

  test("is nothing that it does serve", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const { dataset, experiment } = await uploaded(service);
    for (const path of [
      "/sessions",
      `/sessions/${experiment.id}`,
      "/datasets",
      `/datasets/${dataset.id}`,
      `/datasets/${dataset.id}/experiments`,
      `/experiments/${experiment.id}/rows`,
      "/runs?session=none",
    ]) {
      expect((await call(service.url, "GET", path)).text).not.toContain("does not serve");
    }
  });
});
