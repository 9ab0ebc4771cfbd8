import { testWith } from "../test-with.ts";
import * as z from "zod";
import { describe, expect, onTestFinished, test } from "vitest";
import { FieldNames } from "../../src/contract/field-names.ts";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { InvalidRequestError } from "../../src/control-plane/errors.ts";
import { Endpoint, type Credentials } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import { clientOf, freshName, imageDeployment, sourceDeployment } from "./rig.ts";

const DEPLOYMENT = { id: "d-1", latest_revision_id: "r-1", name: "agent", source: "internal_source" };
const well: Handler = () => ({ status: 200, body: DEPLOYMENT });

async function server(handler = well) {
  const front = await startFaultServer(handler);
  const sent = () => JSON.parse(front.requests.at(-1)?.body.toString() ?? "null") as unknown;
  return { front, sent };
}
const withServer = testWith(server);

async function clientWith(url: string, { fieldNames, ...credentials }: Credentials & { fieldNames?: FieldNames }) {
  const http = new HttpClient();
  onTestFinished(() => http.close());
  return new ControlPlane({ endpoint: new Endpoint(url, credentials), http, fieldNames });
}

describe("what a create sends", () => {
  withServer("is always name, source, both configurations and secrets", async ({ front, sent }) => {
    await clientOf(front).plane.create(sourceDeployment("agent"));
    expect(sent()).toEqual({
      name: "agent",
      source: "internal_source",
      source_config: {},
      source_revision_config: { graph_config_path: "graph.json" },
      secrets: [],
    });
    expect(front.requests[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
    });
  });
});

describe("what a patch sends", () => {
  withServer("is only what changes, and no secrets that were not given", async ({ front, sent }) => {
    const context = { source: "internal_source", latestRevisionId: null } as const;
    const config = { source_tarball_path: "sources/1.tar.gz", graph_config_path: "graph.json" };
    await clientOf(front).plane.patch("d-1", { source_revision_config: config }, context);
    expect(sent()).toEqual({ source_revision_config: config });
  });

  withServer("holds secrets when they are given, also when there are none left", async ({ front, sent }) => {
    await clientOf(front).plane.patch("d-1", { secrets: [] }, { source: "internal_source" });
    expect(sent()).toEqual({ secrets: [] });
  });
});

describe("names on the wire", () => {
  test("are those of the service, both ways", async () => {
    const branded = { ...DEPLOYMENT, source_revision_config: { acmegraph_config_path: "graph.json" } };
    const { front, sent } = await server(() => ({ status: 200, body: branded }));
    const fieldNames = FieldNames.parse("graph_config_path=acmegraph_config_path");
    const plane = await clientWith(front.url, { fieldNames });
    const { deployment } = await plane.create(sourceDeployment("agent"));
    expect(sent()).toMatchObject({ source_revision_config: { acmegraph_config_path: "graph.json" } });
    expect(deployment.source_revision_config).toEqual({ graph_config_path: "graph.json" });
  });

  test("that are unknown here pass through, and so do values", async () => {
    const more = { ...DEPLOYMENT, source: "internal_template", status: "AWAITING_MOON", display_name: { deep: [1] } };
    const { front } = await server(() => ({ status: 200, body: more }));
    expect(await clientOf(front).plane.get("d-1")).toEqual(more);
  });
});

test.each<[string, Credentials, Record<string, string>]>([
  ["an API key", { apiKey: "key-1" }, { "x-api-key": "key-1" }],
  ["an API key and a tenant", { apiKey: "key-1", tenantId: "t-1" }, { "x-api-key": "key-1", "x-tenant-id": "t-1" }],
  ["a bearer token", { bearerToken: "token-1" }, { authorization: "Bearer token-1" }],
  ["nobody", {}, {}],
])("who we are can be %s", async (_who, credentials, headers) => {
  const { front } = await server();
  await (await clientWith(front.url, credentials)).get("d-1");
  const { "x-api-key": key, "x-tenant-id": tenant, authorization } = front.requests[0]?.headers ?? {};
  const sent = { "x-api-key": key, "x-tenant-id": tenant, authorization };
  expect(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))).toEqual(headers);
});

describe("where it is sent", () => {
  test.each(["", "/", "/api-host", "/api-host/"])("the base %j keeps its path", async (path) => {
    const { front } = await server();
    await (await clientWith(front.url + path, {})).get("d-1");
    expect(front.requests[0]?.target).toBe(`${path.replace(/\/$/, "")}/v2/deployments/d-1`);
  });

  test("an id is one segment, whatever it holds", async () => {
    const id = "../../admin?x=1#y";
    const { front } = await server(() => ({ status: 200, body: { id } }));
    await clientOf(front).plane.get(id);
    expect(front.requests[0]?.target).toBe("/v2/deployments/..%2F..%2Fadmin%3Fx%3D1%23y");
  });

  test.each(["", ".", ".."])("the id %j is refused before it is sent", async (id) => {
    const { front } = await server();
    const { plane } = clientOf(front);
    const calls = [
      () => plane.get(id),
      () => plane.delete(id),
      () => plane.revision("d-1", id),
      () => plane.uploadUrl(id),
      () => plane.patch(id, {}, { source: "github" }),
      () => plane.logs("d-1", id, "build"),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(InvalidRequestError);
    expect(() => plane.revisions(id)).toThrow(InvalidRequestError);
    expect(front.requests).toEqual([]);
  });

  withServer("an id that is refused is named by its field", async ({ front }) => {
    const { plane } = clientOf(front);
    await expect(plane.logs("d-1", "..", "build")).rejects.toThrow("revision_id");
    await expect(plane.logs("..", "r-1", "build")).rejects.toThrow("deployment_id");
    await expect(plane.revision("d-1", "..")).rejects.toThrow("revision_id");
  });
});

describe("a request that breaks the rules", () => {
  withServer("is refused with all violations at once, and nothing is sent", async ({ front }) => {
    const body = {
      ...imageDeployment(freshName()),
      source: "github",
      source_revision_config: { repo_ref: "refs/tags/v1", image_uri: "x" },
    } as const;
    const error: unknown = await clientOf(front)
      .plane.create(body)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      message:
        "The new deployment is not valid: source_revision_config.graph_config_path: is required when the source is github; " +
        "source_revision_config.image_uri: must be null when the source is github; " +
        "source_config.build_on_push: must be false when repo_ref is a tag, because tags are immutable",
    });
    expect(front.requests).toEqual([]);
  });

  withServer("by what is set already is refused too", async ({ front }) => {
    const context = { source: "github", sourceConfig: { build_on_push: true } } as const;
    const patched = clientOf(front).plane.patch(
      "d-1",
      { source_revision_config: { repo_ref: "refs/tags/v1" } },
      context,
    );
    await expect(patched).rejects.toThrow("build_on_push");
    expect(front.requests).toEqual([]);
  });

  withServer("by a setting that the tag of the deployment forbids is refused too", async ({ front }) => {
    const context = { source: "github", sourceRevisionConfig: { repo_ref: "refs/tags/v1" } } as const;
    const patched = clientOf(front).plane.patch("d-1", { source_config: { build_on_push: true } }, context);
    await expect(patched).rejects.toThrow("The update of deployment d-1 is not valid: source_config.build_on_push");
    expect(front.requests).toEqual([]);
  });

  test("by nothing that is known is sent: the service decides", async () => {
    const { front } = await server(() => ({ status: 422, body: { detail: "build_on_push must be false" } }));
    const push = clientOf(front).plane.patch("d-1", { source_config: { build_on_push: true } }, { source: "github" });
    await expect(push).rejects.toMatchObject({ code: "HTTP_STATUS", status: 422 });
    const tag = { source_revision_config: { repo_ref: "refs/tags/v1" } };
    const context = { source: "github", latestRevisionId: null } as const;
    await expect(clientOf(front).plane.patch("d-1", tag, context)).rejects.toMatchObject({ status: 422 });
    expect(front.requests.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  });
});

test("any other operation goes through the same client", async () => {
  const { front } = await server(() => ({ status: 200, body: { resources: [] } }));
  const schema = z.object({ resources: z.array(z.unknown()) });
  const answer = await clientOf(front).plane.request({
    method: "GET",
    path: "/v2/listeners",
    query: { limit: 1 },
    schema,
  });
  expect(answer).toEqual({ resources: [] });
  expect(front.requests[0]?.target).toBe("/v2/listeners?limit=1");
});

test("what a caller gives beyond the options of a call changes nothing: neither what counts as a success, nor what an error shows", async () => {
  const { front } = await server(() => ({ status: 404, body: { detail: "no key is key-1-of-ours" } }));
  const plane = await clientWith(front.url, { apiKey: "key-1-of-ours" });
  const more = { label: "nightly", redactor: { text: (text: string) => text }, isRead: () => true };
  const options = { attemptMilliseconds: 10_000, ...more };
  await expect(plane.get("d-1", options)).rejects.toMatchObject({
    code: "HTTP_STATUS",
    message: `GET ${front.url}/v2/deployments/d-1 returned 404: no key is ***`,
  });
});
