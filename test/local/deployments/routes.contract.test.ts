import { describe, expect, test } from "vitest";
import type { LocalService } from "../../../src/local/index.ts";
import { withService, UNKNOWN_ID, call, create, deployed, places, release, settled, start } from "../caller.ts";

const LINES = ["one", "two", "three", "four"];

async function failed(service: LocalService) {
  const { id } = await create(service);
  service.faults.nextRevision({ end: "BUILD_FAILED", log: LINES });
  const revisionId = await release(service, id);
  await settled(service, id, revisionId);
  return { id, revisionId };
}

const messages = (json: unknown) => (json as { logs: { message: string }[] }).logs.map(({ message }) => message);

describe("the build log", () => {
  withService("has an id, a time and a level for each line", async (service) => {
    const { id, revisionId } = await failed(service);
    const path = `/v1/projects/${id}/revisions/${revisionId}/build_logs`;
    const { json } = await call(service.url, "POST", path, { json: { order: "desc", limit: 1 } });
    expect(json).toEqual({
      logs: [{ id: expect.any(Number), timestamp: expect.stringMatching(/Z$/), level: "ERROR", message: "four" }],
      next_offset: "1",
    });
  });

  test.each([
    [{}, ["one", "two", "three", "four"]],
    [{ order: "desc", limit: 2 }, ["four", "three"]],
    [{ order: "asc", limit: 2, offset: "2" }, ["three", "four"]],
    [{ query: "t" }, ["two", "three"]],
    [{ level: "ERROR" }, ["one", "two", "three", "four"]],
    [{ level: "INFO" }, []],
    [{ limit: null, offset: null, level: null, query: null, start_time: null }, ["one", "two", "three", "four"]],
  ])("is read by both forms of the request, with %j", async (filter, expected) => {
    const service = await start();
    const { id, revisionId } = await failed(service);
    const posted = await call(service.url, "POST", `/v1/projects/${id}/revisions/${revisionId}/build_logs`, {
      json: filter,
    });
    expect(messages(posted.json)).toEqual(expected);
    const query = new URLSearchParams({ type: "build" });
    for (const [name, value] of Object.entries(filter)) if (value !== null) query.set(name, String(value));
    const path = `/v2/deployments/${id}/revisions/${revisionId}/logs?${query}`;
    expect(messages((await call(service.url, "GET", path)).json)).toEqual(expected);
  });

  withService("can be read to its end by the offsets", async (service) => {
    const { id, revisionId } = await failed(service);
    const read = [];
    for (let offset: string | null = "0"; offset !== null;) {
      const path = `/v2/deployments/${id}/revisions/${revisionId}/logs?type=build&limit=3&offset=${offset}`;
      const { json } = await call(service.url, "GET", path);
      read.push(...messages(json));
      offset = (json as { next_offset: string | null }).next_offset;
    }
    expect(read).toEqual(LINES);
  });
});

describe("the deploy log", () => {
  withService("says where the agent answers, per revision and for the one that serves", async (service) => {
    const { id, revisionId, url } = await deployed(service);
    const expected = [`The agent server listens at ${url}.`, "This revision serves now; graphs: agent."];
    for (const path of [`/v1/projects/${id}/revisions/${revisionId}/deploy_logs`, `/v1/projects/${id}/deploy_logs`]) {
      expect(messages((await call(service.url, "POST", path, { json: {} })).json)).toEqual(expected);
    }
  });

  withService("of a deployment that serves nothing is empty", async (service) => {
    const { id } = await create(service);
    expect(messages((await call(service.url, "POST", `/v1/projects/${id}/deploy_logs`)).json)).toEqual([]);
  });
});

describe("requests for logs are rejected", () => {
  withService("for unknown ids, with 404", async (service) => {
    const { id } = await create(service);
    for (const path of [`${UNKNOWN_ID}/revisions/${UNKNOWN_ID}`, `${id}/revisions/${UNKNOWN_ID}`]) {
      expect((await call(service.url, "POST", `/v1/projects/${path}/build_logs`)).status).toBe(404);
      expect((await call(service.url, "GET", `/v2/deployments/${path}/logs?type=build`)).status).toBe(404);
    }
  });

  withService("without a type, and with values that are out of range, with 422", async (service) => {
    const { id, latest_revision_id } = await create(service);
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}/logs`;
    expect(places(await call(service.url, "GET", path))).toEqual(["query.type"]);
    expect(places(await call(service.url, "GET", `${path}?type=build&limit=1001`))).toEqual(["query.limit"]);
    const json = { order: "sideways", level: "LOUD" };
    const reply = await call(service.url, "POST", `/v1/projects/${id}/deploy_logs`, { json });
    expect(places(reply)).toEqual(["body.order", "body.level"]);
  });
});
