import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { HttpClient, type HttpClientOptions } from "../../src/http/http-client.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type FaultServer } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";

export const API_KEY = "sk-graph-0123456789abcdef";
export const SECRET_VALUE = "the-value-of-a-secret-42";

const TARBALL = Buffer.from("not really a tarball, but nobody looks");

/** A real service with a fault server in front of it, and another one in front of its object store. */
export interface World {
  readonly service: LocalService;
  /** Where the client believes the control plane to be. */
  readonly front: FaultServer;
  /** Where upload URLs lead. */
  readonly store: FaultServer;
  /** A gzip file of a few bytes. */
  readonly tarball: { readonly file: string; readonly bytes: number };
}

/** Starts a service for all tests of a file, and gives each test a world of its own around it. */
export function useWorld(options: LocalServiceOptions = {}): () => Promise<World> {
  let service: LocalService | undefined;
  let directory = "";
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "graph-deploy-contract-"));
    await writeFile(join(directory, "source.tar.gz"), TARBALL);
    // Revisions stay where they are: nothing is built while a test looks on.
    service = await startLocalService({ apiKey: API_KEY, walkMilliseconds: 3_600_000, ...options });
  });
  afterAll(async () => {
    await service?.close();
    await rm(directory, { recursive: true, force: true });
  });
  return async () => {
    if (service === undefined) throw new Error("The service has not started.");
    const { url } = service;
    service.faults.clear();
    const tarball = { file: join(directory, "source.tar.gz"), bytes: TARBALL.length };
    const store = await startFaultServer(forwardTo(() => url));
    const edit = (body: string) => body.replaceAll(`${url}/objects/`, `${store.url}/objects/`);
    const front = await startFaultServer(forwardTo(() => url, edit));
    return { service, front, store, tarball };
  };
}

/** A client of the control plane behind the fault server; pauses take no time. */
export function clientOf(front: Pick<FaultServer, "url">, options: HttpClientOptions = {}) {
  const clock = new FastClock();
  const notices: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice) => notices.push(notice);
  const http = new HttpClient({ clock, onRetry, random: () => 0.5, ...options });
  onTestFinished(() => http.close());
  const plane = new ControlPlane({
    endpoint: new Endpoint(front.url, { apiKey: API_KEY, tenantId: "tenant-1" }),
    http,
  });
  return { plane, http, clock, notices };
}

/** A name that no other test has. */
export function freshName(): string {
  names += 1;
  return `agent-${String(names)}`;
}
let names = 0;

/** The request for a new deployment that is built elsewhere. */
export function imageDeployment(name: string) {
  return {
    name,
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: "registry.example/agent:1" },
    secrets: [{ name: "MODEL_KEY", value: SECRET_VALUE }],
  } as const;
}

/** The request for a new deployment that is built from an uploaded tarball. */
export function sourceDeployment(name: string) {
  return {
    name,
    source: "internal_source",
    source_config: {},
    source_revision_config: { graph_config_path: "graph.json" },
    secrets: [],
  } as const;
}
