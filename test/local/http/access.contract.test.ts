import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import {
  withService,
  SOURCE_CREATE,
  UNKNOWN_ID,
  askForUpload,
  call,
  create,
  deployed,
  put,
  release,
  start,
} from "../caller.ts";
import { startLocalService } from "../../../src/local/index.ts";
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

const RIGHT = { "x-api-key": KEY };
const BEARER = { authorization: `Bearer ${KEY}` };
const OWN = { "x-tenant-id": TENANT };
const OTHER = { "x-tenant-id": UNKNOWN_ID };

// Each area of the contract: deployments (any of three), experiments and runs (the key, and the tenant where one is
// set), agents (the key).
const DEPLOYMENTS = [
  ["GET", "/v2/deployments"],
  ["POST", "/v2/deployments"],
  ["GET", `/v2/deployments/${UNKNOWN_ID}`],
  ["PATCH", `/v2/deployments/${UNKNOWN_ID}`],
  ["DELETE", `/v2/deployments/${UNKNOWN_ID}`],
  ["GET", `/v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}`],
  ["POST", `/deployments/${UNKNOWN_ID}/upload-url`],
  ["POST", `/v1/projects/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}/build_logs`],
  ["GET", "/api-host/v2/deployments"],
  ["GET", "/v2/nothing"],
] as const;
const RECORDS = [
  ["POST", "/datasets/upload-experiment"],
  ["GET", "/datasets"],
  ["POST", "/runs"],
  ["PATCH", `/runs/${UNKNOWN_ID}`],
  ["POST", "/runs/multipart"],
  ["GET", "/sessions"],
  ["GET", "/info"],
  ["POST", "/api/v1/datasets/upload-experiment"],
  ["GET", "/nothing"],
] as const;

type Expected = 401 | 403 | "in";
const CREDENTIALS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["nothing", {}],
  ["the key", RIGHT],
  ["a bearer token", BEARER],
  ["the tenant", OWN],
  ["the tenant in upper case", { "x-tenant-id": TENANT.toUpperCase() }],
  ["the key and the tenant", { ...RIGHT, ...OWN }],
  ["a bearer token and the tenant", { ...BEARER, ...OWN }],
  ["a wrong key", { "x-api-key": "other" }],
  ["a wrong key and the tenant", { "x-api-key": "other", ...OWN }],
  ["an empty key and the tenant", { "x-api-key": "", ...OWN }],
  ["a wrong bearer token and the tenant", { authorization: "Bearer other", ...OWN }],
  ["an empty bearer token and the tenant", { authorization: "Bearer", ...OWN }],
  ["the key and a wrong bearer token", { ...RIGHT, authorization: "Bearer other" }],
  ["another tenant", OTHER],
  ["an empty tenant", { "x-tenant-id": "" }],
  ["the key and another tenant", { ...RIGHT, ...OTHER }],
  ["the key and an empty tenant", { ...RIGHT, "x-tenant-id": "" }],
];
// In the order of the credentials: with a key, with a tenant, with both.
const FOR_DEPLOYMENTS: Readonly<Record<"both" | "key" | "none" | "tenant", readonly Expected[]>> = {
  none: CREDENTIALS.map(() => "in"),
  key: [401, "in", "in", 401, 401, "in", "in", 401, 401, 401, 401, 401, "in", 401, 401, "in", "in"],
  tenant: [403, 403, 403, "in", "in", "in", "in", 403, "in", "in", "in", "in", 403, 403, 403, 403, 403],
  both: [401, "in", "in", "in", "in", "in", "in", 401, 401, 401, 401, 401, "in", 401, 401, 403, 403],
};
const FOR_RECORDS: typeof FOR_DEPLOYMENTS = {
  none: CREDENTIALS.map(() => "in"),
  key: FOR_DEPLOYMENTS.key,
  tenant: FOR_DEPLOYMENTS.tenant,
  both: [401, 403, 403, 401, 401, "in", "in", 401, 401, 401, 401, 401, 403, 401, 401, 403, 403],
};
const SETTINGS = {
  none: {},
  key: { apiKey: KEY },
  tenant: { tenantId: TENANT },
  both: { apiKey: KEY, tenantId: TENANT },
};

describe.each([
  ["deployments, of which one is enough", DEPLOYMENTS, FOR_DEPLOYMENTS],
  ["experiments and runs, which need all that is set", RECORDS, FOR_RECORDS],
] as const)("the credentials for %s", (_area, requests, table) => {
  test.each(["none", "key", "tenant", "both"] as const)(
    "of a service with the setting: %s",
    { tags: "slow" },
    async (setting) => {
      const service = await start(SETTINGS[setting]);
      for (const [method, path] of requests) {
        const answers = await Promise.all(
          CREDENTIALS.map(async ([name, headers]) => {
            const { status } = await call(service.url, method, path, { headers });
            return `${name}: ${String(status === 401 || status === 403 ? status : "in")}`;
          }),
        );
        const expected = CREDENTIALS.map(([name], index) => `${name}: ${String(table[setting][index])}`);
        expect({ method, path, answers }).toEqual({ method, path, answers: expected });
      }
    },
  );
});

describe("a service with a tenant", () => {
  test("says what it misses", async () => {
    const service = await start({ tenantId: TENANT });
    expect((await call(service.url, "GET", list)).json).toEqual({
      detail: "This request requires workspace specification: send X-Tenant-Id.",
    });
    expect((await call(service.url, "GET", list, { headers: OTHER })).json).toEqual({
      detail: "The tenant in X-Tenant-Id may not use this service.",
    });
    const both = await start({ apiKey: KEY, tenantId: TENANT });
    expect((await call(both.url, "GET", list)).json).toEqual({
      detail:
        "Send a valid API key in the header X-Api-Key, or as a bearer token; the tenant ID in X-Tenant-Id suffices, too.",
    });
    expect((await call(both.url, "GET", "/datasets")).json).toEqual({
      detail: "Send a valid API key in the header X-Api-Key, or as a bearer token.",
    });
  });

  test("opens neither its agents nor its pages to the tenant alone", async () => {
    const service = await start({ apiKey: KEY, tenantId: TENANT });
    const reply = await call(service.url, "POST", list, { json: SOURCE_CREATE, headers: OWN });
    const { id } = reply.json as { id: string };
    const target = await call(service.url, "POST", `/deployments/${id}/upload-url`, { headers: OWN });
    const { upload_url, object_path } = target.json as { upload_url: string; object_path: string };
    await put(upload_url, projectTarball());
    const json = { source_revision_config: { source_tarball_path: object_path } };
    expect((await call(service.url, "PATCH", `${list}/${id}`, { json, headers: OWN })).status).toBe(200);
    await expect.poll(() => service.deployments()[0]?.url).toEqual(expect.any(String));
    const agent = service.deployments()[0]?.url ?? "";
    expect((await call(agent, "GET", "/ok", { headers: OWN })).status).toBe(401);
    expect((await call(agent, "GET", "/ok", { headers: RIGHT })).status).toBe(200);
    expect((await call(service.url, "GET", "/", { headers: OWN })).status).toBe(401);
  });

  test.each(["t 1", "", "7c1a64e2", `${TENANT} `, `{${TENANT}}`])(
    "does not start for %j, which is no UUID",
    async (id) => {
      await expect(startLocalService({ tenantId: id })).rejects.toMatchObject({
        code: "ARGUMENTS",
        message: "startLocalService: `tenantId` must be a UUID.",
      });
    },
  );

  withService("answers it as the tenant of each deployment", async (service) => {
    const { id } = await create(service);
    const other = await start({ tenantId: TENANT });
    expect(service.deployments()[0]).toMatchObject({ id, tenant_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const headers = { "x-tenant-id": TENANT };
    const reply = await call(other.url, "POST", list, { json: SOURCE_CREATE, headers });
    expect(reply.json).toMatchObject({ tenant_id: TENANT });
  });
});

describe("a service without either", () => {
  withService("is open, whatever key is sent", async (service) => {
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

  withService("answers under the name localhost", async (service) => {
    expect((await call(service.url.replace("127.0.0.1", "localhost"), "GET", list)).status).toBe(200);
  });

  test.skipIf(OUTER === undefined)("does not listen on the machine's own address", async () => {
    const service = await start();
    await expect(call(service.url.replace("127.0.0.1", OUTER ?? ""), "GET", list)).rejects.toThrow();
  });
});

withService("a secret's value is never answered, and is not in the state", async (service) => {
  const secrets = [{ name: "OPENAI_API_KEY", value: "sk-very-secret" }];
  const { id } = await create(service, { ...SOURCE_CREATE, secrets });
  const reply = await call(service.url, "GET", `${list}/${id}`);
  expect(reply.json).toMatchObject({ secrets: [{ name: "OPENAI_API_KEY", value: null }] });
  expect(JSON.stringify(service.deployments()) + reply.text).not.toContain("sk-very-secret");
});

describe("an upload URL", () => {
  withService("carries a signature of its own, and no other passes", async (service) => {
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
