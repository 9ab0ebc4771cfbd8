import { describe, expect, test } from "vitest";
import { withService, IMAGE_CREATE, SOURCE_CREATE, call, create, deployed, patch, places, start } from "../caller.ts";

const LIST = "/v2/deployments";
const names = (json: unknown) => (json as { resources: { name: string }[] }).resources.map(({ name }) => name);

describe("the list of deployments", () => {
  withService("is paged: 20 at a time, the offset of the next page beside it", async (service) => {
    for (let index = 0; index < 23; index += 1) await create(service, { ...SOURCE_CREATE, name: `agent-${index}` });
    const first = await call(service.url, "GET", LIST);
    expect(names(first.json)).toHaveLength(20);
    expect(first.json).toMatchObject({ offset: 20 });
    const second = await call(service.url, "GET", `${LIST}?offset=20`);
    expect(names(second.json)).toHaveLength(3);
    expect(new Set([...names(first.json), ...names(second.json)]).size).toBe(23);
    expect(names((await call(service.url, "GET", `${LIST}?limit=100`)).json)).toHaveLength(23);
  });

  test("is filtered by exact name, by a part of it, and by both; an empty part is no filter", async () => {
    const service = await start();
    for (const name of ["app", "app-two", "my-app", "other"]) await create(service, { ...SOURCE_CREATE, name });
    const find = async (query: string) => names((await call(service.url, "GET", `${LIST}?${query}`)).json);
    expect(await find("name=app")).toEqual(["app"]);
    expect(await find("name_contains=app")).toEqual(["my-app", "app-two", "app"]);
    expect(await find("name=app&name_contains=app&limit=100&offset=0")).toEqual(["app"]);
    expect(await find("name=nobody")).toEqual([]);
    expect(await find("name_contains=")).toHaveLength(4);
    expect(await find("name_contains=%25")).toEqual([]);
    expect(await find("something=else")).toHaveLength(4);
  });

  test.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "offset=-1"])("answers 422 to %s", async (query) => {
    const service = await start();
    const reply = await call(service.url, "GET", `${LIST}?${query}`);
    expect(reply.status).toBe(422);
    expect(places(reply)).toEqual([`query.${query.split("=")[0]}`]);
  });

  withService("shows a new deployment late when it lags behind", async (service) => {
    service.faults.conditions.listLagMilliseconds = 60_000;
    const { id } = await create(service);
    expect(names((await call(service.url, "GET", LIST)).json)).toEqual([]);
    expect((await call(service.url, "GET", `${LIST}/${id}`)).status).toBe(200);
    service.faults.clear();
    expect(names((await call(service.url, "GET", LIST)).json)).toHaveLength(1);
  });
});

describe("a name", () => {
  withService("can be taken once: the second create answers 409", async (service) => {
    await create(service);
    const reply = await call(service.url, "POST", LIST, { json: SOURCE_CREATE });
    expect(reply).toMatchObject({ status: 409, json: { detail: expect.stringContaining("support-agent") } });
    expect(service.deployments()).toHaveLength(1);
  });

  withService("is taken by one of two creates at the same time", async (service) => {
    const post = () => call(service.url, "POST", LIST, { json: SOURCE_CREATE });
    const replies = await Promise.all([post(), post(), post()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  withService("cannot be changed, and is free again after a delete", async (service) => {
    const { id } = await create(service);
    expect(places(await patch(service, id, { name: "other" }))).toEqual(["body.name"]);
    await call(service.url, "DELETE", `${LIST}/${id}`);
    expect((await create(service)).id).not.toBe(id);
  });
});

describe("a partial update", () => {
  withService("keeps the settings that it does not name", async (service) => {
    const { id } = await create(service, {
      ...IMAGE_CREATE,
      source_config: { resource_spec: { cpu: 1 }, build_on_push: null },
      secrets: [{ name: "A", value: "1" }],
    });
    await patch(service, id, { source_config: { install_command: "npm ci" } });
    expect(service.deployments()[0]).toMatchObject({
      source_config: { resource_spec: { cpu: 1 }, install_command: "npm ci" },
      secrets: [{ name: "A" }],
    });
    await patch(service, id, { secrets: [{ name: "B", value: "2" }] });
    expect(service.deployments()[0]?.secrets).toEqual([{ name: "B", value: null }]);
  });

  withService("that breaks a rule changes nothing", async (service) => {
    const { id } = await create(service);
    const before = service.deployments();
    const reply = await patch(service, id, {
      source_config: { install_command: "npm ci" },
      source_revision_config: { repo_ref: "main" },
    });
    expect(reply.status).toBe(422);
    expect(service.deployments()).toEqual(before);
  });

  withService("is answered with an empty body by 422", async (service) => {
    const { id } = await create(service);
    expect((await call(service.url, "PATCH", `${LIST}/${id}`)).status).toBe(422);
    expect(places(await patch(service, id, []))).toEqual(["body"]);
  });
});

describe("a delete", () => {
  withService("answers 204, and the deployment, its revisions and its agent are gone", async (service) => {
    const { id, revisionId, url } = await deployed(service);
    expect(await call(service.url, "DELETE", `${LIST}/${id}`)).toMatchObject({ status: 204, text: "" });
    expect((await call(service.url, "GET", `${LIST}/${id}`)).status).toBe(404);
    expect((await call(service.url, "GET", `${LIST}/${id}/revisions/${revisionId}`)).status).toBe(404);
    await expect(call(url, "GET", "/ok")).rejects.toThrow(/ECONNREFUSED/);
    expect((await call(service.url, "DELETE", `${LIST}/${id}`)).status).toBe(404);
  });

  withService("of a slow service is answered as AWAITING_DELETE for a while", { tags: "slow" }, async (service) => {
    const { id } = await create(service);
    service.faults.conditions.deleteMilliseconds = 1_500;
    expect((await call(service.url, "DELETE", `${LIST}/${id}`)).status).toBe(204);
    expect((await call(service.url, "GET", `${LIST}/${id}`)).json).toMatchObject({ status: "AWAITING_DELETE" });
    expect((await patch(service, id, {})).status).toBe(409);
    await expect.poll(async () => (await call(service.url, "GET", `${LIST}/${id}`)).status).toBe(404);
  });

  withService("stops a revision that is on its way", async (service) => {
    service.faults.nextRevision({ hold: "DEPLOYING" });
    const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("DEPLOYING");
    await call(service.url, "DELETE", `${LIST}/${id}`);
    service.faults.revisions.release();
    await create(service, { ...IMAGE_CREATE, name: "next" });
    await expect.poll(() => service.deployments()[0]?.url).toMatch(/^http:/);
    expect((await call(service.url, "GET", `${LIST}/${id}/revisions/${latest_revision_id}`)).status).toBe(404);
  });
});

describe("an address that the service does not have", () => {
  withService("answers 404, and 405 with the methods that there are", async (service) => {
    expect(await call(service.url, "GET", "/nothing")).toMatchObject({ status: 404, json: { detail: "Not Found" } });
    expect(await call(service.url, "GET", `${LIST}/`)).toMatchObject({ status: 404 });
    const reply = await call(service.url, "PUT", LIST, { json: {} });
    expect(reply).toMatchObject({
      status: 405,
      json: { detail: "Method Not Allowed" },
      headers: { allow: "GET, POST" },
    });
  });

  withService("a body above the limit answers 413 and the service lives on", async (service) => {
    const body = Buffer.alloc(2 * 1024 * 1024, " ");
    const headers = { "content-type": "application/json" };
    expect((await call(service.url, "POST", LIST, { body, headers })).status).toBe(413);
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
  });
});
