import { describe, expect, test } from "vitest";
import {
  noDelete,
  noList,
  noLogs,
  uploadRefused,
  uploadUrlOnlyUnderV2,
  type FaultRule,
} from "../../../src/local/index.ts";
import {
  withService,
  IMAGE_CREATE,
  SOURCE_CREATE,
  askForUpload,
  call,
  create,
  deployed,
  put,
  start,
} from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const LIST = "/v2/deployments";
const CREATE: FaultRule["match"] = { method: "POST", path: LIST };

describe("a fault answers", () => {
  withService("with a status, headers and a body, and nothing has happened", async (service) => {
    service.faults.add({
      match: CREATE,
      do: { kind: "answer", status: 503, headers: { "retry-after": "3" }, body: { detail: "busy" } },
    });
    const reply = await call(service.url, "POST", LIST, { json: SOURCE_CREATE });
    expect(reply).toMatchObject({ status: 503, headers: { "retry-after": "3" }, json: { detail: "busy" } });
    expect(service.deployments()).toEqual([]);
    expect(service.requests.at(-1)).toMatchObject({ status: 503 });
  });

  withService("where a pattern with the flag g fits, and another method was asked before", async (service) => {
    service.faults.add({ match: { method: "POST", path: /deployments/g }, do: { kind: "answer", status: 503 } });
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
    expect((await call(service.url, "POST", LIST, { json: SOURCE_CREATE })).status).toBe(503);
  });

  withService("after the request was processed", async (service) => {
    service.faults.add({
      match: CREATE,
      do: { kind: "answer", status: 502, when: "after", body: "<html>bad gateway" },
    });
    const reply = await call(service.url, "POST", LIST, { json: SOURCE_CREATE });
    expect(reply).toMatchObject({ status: 502, text: "<html>bad gateway" });
    expect(service.deployments()).toHaveLength(1);
  });

  withService("with another body", async (service) => {
    service.faults.add({
      match: CREATE,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), latest_revision_id: null }) },
    });
    const reply = await call(service.url, "POST", LIST, { json: SOURCE_CREATE });
    expect(reply).toMatchObject({ status: 201, json: { name: "support-agent", latest_revision_id: null } });
  });

  withService("late", async (service) => {
    service.faults.add({ do: { kind: "delay", milliseconds: 100 } });
    const started = performance.now();
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(95);
  });
});

describe("a fault cuts the connection", () => {
  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("%s the request is processed: %i deployments", async (when, count) => {
    const service = await start();
    service.faults.add({ match: CREATE, do: { kind: "reset", when } });
    await expect(call(service.url, "POST", LIST, { json: SOURCE_CREATE })).rejects.toMatchObject({
      code: "ECONNRESET",
    });
    expect(service.deployments()).toHaveLength(count);
    expect(service.requests.at(-1)?.status).toBeUndefined();
    await create(service, IMAGE_CREATE);
  });

  withService("in the middle of the body", async (service) => {
    service.faults.add({ match: CREATE, do: { kind: "truncate" } });
    await expect(call(service.url, "POST", LIST, { json: SOURCE_CREATE })).rejects.toMatchObject({
      code: "UND_ERR_SOCKET",
    });
    expect(service.deployments()).toHaveLength(1);
  });
});

test.each([
  ["before", 0],
  ["after", 1],
  ["body", 1],
] as const)("a fault stalls %s: no answer, but the service closes at once", async (when, count) => {
  const service = await start();
  const stalled = service.faults.add({ match: CREATE, do: { kind: "stall", when } });
  const asking = call(service.url, "POST", LIST, { json: SOURCE_CREATE });
  asking.catch(() => {});
  await expect.poll(() => [stalled.hits, service.deployments().length]).toEqual([1, count]);
  const first = await Promise.race([
    asking.then(
      () => "answered",
      () => "failed",
    ),
    new Promise((resolve) => setTimeout(resolve, 50, "waiting")),
  ]);
  expect(first).toBe("waiting");
  expect(service.deployments()).toHaveLength(count);
  await service.close();
  await expect(asking).rejects.toThrow();
});

describe("a rule", () => {
  withService("hits as often as it says, after those that it lets pass", async (service) => {
    const fault = service.faults.add({ skip: 1, times: 2, do: { kind: "answer", status: 500 } });
    const statuses = [];
    for (let index = 0; index < 5; index += 1) statuses.push((await call(service.url, "GET", LIST)).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect(fault.hits).toBe(2);
  });

  withService("hits only the requests that it names, by server, method and path", async (service) => {
    const { url } = await deployed(service);
    service.faults.add({ match: { server: "agent", path: "/ok" }, do: { kind: "answer", status: 500 } });
    service.faults.add({ match: { method: "POST", path: /search$/ }, do: { kind: "answer", status: 429 } });
    expect((await call(service.url, "GET", "/ok")).status).toBe(404);
    expect((await call(url, "GET", "/info")).status).toBe(200);
    expect((await call(url, "GET", "/ok")).status).toBe(500);
    expect((await call(url, "POST", "/assistants/search", { json: {} })).status).toBe(429);
  });

  withService("can be taken back, alone or with all others", async (service) => {
    const always = { times: Number.POSITIVE_INFINITY, do: { kind: "answer", status: 500 } } as const;
    const fault = service.faults.add(always);
    expect((await call(service.url, "GET", LIST)).status).toBe(500);
    fault.remove();
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
    service.faults.add(always);
    service.faults.clear();
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
  });

  withService("lets the next one hit once it is used up", async (service) => {
    service.faults.add({ do: { kind: "answer", status: 502 } });
    service.faults.add({ do: { kind: "answer", status: 503 } });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await call(service.url, "GET", LIST)).status);
    expect(statuses).toEqual([502, 503, 200]);
  });
});

describe("an outage of the agent servers", () => {
  const RUN = { json: { assistant_id: "agent", input: { question: "why?" } } };

  withService("begins with the run after those that are let through, and hits each request", async (service) => {
    const { url } = await deployed(service);
    Object.assign(service.faults.conditions, { runsUntilOutage: 2, outage: { kind: "answer", status: 503 } });
    const run = async () => (await call(url, "POST", "/runs/wait", RUN)).status;
    expect([await run(), await run()]).toEqual([200, 200]);
    expect((await call(url, "GET", "/ok")).status).toBe(200);
    expect([await run(), (await call(url, "GET", "/ok")).status]).toEqual([503, 503]);
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
    service.faults.clear();
    expect(await run()).toBe(200);
  });

  withService("resets connections where nothing else is asked for", async (service) => {
    const { url } = await deployed(service);
    service.faults.conditions.runsUntilOutage = 0;
    await expect(call(url, "POST", "/runs/wait", RUN)).rejects.toThrow("ECONNRESET");
    await expect(call(url, "GET", "/ok")).rejects.toThrow("ECONNRESET");
  });

  withService("is none for a run that is refused although it began", async (service) => {
    const { url } = await deployed(service);
    const id = "0198c5a4-0000-7000-8000-000000000001";
    service.faults.add({ match: { server: "agent" }, do: { kind: "answer", status: 409, when: "after" } });
    const json = { ...RUN.json, if_not_exists: "create", multitask_strategy: "reject" };
    expect((await call(url, "POST", `/threads/${id}/runs/stream`, { json })).status).toBe(409);
    const runs = async () => (await call(url, "GET", `/threads/${id}/runs`)).json;
    await expect.poll(runs).toMatchObject([{ status: "success" }]);
  });
});

describe("a service that lacks something", () => {
  test.each([
    ["no list", noList(), "GET", LIST, 405],
    ["no list", noList(404), "GET", `/api-host${LIST}`, 404],
    ["no delete", noDelete(), "DELETE", "/v2/deployments/ID", 405],
    ["no logs", noLogs(), "POST", "/v1/projects/ID/revisions/ID/build_logs", 404],
    ["no logs", noLogs(), "GET", "/v2/deployments/ID/revisions/ID/logs", 404],
    [
      "no upload URL at the path of the API's contract",
      uploadUrlOnlyUnderV2(),
      "POST",
      "/deployments/ID/upload-url",
      404,
    ],
  ])("%s", async (_what, rule, method, path, status) => {
    const service = await start();
    service.faults.add(rule);
    const { id } = await create(service);
    expect(await call(service.url, method, path.replaceAll("ID", id))).toMatchObject({
      status,
      json: { detail: expect.stringContaining("Not") },
    });
    expect((await call(service.url, "GET", `${LIST}/${id}`)).status).toBe(200);
    expect((await call(service.url, "POST", `/v2/deployments/${id}/upload-url`)).status).toBe(200);
  });

  withService("refuses uploads, and takes the next one", async (service) => {
    service.faults.add(uploadRefused());
    const { id } = await create(service);
    const { upload_url } = await askForUpload(service, id);
    expect((await put(upload_url, projectTarball())).status).toBe(403);
    expect((await put(upload_url, projectTarball())).status).toBe(200);
  });
});
