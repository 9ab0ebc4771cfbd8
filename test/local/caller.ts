import { testWith } from "../test-with.ts";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { revisionStatusFact } from "../../src/contract/revision-status.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { projectTarball } from "./tarball.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface Ask {
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request, with nothing of the product between the test and the wire. */
export async function call(origin: string, method: string, path: string, ask: Ask = {}): Promise<Reply> {
  const json = ask.json === undefined ? undefined : JSON.stringify(ask.json);
  const reply = await request(origin + path, {
    method: method as "GET",
    headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...ask.headers },
    body: json ?? ask.body ?? null,
  });
  const text = await reply.body.text();
  return { status: reply.statusCode, headers: reply.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A service that ends with the test. */
export async function start(options: LocalServiceOptions = {}): Promise<LocalService> {
  const service = await startLocalService({ walkMilliseconds: 0, ...options });
  onTestFinished(() => service.close());
  return service;
}

export const withService = testWith(start);

/** A directory that is removed with the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "graph-deploy-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export const withFolder = testWith(folder);

export const SOURCE_CREATE = {
  name: "support-agent",
  source: "internal_source",
  source_config: {},
  source_revision_config: { graph_config_path: "graph.json" },
  secrets: [],
} as const;

export const IMAGE_CREATE = {
  name: "image-agent",
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.example/agent@sha256:abc" },
  secrets: [],
} as const;

export const GITHUB_CREATE = {
  name: "repository-agent",
  source: "github",
  source_config: { repo_url: "https://git.example/agent" },
  source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
  secrets: [],
} as const;

const Created = z.looseObject({ id: z.string(), latest_revision_id: z.string(), name: z.string() });

/** Creates a deployment and answers its id and its first revision's. */
export async function create(service: LocalService, body: unknown = SOURCE_CREATE) {
  const reply = await call(service.url, "POST", "/v2/deployments", { json: body });
  expect(reply, reply.text).toMatchObject({ status: 201 });
  return Created.parse(reply.json);
}

const Target = z.object({ upload_url: z.string(), object_path: z.string() });

export async function askForUpload(service: LocalService, id: string) {
  return Target.parse((await call(service.url, "POST", `/deployments/${id}/upload-url`)).json);
}

export function put(uploadUrl: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return call(uploadUrl, "PUT", "", { body, headers: { "content-type": "application/gzip", ...headers } });
}

/** Uploads a tarball and answers its object path. */
export async function upload(service: LocalService, id: string, tarball?: Buffer): Promise<string> {
  const target = await askForUpload(service, id);
  expect((await put(target.upload_url, tarball ?? projectTarball())).status).toBe(200);
  return target.object_path;
}

export function patch(service: LocalService, id: string, json: unknown): Promise<Reply> {
  return call(service.url, "PATCH", `/v2/deployments/${id}`, { json });
}

/** Uploads a tarball and makes a revision of it; answers the revision's id. */
export async function release(service: LocalService, id: string, tarball?: Buffer): Promise<string> {
  const source_tarball_path = await upload(service, id, tarball);
  const reply = await patch(service, id, {
    source_revision_config: { source_tarball_path, graph_config_path: "graph.json" },
  });
  expect(reply, reply.text).toMatchObject({ status: 200 });
  return Created.parse(reply.json).latest_revision_id;
}

/** Waits for the revision's end and answers it. */
export async function settled(service: LocalService, id: string, revisionId: string) {
  const find = () => service.revisions(id).find((revision) => revision.id === revisionId);
  await expect
    .poll(() => revisionStatusFact(find()?.status ?? "").terminal, { interval: 5, timeout: 60_000 })
    .toBe(true);
  const revision = find();
  if (revision === undefined) throw new Error(`There is no revision ${revisionId}.`);
  return revision;
}

/** Creates, releases and waits: a deployment that serves. */
export async function deployed(service: LocalService, body: unknown = SOURCE_CREATE) {
  const { id } = await create(service, body);
  const revisionId = await release(service, id);
  expect((await settled(service, id, revisionId)).status).toBe("DEPLOYED");
  const url = service.deployments().find((deployment) => deployment.id === id)?.url ?? "";
  return { id, revisionId, url };
}

const Detail = z.object({
  detail: z.array(z.looseObject({ loc: z.array(z.unknown()), msg: z.string(), type: z.string() })),
});

/** The places that an HTTPValidationError names, such as `body.source`. */
export function places(reply: Reply): readonly string[] {
  return Detail.parse(reply.json).detail.map(({ loc }) => loc.join("."));
}

export const UNKNOWN_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Takes the port; answers what gives it back. */
export async function occupy(port: number): Promise<() => Promise<unknown>> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return () => {
    server.close();
    return once(server, "close");
  };
}
