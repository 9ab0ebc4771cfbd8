import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { SOURCE_CREATE, UNKNOWN_ID, askForUpload, call, create, deployed, put, release, start } from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const KEY = "key-0123456789";
const TENANT = "7c1a64e2-0000-4000-8000-000000000001";

const OUTER = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const list = "/v2/deployments";

describe("a service with a key", () => {
  test.each([
    ["X-Api-Key", { "X-Api-Key": KEY }],
    ["x-api-key", { "x-api-key": KEY }],
    ["a bearer token", { authorization: `Bearer ${KEY}` }],
  ])("lets %s in", async (_name, headers) => {
    const service = await start({ apiKey: KEY });
    expect((await call(service.url, "GET", list, { headers })).status).toBe(200);
  });

  test.each([
    ["no key", {}],
    ["a wrong key", { "x-api-key": "other" }],
    ["an empty key", { "x-api-key": "" }],
    ["a wrong bearer token", { authorization: "Bearer other" }],
    ["a tenant alone", { "x-tenant-id": TENANT }],
    ["a basic login, which is for pages", { authorization: `Basic ${Buffer.from(`me:${KEY}`).toString("base64")}` }],
  ])("answers 401 to %s", async (_name, headers) => {
    const service = await start({ apiKey: KEY });
    const reply = await call(service.url, "GET", list, { headers });
    expect(reply).toMatchObject({ status: 401, json: { detail: expect.stringContaining("X-Api-Key") } });
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
    expect(reply.text).not.toContain(KEY);
  });

  test.each([
    ["an unknown path", "GET", "/nothing"],
    ["another method", "PUT", list],
    ["no uuid", "GET", `${list}/one`],
    ["an unknown id", "GET", `${list}/${UNKNOWN_ID}`],
    ["a run", "POST", "/runs"],
    ["a body that is no JSON", "POST", list],
    ["the prefix of self-hosted services", "GET", `/api-host${list}`],
    ["a page", "GET", "/"],
  ])("asks for the key before it says anything about %s", async (_what, method, path) => {
    const service = await start({ apiKey: KEY });
    expect((await call(service.url, method, path, { body: "{" })).status).toBe(401);
  });

  test("takes uploads without it: the URL is signed", async () => {
    const service = await start({ apiKey: KEY });
    const headers = { "x-api-key": KEY };
    const reply = await call(service.url, "POST", list, { json: SOURCE_CREATE, headers });
    const { id } = reply.json as { id: string };
    const target = await call(service.url, "POST", `/deployments/${id}/upload-url`, { headers });
    const { upload_url } = target.json as { upload_url: string };
    expect((await put(upload_url, projectTarball())).status).toBe(200);
    const upload = service.requests.at(-1);
    expect(upload?.method).toBe("PUT");
    expect(Object.keys(upload?.headers ?? {})).not.toContain("x-api-key");
  });

  test("shows pages to a person who logs in with it", async () => {
    const service = await start({ apiKey: KEY });
    const authorization = `Basic ${Buffer.from(`anybody:${KEY}`).toString("base64")}`;
    expect((await call(service.url, "GET", "/", { headers: { authorization } })).status).toBe(200);
    const refused = await call(service.url, "GET", "/");
    expect(refused.headers["www-authenticate"]).toMatch(/^Basic /);
  });
});

describe("a service with a tenant", () => {
  test("lets that tenant in, and answers 403 to another and to none", async () => {
    const service = await start({ tenantId: TENANT });
    const ask = (headers: Record<string, string>) => call(service.url, "GET", list, { headers });
    expect((await ask({ "X-Tenant-Id": TENANT })).status).toBe(200);
    expect(await ask({ "X-Tenant-Id": UNKNOWN_ID })).toMatchObject({
      status: 403,
      json: { detail: expect.any(String) },
    });
    expect(await ask({})).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining("requires workspace specification") },
    });
  });

  test("asks for the key first", async () => {
    const service = await start({ apiKey: KEY, tenantId: TENANT });
    const ask = (headers: Record<string, string>) => call(service.url, "GET", list, { headers });
    expect((await ask({ "x-tenant-id": TENANT })).status).toBe(401);
    expect((await ask({ "x-api-key": KEY, "x-tenant-id": "other" })).status).toBe(403);
    expect((await ask({ "x-api-key": KEY, "x-tenant-id": TENANT })).status).toBe(200);
  });

  test("answers it as the tenant of each deployment", async () => {
    const service = await start();
    const { id } = await create(service);
    const other = await start({ tenantId: TENANT });
    expect(service.deployments()[0]).toMatchObject({ id, tenant_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const headers = { "x-tenant-id": TENANT };
    const reply = await call(other.url, "POST", list, { json: SOURCE_CREATE, headers });
    expect(reply.json).toMatchObject({ tenant_id: TENANT });
  });
});

describe("a service without either", () => {
  test("is open, whatever key is sent", async () => {
    const service = await start();
    expect((await call(service.url, "GET", list, { headers: { "x-api-key": "any" } })).status).toBe(200);
  });

  test.each([
    ["another host name", { host: "evil.example" }],
    ["a page of another origin", { origin: "https://evil.example" }],
  ])("refuses a request from %s", async (_name, headers) => {
    const service = await start();
    expect(await call(service.url, "GET", list, { headers })).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining("loopback") },
    });
  });

  test("answers under the name localhost", async () => {
    const service = await start();
    expect((await call(service.url.replace("127.0.0.1", "localhost"), "GET", list)).status).toBe(200);
  });

  test.skipIf(OUTER === undefined)("does not listen on the machine's own address", async () => {
    const service = await start();
    await expect(call(service.url.replace("127.0.0.1", OUTER ?? ""), "GET", list)).rejects.toThrow();
  });
});

test("a secret's value is never answered, and is not in the state", async () => {
  const service = await start();
  const secrets = [{ name: "OPENAI_API_KEY", value: "sk-very-secret" }];
  const { id } = await create(service, { ...SOURCE_CREATE, secrets });
  const reply = await call(service.url, "GET", `${list}/${id}`);
  expect(reply.json).toMatchObject({ secrets: [{ name: "OPENAI_API_KEY", value: null }] });
  expect(JSON.stringify(service.deployments()) + reply.text).not.toContain("sk-very-secret");
});

describe("an upload URL", () => {
  test("carries a signature of its own, and no other passes", async () => {
    const service = await start();
    const { id } = await create(service);
    const [one, two] = [await askForUpload(service, id), await askForUpload(service, id)];
    expect(one.object_path).not.toBe(two.object_path);
    const swapped = `${one.upload_url.split("&signature=")[0]}&signature=${two.upload_url.split("&signature=")[1]}`;
    for (const url of [swapped, one.upload_url.replace(/\?.*/, ""), one.upload_url.slice(0, -1)]) {
      expect(await put(url, projectTarball())).toMatchObject({ status: 403, json: { detail: expect.any(String) } });
    }
    expect((await put(one.upload_url, projectTarball())).status).toBe(200);
  });
});

test("the agent server wants the service's key, and nothing else", async () => {
  const service = await start({ apiKey: KEY });
  const headers = { "x-api-key": KEY };
  const made = await call(service.url, "POST", list, {
    json: { ...SOURCE_CREATE, source: "internal_docker", source_revision_config: {} },
    headers,
  });
  const { id } = made.json as { id: string };
  await expect.poll(() => service.deployments()[0]?.url).toMatch(/^http:/);
  const url = service.deployments().find((deployment) => deployment.id === id)?.url ?? "";
  for (const path of ["/ok", "/info", "/docs"]) {
    expect([path, (await call(url, "GET", path)).status]).toEqual([path, 401]);
    expect([path, (await call(url, "GET", path, { headers })).status]).toEqual([path, 200]);
  }
  expect((await call(url, "POST", "/assistants/search", { json: {} })).status).toBe(401);
  const bearer = { authorization: `Bearer ${KEY}` };
  expect((await call(url, "POST", "/assistants/search", { json: {}, headers: bearer })).status).toBe(200);
});

test("requests are recorded with what they carried", async () => {
  const service = await start({ keepBodies: true });
  const { id } = await deployed(service);
  await release(service, id);
  const patched = service.requests.findLast(({ method }) => method === "PATCH");
  expect(patched).toMatchObject({
    server: "service",
    path: `/v2/deployments/${id}`,
    status: 200,
    json: { source_revision_config: { graph_config_path: "graph.json" } },
  });
  const sent = service.requests.findLast(({ method }) => method === "PUT");
  expect(sent).toMatchObject({ status: 200, bodyBytes: projectTarball().length });
  expect(sent?.query.get("signature")).toMatch(/^[0-9a-f]{64}$/);
});
