import { describe, expect, test } from "vitest";
import { call, create, deployed, release, settled, start, IMAGE_CREATE, GITHUB_CREATE } from "../caller.ts";
import { textOf } from "../page-cards.ts";
import { projectTarball } from "../tarball.ts";

const THREE = projectTarball({
  "graph.json": JSON.stringify({ graphs: { agent: "./a.py:a", router: "./a.py:b", "odd <name>": "./a.py:c" } }),
  "a.py": "",
});

async function agent() {
  const service = await start();
  const { id } = await create(service);
  const revisionId = await release(service, id, THREE);
  await settled(service, id, revisionId);
  const deployment = service.deployments()[0];
  return { service, id, revisionId, url: deployment?.url ?? "" };
}

describe("the agent server", () => {
  test("has an address of its own, which the deployment says once a revision is DEPLOYED", async () => {
    const service = await start();
    const { id } = await create(service);
    const before = await call(service.url, "GET", `/v2/deployments/${id}`);
    expect(before.json).toMatchObject({ url: null, source_config: { custom_url: null } });
    await settled(service, id, await release(service, id));
    const { json } = await call(service.url, "GET", `/v2/deployments/${id}`);
    const { url, source_config } = json as { url: string; source_config: { custom_url: string } };
    expect(url).toBe(source_config.custom_url);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(url).not.toBe(service.url);
  });

  test("answers /ok, /info and /docs", async () => {
    const { id, revisionId, url } = await agent();
    expect((await call(url, "GET", "/ok")).json).toEqual({ ok: true });
    expect((await call(url, "GET", "/info")).json).toMatchObject({
      version: expect.any(String),
      flags: { assistants: true },
      host: { kind: "local", project_id: id, host_revision_id: revisionId },
    });
    const docs = await call(url, "GET", "/docs");
    expect(docs.headers["content-type"]).toMatch(/^text\/html/);
    expect(textOf(docs.text)).toContain("POST /assistants/search");
    expect(docs.text).not.toContain("<name>");
  });

  test("knows one assistant per graph, under the id that every agent server gives it", async () => {
    const { url } = await agent();
    const { json, headers } = await call(url, "POST", "/assistants/search", { json: {} });
    expect(json).toMatchObject([
      {
        assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca",
        graph_id: "agent",
        name: "agent",
        metadata: { created_by: "system" },
      },
      { graph_id: "router" },
      { graph_id: "odd <name>" },
    ]);
    expect(headers).toMatchObject({ "x-pagination-total": "3" });
    expect(headers).not.toHaveProperty("x-pagination-next");
  });

  test.each([
    [{ metadata: { created_by: "system" } }, 3],
    [{ metadata: { created_by: "somebody" } }, 0],
    [{ metadata: { created_by: "system", owner: null } }, 0],
    [{ metadata: null }, 3],
    [{ graph_id: "router" }, 1],
    [{ limit: 2 }, 2],
    [{ limit: 2, offset: 2 }, 1],
    [{ offset: 9 }, 0],
    [{ surplus: true }, 3],
  ])("searches with %j", async (json, count) => {
    const { url } = await agent();
    expect((await call(url, "POST", "/assistants/search", { json })).json).toHaveLength(count);
  });

  test("says where the next page starts", async () => {
    const { url } = await agent();
    const { headers } = await call(url, "POST", "/assistants/search", { json: { limit: 2 } });
    expect(headers).toMatchObject({ "x-pagination-total": "3", "x-pagination-next": "2" });
  });

  test.each([
    ["an unknown graph", "POST", "/assistants/search", { json: { graph_id: "x" } }, 404],
    ["a limit of 0", "POST", "/assistants/search", { json: { limit: 0 } }, 422],
    ["metadata that is no object", "POST", "/assistants/search", { json: { metadata: "x" } }, 422],
    ["no body", "POST", "/assistants/search", {}, 422],
    ["an unknown path", "GET", "/threads", {}, 404],
    ["another method", "GET", "/runs/wait", {}, 405],
  ])("answers %s with a detail", async (_what, method, path, ask, status) => {
    const { url } = await agent();
    expect(await call(url, method, path, ask)).toMatchObject({ status, json: { detail: expect.anything() } });
  });

  test.each([
    ["an image", IMAGE_CREATE],
    ["a repository", GITHUB_CREATE],
  ])("of %s knows no graphs, since the service has not seen the source", async (_what, body) => {
    const service = await start();
    const { id, latest_revision_id } = await create(service, body);
    expect((await settled(service, id, latest_revision_id)).status).toBe("DEPLOYED");
    const url = service.deployments()[0]?.url ?? "";
    expect((await call(url, "GET", "/ok")).status).toBe(200);
    expect((await call(url, "POST", "/assistants/search", { json: {} })).json).toEqual([]);
  });

  test("of an image is where its owner says that it is", async () => {
    const service = await start();
    const custom_url = "https://agents.example/support";
    const { id, latest_revision_id } = await create(service, { ...IMAGE_CREATE, source_config: { custom_url } });
    await settled(service, id, latest_revision_id);
    expect(service.deployments()[0]).toMatchObject({ url: custom_url, source_config: { custom_url } });
  });

  test("of the next revision takes over at the same address", async () => {
    const { service, id, url } = await agent();
    const next = await release(service, id, projectTarball());
    await settled(service, id, next);
    expect(service.deployments()[0]?.url).toBe(url);
    const { json } = await call(url, "POST", "/assistants/search", { json: {} });
    expect(json).toMatchObject([{ graph_id: "agent" }]);
  });
});

test("each deployment has an agent server, and they do not mix", async () => {
  const service = await start();
  const one = await deployed(service);
  const two = await deployed(service, {
    ...GITHUB_CREATE,
    source: "internal_source",
    name: "two",
    source_revision_config: { graph_config_path: "graph.json" },
  });
  expect(one.url).not.toBe(two.url);
  expect((await call(one.url, "GET", "/info")).json).toMatchObject({ host: { project_id: one.id } });
  expect((await call(two.url, "GET", "/info")).json).toMatchObject({ host: { project_id: two.id } });
});
