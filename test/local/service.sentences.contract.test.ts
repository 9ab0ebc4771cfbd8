import { describe, expect, test } from "vitest";
import { AGENT_SERVER } from "../../src/contract/operations/agent-server.ts";
import { CONTROL_PLANE } from "../../src/contract/operations/control-plane.ts";
import { EXPERIMENTS } from "../../src/contract/operations/experiments.ts";
import { endpointOf, type Operation } from "../../src/contract/operations/operation.ts";
import { TRACING } from "../../src/contract/operations/tracing.ts";
import { REVISION_STATUSES } from "../../src/contract/revision-status.ts";
import { ENDPOINT_GROUPS } from "../../src/local/agent-server/groups.ts";
import type { LocalService } from "../../src/local/index.ts";
import {
  withService,
  GITHUB_CREATE,
  IMAGE_CREATE,
  SOURCE_CREATE,
  UNKNOWN_ID,
  call,
  create,
  deployed,
  patch,
  places,
  release,
  settled,
  start,
  upload,
} from "./caller.ts";
import { addition, listOf, readBack, run, traced } from "./run-caller.ts";

/** A sentence of the contract of the API, and what the local service does about it. */
type Sentence = readonly [says: string, holds: (service: LocalService) => Promise<void>];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const post = (service: LocalService, json: unknown) => call(service.url, "POST", "/v2/deployments", { json });
const get = (service: LocalService, path: string) => call(service.url, "GET", `/v2/deployments/${path}`);
const config = (values: Readonly<Record<string, string | null>>) => ({ source_revision_config: values });

async function refusedAt(reply: ReturnType<typeof call>, ...expected: readonly string[]) {
  const { status, ...rest } = await reply;
  expect(status, rest.text).toBe(422);
  expect(places({ status, ...rest })).toEqual(expected);
}

async function count(service: LocalService, id: string, change: unknown): Promise<number> {
  const before = service.revisions(id).length;
  expect((await patch(service, id, change)).status).toBe(200);
  return service.revisions(id).length - before;
}

const RESOURCES: readonly Sentence[] = [
  [
    "Creating a deployment also creates its first revision, which is the latest revision.",
    async (service) => {
      const { id, latest_revision_id } = await create(service);
      expect(service.revisions(id).map((revision) => revision.id)).toEqual([latest_revision_id]);
    },
  ],
  [
    "Poll the revision read endpoint with latest_revision_id until status equals DEPLOYED.",
    async (service) => {
      const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
      const status = async () => (await get(service, `${id}/revisions/${latest_revision_id}`)).json;
      await expect.poll(status, { interval: 5 }).toMatchObject({ status: "DEPLOYED" });
    },
  ],
  [
    "Deployment fields: id (uuid), latest_revision_id (uuid).",
    async (service) => {
      const { id } = await create(service);
      expect((await get(service, id)).json).toMatchObject({
        id: expect.stringMatching(UUID),
        latest_revision_id: expect.stringMatching(UUID),
      });
    },
  ],
  [
    "source_revision_config: the values refer to the latest revision.",
    async (service) => {
      const { id } = await create(service, IMAGE_CREATE);
      await patch(service, id, config({ image_uri: "registry.example/agent:2" }));
      expect((await get(service, id)).json).toMatchObject(config({ image_uri: "registry.example/agent:2" }));
    },
  ],
  [
    "On a Revision, the values refer to that revision itself.",
    async (service) => {
      const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
      await patch(service, id, config({ image_uri: "registry.example/agent:2" }));
      expect((await get(service, `${id}/revisions/${latest_revision_id}`)).json).toMatchObject(
        config(IMAGE_CREATE.source_revision_config),
      );
    },
  ],
  [
    "The source of a deployment cannot be changed after creation.",
    async (service) => {
      const { id } = await create(service);
      await refusedAt(patch(service, id, { source: "github" }), "body.source");
      expect((await patch(service, id, { source: "internal_source" })).status).toBe(200);
    },
  ],
  [
    "A revision has id, created_at, updated_at, status, source and source_revision_config.",
    async (service) => {
      const { id, latest_revision_id } = await create(service);
      expect((await get(service, `${id}/revisions/${latest_revision_id}`)).json).toMatchObject({
        id: latest_revision_id,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
        status: expect.stringMatching(/^[A-Z_]+$/),
        source: "internal_source",
        source_revision_config: { graph_config_path: "graph.json" },
      });
    },
  ],
  [
    "id, created_at, updated_at and status are read-only.",
    async (service) => {
      const { id } = await create(service);
      for (const field of ["id", "created_at", "updated_at", "status"]) {
        await refusedAt(patch(service, id, { [field]: "x" }), `body.${field}`);
        await refusedAt(post(service, { ...SOURCE_CREATE, name: "other", [field]: "x" }), `body.${field}`);
      }
    },
  ],
  [
    "All fields are string or null.",
    async (service) => {
      const { id } = await create(service);
      expect((await get(service, id)).json).toMatchObject({
        source_revision_config: {
          repo_ref: null,
          graph_config_path: "graph.json",
          image_uri: null,
          source_tarball_path: null,
          repo_commit_sha: null,
        },
      });
      await refusedAt(
        patch(service, id, { source_revision_config: { graph_config_path: 1 } }),
        "body.source_revision_config.graph_config_path",
      );
    },
  ],
];

const CONFIG: readonly Sentence[] = [
  [
    "repo_ref: a branch is given as the bare branch name.",
    (service) =>
      refusedAt(
        post(service, {
          ...GITHUB_CREATE,
          ...config({ repo_ref: "refs/heads/main", graph_config_path: "graph.json" }),
        }),
        "body.source_revision_config.repo_ref",
      ),
  ],
  [
    "repo_ref: when a tag is used, source_config.build_on_push must be false.",
    async (service) => {
      const tag = config({ repo_ref: "refs/tags/v1", graph_config_path: "graph.json" });
      await refusedAt(post(service, { ...GITHUB_CREATE, ...tag }), "body.source_config.build_on_push");
      await create(service, { ...GITHUB_CREATE, ...tag, source_config: { build_on_push: false } });
    },
  ],
  [
    "repo_ref: a tag in an update also needs build_on_push false, from this update or from before.",
    async (service) => {
      const { id } = await create(service, GITHUB_CREATE);
      const tag = config({ repo_ref: "refs/tags/v1" });
      await refusedAt(patch(service, id, tag), "body.source_config.build_on_push");
      expect((await patch(service, id, { ...tag, source_config: { build_on_push: false } })).status).toBe(200);
      expect((await patch(service, id, tag)).status).toBe(200);
    },
  ],
  [
    "repo_ref: an update of build_on_push alone is compared with the tag of the deployment.",
    async (service) => {
      const tag = config({ repo_ref: "refs/tags/v1", graph_config_path: "graph.json" });
      const { id } = await create(service, { ...GITHUB_CREATE, ...tag, source_config: { build_on_push: false } });
      for (const push of [true, null]) {
        const update = { source_config: { build_on_push: push } };
        await refusedAt(patch(service, id, update), "body.source_config.build_on_push");
      }
      const branch = { ...config({ repo_ref: "main" }), source_config: { build_on_push: true } };
      expect((await patch(service, id, branch)).status).toBe(200);
    },
  ],
  [
    "repo_ref: on partial update, a non-null value triggers creation of a new revision.",
    async (service) => {
      const { id } = await create(service, GITHUB_CREATE);
      expect(await count(service, id, config({ repo_ref: "next" }))).toBe(1);
    },
  ],
  [
    "graph_config_path: required on create for buildable sources (github, internal_source).",
    async (service) => {
      const place = "body.source_revision_config.graph_config_path";
      await refusedAt(post(service, { ...GITHUB_CREATE, ...config({ repo_ref: "main" }) }), place);
      await refusedAt(post(service, { ...SOURCE_CREATE, ...config({}) }), place);
      await refusedAt(post(service, { ...SOURCE_CREATE, ...config({ graph_config_path: null }) }), place);
    },
  ],
  [
    "graph_config_path: must be null for all other sources.",
    async (service) => {
      const place = "body.source_revision_config.graph_config_path";
      const path = config({ graph_config_path: "graph.json" });
      await refusedAt(post(service, { ...IMAGE_CREATE, ...path }), place);
      await refusedAt(post(service, { ...IMAGE_CREATE, source: "internal_docker", ...path }), place);
      const { id } = await create(service, IMAGE_CREATE);
      await refusedAt(patch(service, id, path), place);
    },
  ],
  [
    "graph_config_path: on partial update, a non-null value triggers a new revision.",
    async (service) => {
      const { id } = await create(service);
      expect(await count(service, id, config({ graph_config_path: "other.json" }))).toBe(1);
    },
  ],
  [
    "image_uri applies to external_docker.",
    async (service) => {
      const { id } = await create(service);
      await refusedAt(patch(service, id, config({ image_uri: "x" })), "body.source_revision_config.image_uri");
    },
  ],
  [
    "image_uri: on partial update, a non-null value triggers a new revision.",
    async (service) => {
      const { id } = await create(service, IMAGE_CREATE);
      expect(await count(service, id, config({ image_uri: "registry.example/agent:2" }))).toBe(1);
    },
  ],
  [
    "source_tarball_path: must be a path obtained from the upload-url endpoint; arbitrary paths are rejected.",
    async (service) => {
      const { id } = await create(service);
      const { id: other } = await create(service, { ...SOURCE_CREATE, name: "other" });
      const place = "body.source_revision_config.source_tarball_path";
      await refusedAt(patch(service, id, config({ source_tarball_path: "sources/mine.tar.gz" })), place);
      const foreign = await upload(service, other);
      await refusedAt(patch(service, id, config({ source_tarball_path: foreign })), place);
      const create2 = { graph_config_path: "graph.json", source_tarball_path: foreign };
      await refusedAt(post(service, { ...SOURCE_CREATE, name: "third", ...config(create2) }), place);
    },
  ],
  [
    "source_tarball_path: Object path of an uploaded source tarball.",
    async (service) => {
      const { id } = await create(service);
      const reply = await call(service.url, "POST", `/deployments/${id}/upload-url`);
      const { object_path } = reply.json as { object_path: string };
      const change = config({ source_tarball_path: object_path });
      await refusedAt(patch(service, id, change), "body.source_revision_config.source_tarball_path");
    },
  ],
  [
    "source_tarball_path: on partial update, a non-null value triggers a new revision.",
    async (service) => {
      const { id } = await create(service);
      const source_tarball_path = await upload(service, id);
      expect(await count(service, id, config({ source_tarball_path }))).toBe(1);
    },
  ],
  [
    "Two non-null values trigger one new revision; null values and other fields trigger none.",
    async (service) => {
      const { id } = await create(service);
      const source_tarball_path = await upload(service, id);
      expect(await count(service, id, config({ source_tarball_path, graph_config_path: "graph.json" }))).toBe(1);
      expect(await count(service, id, config({ source_tarball_path: null, graph_config_path: null }))).toBe(0);
      expect(await count(service, id, { source_config: { install_command: "npm ci" } })).toBe(0);
      expect(await count(service, id, { secrets: [{ name: "A", value: "b" }] })).toBe(0);
      expect(await count(service, id, {})).toBe(0);
    },
  ],
  [
    "repo_commit_sha is read-only.",
    (service) =>
      refusedAt(
        post(service, {
          ...GITHUB_CREATE,
          ...config({ graph_config_path: "graph.json", repo_commit_sha: "4f1c09ab" }),
        }),
        "body.source_revision_config.repo_commit_sha",
      ),
  ],
];

const WIRE: readonly Sentence[] = [
  [
    "ValidationError: loc (array), msg (string), type (string).",
    async (service) => {
      const { json } = await post(service, { name: 1 });
      expect(json).toMatchObject({
        detail: expect.arrayContaining([
          { loc: ["body", "name"], msg: expect.any(String), type: "invalid_type" },
          { loc: ["body", "secrets"], msg: "Field required", type: "missing" },
        ]),
      });
    },
  ],
  [
    "The statuses of a revision that goes well are among the values, and end with DEPLOYED.",
    async (service) => {
      const { id, revisionId } = await deployed(service);
      const { history } = await settled(service, id, revisionId);
      expect(history).toEqual([
        "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "DEPLOYING",
        "DEPLOYED",
      ]);
      for (const status of history) expect(REVISION_STATUSES).toContain(status);
    },
  ],
  [
    "POST /v2/deployments: response contains id and latest_revision_id.",
    async (service) => {
      const { status, json } = await post(service, SOURCE_CREATE);
      expect(status).toBe(201);
      expect(json).toMatchObject({ id: expect.stringMatching(UUID), latest_revision_id: expect.stringMatching(UUID) });
    },
  ],
  [
    "PATCH: the answer is the updated deployment, with the revision that it has made.",
    async (service) => {
      const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
      const { json } = await patch(service, id, config({ image_uri: "registry.example/agent:2" }));
      expect(json).toMatchObject({ id, latest_revision_id: service.revisions(id)[0]?.id });
      expect(json).not.toMatchObject({ latest_revision_id });
    },
  ],
  [
    "POST /deployments/{deployment_id}/upload-url: obtains an object path for a source tarball.",
    async (service) => {
      const { id } = await create(service);
      const reply = await call(service.url, "POST", `/deployments/${id}/upload-url`);
      expect(reply).toMatchObject({ status: 200, json: { object_path: expect.stringContaining(id) } });
    },
  ],
  [
    "404: body with detail (string) naming the deployment id that was not found.",
    async (service) => {
      const { latest_revision_id } = await create(service);
      const json = { detail: `Deployment ID ${UNKNOWN_ID} not found.` };
      const missing = { status: 404, json };
      expect(await get(service, `${UNKNOWN_ID}/revisions/${latest_revision_id}`)).toMatchObject(missing);
      expect(await get(service, UNKNOWN_ID)).toMatchObject(missing);
      expect(await patch(service, UNKNOWN_ID, {})).toMatchObject(missing);
      expect(await call(service.url, "DELETE", `/v2/deployments/${UNKNOWN_ID}`)).toMatchObject(missing);
      expect(await call(service.url, "POST", `/deployments/${UNKNOWN_ID}/upload-url`)).toMatchObject(missing);
    },
  ],
  [
    "A revision of another deployment is not found either, and the body names its id.",
    async (service) => {
      const { id } = await create(service);
      const other = await create(service, { ...SOURCE_CREATE, name: "other" });
      expect(await get(service, `${id}/revisions/${other.latest_revision_id}`)).toMatchObject({
        status: 404,
        json: { detail: expect.stringContaining(other.latest_revision_id) },
      });
    },
  ],
  [
    "422: path parameters fail validation, HTTPValidationError.",
    async (service) => {
      await refusedAt(get(service, "one/revisions/two"), "path.deployment_id", "path.revision_id");
      await refusedAt(get(service, "one"), "path.deployment_id");
      await refusedAt(patch(service, "one", {}), "path.deployment_id");
      await refusedAt(call(service.url, "POST", "/deployments/one/upload-url"), "path.deployment_id");
    },
  ],
  [
    "All endpoints of the control plane use JSON.",
    async (service) => {
      const body = JSON.stringify(SOURCE_CREATE);
      const plain = { body, headers: { "content-type": "text/plain" } };
      await refusedAt(call(service.url, "POST", "/v2/deployments", plain), "body");
      const broken = { body: "{", headers: { "content-type": "application/json" } };
      await refusedAt(call(service.url, "POST", "/v2/deployments", broken), "body");
      const { headers } = await get(service, UNKNOWN_ID);
      expect(headers["content-type"]).toBe("application/json");
    },
  ],
  [
    "A run is made and updated by itself, with and without the prefix; dotted_order and trace_id are generated.",
    async (service) => {
      const starts = ["2026-03-04T05:00:00Z", "2026-03-04T05:00:00.001Z"];
      for (const [index, prefix] of ["", "/api/v1"].entries()) {
        const { trace_id: _trace, dotted_order: _order, ...plain } = run(index, { session_name: `by ${prefix}` });
        expect((await call(service.url, "POST", `${prefix}/runs`, { json: plain })).status).toBe(202);
        const json = { outputs: { answer: 42 }, end_time: "2026-03-04T05:00:01Z" };
        expect((await call(service.url, "PATCH", `${prefix}/runs/${plain.id}`, { json })).status).toBe(202);
        expect(await readBack(service, plain.id)).toMatchObject({
          ...run(index, { session_name: `by ${prefix}`, start_time: starts[index] }),
          ...json,
        });
      }
    },
  ],
  [
    "A batch is a form: all runs as post parts first, then patch parts with end_time and outputs.",
    async (service) => {
      const root = run(1, { inputs: { question: "?" }, events: [{ name: "start" }] });
      const child = run(2, {}, root);
      const ends = [child, root].map((one) =>
        addition(one, { end_time: "2026-03-04T05:00:01Z", outputs: { done: true } }),
      );
      await traced(service, [root, child], ends);
      const { resources } = await listOf(service, `/api/v1/runs?trace=${root.id}`);
      expect(resources).toMatchObject([
        { ...root, ...ends[1] },
        { ...child, ...ends[0] },
      ]);
    },
  ],
];

const EDITIONS = [
  { edition: "cloud", body: GITHUB_CREATE, status: 201 },
  { edition: "cloud", body: IMAGE_CREATE, status: 422 },
  { edition: "cloud", body: SOURCE_CREATE, status: 201 },
  { edition: "self-hosted", body: GITHUB_CREATE, status: 422 },
  { edition: "self-hosted", body: IMAGE_CREATE, status: 201 },
  { edition: "self-hosted", body: SOURCE_CREATE, status: 201 },
] as const;

describe.each([
  ["resources", RESOURCES],
  ["the source revision config", CONFIG],
  ["the wire", WIRE],
] as const)("the contract of the API about %s", (_topic, sentences) => {
  test.each(sentences)("%s", async (_says, holds) => {
    await holds(await start());
  });
});

/** The tables of sections 4.1 to 4.4, as they are in the contract. */
const ENDPOINTS = [
  ...["GET /v2/deployments/{deployment_id}/revisions/{revision_id}", "POST /v2/deployments"],
  ...["GET /v2/deployments/{deployment_id}", "PATCH /v2/deployments/{deployment_id}"],
  ...["POST /deployments/{deployment_id}/upload-url", "POST /datasets/upload-experiment"],
  ...["POST /runs", "PATCH /runs/{run_id}", "POST /runs/multipart"],
  ...["POST /assistants/search", "GET /docs"],
];

describe("the contract of the API about endpoints", () => {
  const ofService: readonly Operation[] = Object.values({ ...CONTROL_PLANE, ...EXPERIMENTS, ...TRACING });
  const ofAgent: readonly Operation[] = Object.values(AGENT_SERVER);

  test("the operations that the clients and the local service share are those, and what public services have beyond", () => {
    const shared = [...ofService, ...ofAgent].filter(({ beyond }) => beyond !== true);
    expect(shared.map(endpointOf).toSorted()).toEqual(ENDPOINTS.toSorted());
  });

  test.each(ofService)("the local service has a route for $method $path", async ({ method, path }) => {
    const { url } = await start();
    const { status, text } = await call(url, method, path.replace(/\{\w+\}/g, UNKNOWN_ID), { json: {} });
    expect(status, text).not.toBe(405);
    expect(text).not.toMatch(/"Not Found"|does not serve/);
  });

  test("the built-in agent lists each operation of an agent server", () => {
    const listed = ENDPOINT_GROUPS.flatMap(({ served }) => served.map(([endpoint]) => endpoint));
    expect(listed.toSorted()).toEqual(ofAgent.map(endpointOf).toSorted());
  });
});

describe("the contract of the API about sources", () => {
  test.each(EDITIONS)("a $edition service, asked for $body.source, answers $status", async (row) => {
    const { edition, body, status } = row;
    const service = await start({ edition });
    const reply = await post(service, body);
    expect(reply.status).toBe(status);
    if (status === 422) expect(places(reply)).toEqual(["body.source"]);
  });

  withService("a service without an edition offers all four sources", async (service) => {
    const docker = { ...IMAGE_CREATE, name: "pushed", source: "internal_docker", source_revision_config: {} };
    for (const body of [GITHUB_CREATE, IMAGE_CREATE, SOURCE_CREATE, docker]) await create(service, body);
    expect(service.deployments()).toHaveLength(4);
  });

  test("every rule that a request breaks is in one answer", async () => {
    const service = await start({ edition: "self-hosted" });
    const broken = {
      ...GITHUB_CREATE,
      surplus: true,
      source_revision_config: { repo_ref: "refs/heads/main", image_uri: "x", repo_commit_sha: "y" },
    };
    await refusedAt(
      post(service, broken),
      "body.source",
      "body.surplus",
      "body.source_revision_config.repo_commit_sha",
      "body.source_revision_config.graph_config_path",
      "body.source_revision_config.image_uri",
      "body.source_revision_config.repo_ref",
    );
    expect(service.deployments()).toEqual([]);
  });
});

withService("an agent server answers for the revision that was deployed last", async (service) => {
  const { id, url } = await deployed(service);
  const next = await release(service, id);
  await settled(service, id, next);
  expect((await call(url, "GET", "/info")).json).toMatchObject({ host: { host_revision_id: next } });
});
