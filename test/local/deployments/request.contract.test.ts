import { describe, expect, test } from "vitest";
import { FieldNames } from "../../../src/contract/field-names.ts";
import { SOURCE_CREATE, call, create, patch, places, put, settled, start } from "../caller.ts";
import { projectTarball } from "../tarball.ts";

// What the public clients send, request by request; their brand is replaced by another word.
const PEER_CREATE = {
  name: "app",
  source: "internal_source",
  source_config: { deployment_type: "dev_zero" },
  source_revision_config: {},
  secrets: [],
};

const fieldNames = FieldNames.parse("graph_config_path=acmegraph_config_path");

describe("with compat", () => {
  test("the whole way of a public client works", async () => {
    const service = await start({ compat: true, fieldNames });
    const base = `${service.url}/api-host`;
    const found = await call(base, "GET", "/v2/deployments?name=app&name_contains=app&limit=100&offset=0");
    expect(found.json).toEqual({ resources: [], offset: 0 });
    const created = await call(base, "POST", "/v2/deployments", { json: PEER_CREATE });
    expect(created.status).toBe(201);
    const { id, tenant_id } = created.json as { id: string; tenant_id: string };
    const target = await call(base, "POST", `/v2/deployments/${id}/upload-url`, {
      json: { supports_upload_headers: true },
    });
    const { upload_url, object_path } = target.json as { upload_url: string; object_path: string };
    const stored = await put(upload_url, projectTarball(), { "x-goog-content-length-range": "0,209715200" });
    expect(stored.status).toBe(200);
    const patched = await call(base, "PATCH", `/v2/deployments/${id}`, {
      json: {
        revision_source: "internal_source",
        source_revision_config: { source_tarball_path: object_path, acmegraph_config_path: "graph.json" },
        source_config: { install_command: "npm ci" },
        secrets: [],
        tracked_packages: ["one:1.0"],
      },
    });
    expect(patched.status).toBe(200);
    const revisions = await call(base, "GET", `/v2/deployments/${id}/revisions?limit=1`);
    const { resources } = revisions.json as { resources: { id: string }[] };
    expect(resources).toMatchObject([
      { id: expect.any(String), source_revision_config: { acmegraph_config_path: "graph.json" } },
    ]);
    expect((await settled(service, id, resources[0]?.id ?? "")).status).toBe("DEPLOYED");
    const deployment = (await call(base, "GET", `/v2/deployments/${id}`)).json;
    const { source_config } = deployment as { source_config: { custom_url: string } };
    expect((await call(source_config.custom_url, "GET", "/ok")).json).toEqual({ ok: true });
    const page = await call(base, "GET", `/o/${tenant_id}/host/deployments/${id}`);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining("app") });
    const listeners = await call(base, "GET", "/v2/listeners?limit=100&offset=0");
    expect(listeners.json).toEqual({ resources: [], offset: 0 });
  });

  test("a tarball without a configuration path builds from graph.json", async () => {
    const service = await start({ compat: true });
    const { id } = await create(service, PEER_CREATE);
    const reply = await call(service.url, "POST", `/v2/deployments/${id}/upload-url`);
    const { upload_url, object_path } = reply.json as { upload_url: string; object_path: string };
    await put(upload_url, projectTarball());
    await patch(service, id, { source_revision_config: { source_tarball_path: object_path } });
    const revision = await settled(service, id, service.deployments()[0]?.latest_revision_id ?? "");
    expect(revision.status).toBe("DEPLOYED");
  });

  test("read-only and unknown names are ignored", async () => {
    const service = await start({ compat: true });
    const { id } = await create(service, { ...PEER_CREATE, id: "mine", agent: {} });
    expect(id).not.toBe("mine");
    expect((await patch(service, id, { display_name: "App" })).status).toBe(200);
  });

  test("a revision of another source answers 400", async () => {
    const service = await start({ compat: true });
    const { id } = await create(service, PEER_CREATE);
    expect((await patch(service, id, { revision_source: "github" })).status).toBe(400);
  });

  test("the other rules still hold", async () => {
    const service = await start({ compat: true });
    const { id } = await create(service, PEER_CREATE);
    const change = { source_revision_config: { source_tarball_path: "mine.tar.gz" } };
    expect(places(await patch(service, id, change))).toEqual(["body.source_revision_config.source_tarball_path"]);
    expect(places(await patch(service, id, { source: "github" }))).toEqual(["body.source"]);
  });
});

test.each([
  ["no configuration path", PEER_CREATE, "body.source_revision_config.graph_config_path"],
  ["an unknown name", { ...SOURCE_CREATE, revision_source: "internal_source" }, "body.revision_source"],
])("without compat a create with %s answers 422", async (_what, json, place) => {
  const service = await start();
  const reply = await call(service.url, "POST", "/v2/deployments", { json });
  expect([reply.status, places(reply)]).toEqual([422, [place]]);
});

describe("with field names", () => {
  test("requests, answers and errors use the service's spelling; ours is as unknown as to the service", async () => {
    const service = await start({ fieldNames });
    const theirs = { ...SOURCE_CREATE, source_revision_config: { acmegraph_config_path: "graph.json" } };
    const created = await call(service.url, "POST", "/v2/deployments", { json: theirs });
    expect(created.json).toMatchObject({ source_revision_config: { acmegraph_config_path: "graph.json" } });
    expect(created.text).not.toContain('"graph_config_path"');
    const lacking = { ...SOURCE_CREATE, name: "two", source_revision_config: {} };
    const refused = await call(service.url, "POST", "/v2/deployments", { json: lacking });
    expect(places(refused)).toEqual(["body.source_revision_config.acmegraph_config_path"]);
    const ours = await call(service.url, "POST", "/v2/deployments", { json: { ...SOURCE_CREATE, name: "three" } });
    expect(places(ours)).toEqual(["body.source_revision_config.acmegraph_config_path"]);
  });

  test("and with compat, ours is understood too", async () => {
    const service = await start({ fieldNames, compat: true });
    await create(service, SOURCE_CREATE);
  });
});
