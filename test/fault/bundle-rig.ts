import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { startLocalService, type LocalRevision, type LocalService } from "../../src/local/index.ts";
import type { ActionOptions, ActionResult } from "../runner/runner.ts";
import { startFaultServer, type FaultServer, type Match } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";
import { isSentence } from "../wire/texts-of.ts";

export const API_KEY = "key-of-the-campaign-0123456789";
const actionYml = join(import.meta.dirname, "../../action.yml");

/** One of the requests that a deploy makes. */
export interface Step {
  readonly name: string;
  readonly match: Match;
  /** Which of those that match. */
  readonly nth: number;
}

/** The path of a look at a revision. */
export const LOOK = /\/revisions\/[^/]+$/;
const revision = { method: "GET", path: LOOK };

/** The requests of a first deploy, in order. */
export const STEPS: readonly Step[] = [
  { name: "list", match: { method: "GET", path: /^\/v2\/deployments$/ }, nth: 1 },
  { name: "create", match: { method: "POST", path: /^\/v2\/deployments$/ }, nth: 1 },
  { name: "twins", match: { method: "GET", path: /^\/v2\/deployments$/ }, nth: 2 },
  { name: "address", match: { method: "POST", path: /\/upload-url$/ }, nth: 1 },
  { name: "upload", match: { method: "PUT" }, nth: 1 },
  { name: "update", match: { method: "PATCH" }, nth: 1 },
  { name: "revision", match: revision, nth: 1 },
  { name: "look", match: revision, nth: 2 },
  { name: "live", match: { method: "GET", path: /^\/v2\/deployments\/[^/]+$/ }, nth: 1 },
  { name: "ok", match: { path: /^\/ok$/ }, nth: 1 },
  { name: "info", match: { path: /^\/info$/ }, nth: 1 },
  { name: "search", match: { method: "POST", path: /^\/assistants\/search$/ }, nth: 1 },
  // The first look for a twin had a second page, which is empty.
  { name: "twins last", match: { method: "GET", path: /^\/v2\/deployments$/ }, nth: 4 },
];

/** The fault server in front of a service and of one of its agents, and the name of the deployment that is behind it. */
export interface Front extends AsyncDisposable {
  readonly server: FaultServer;
  readonly name: string;
  /** The step's options: it knows the front only. */
  options(inputs?: Readonly<Record<string, string>>, more?: Partial<ActionOptions>): ActionOptions;
}

/** A project and a service that all tests of a file share. */
export interface World {
  readonly service: LocalService;
  readonly workspace: string;
  front(): Promise<Front>;
}

/** Starts a world for the tests of a file, in which a revision is live after so many milliseconds. */
export function useWorld(walkMilliseconds = 50): () => World {
  let world: World | undefined;
  let service: LocalService | undefined;
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "graph-deploy-fault-"));
    const workspace = join(root, "workspace");
    await mkdir(workspace);
    await writeFile(
      join(workspace, "graph.json"),
      JSON.stringify({ graphs: { support: "./support.py:graph" }, dependencies: [".", "requests"] }),
    );
    await writeFile(join(workspace, "support.py"), "graph = 1\n");
    const started = await startLocalService({ walkMilliseconds, apiKey: API_KEY });
    service = started;
    world = { service: started, workspace, front: () => startFront(started, workspace) };
  });
  afterAll(async () => {
    await service?.close();
    await rm(root, { recursive: true, force: true });
  });
  return () => {
    if (world === undefined) throw new Error("The world has not started.");
    return world;
  };
}

async function startFront(service: LocalService, workspace: string): Promise<Front> {
  const ends: (() => Promise<void>)[] = [];
  let agent = "";
  const toService = forwardTo(
    () => service.url,
    (body) =>
      body
        .replaceAll(`${service.url}/objects/`, () => `${server.url}/objects/`)
        .replaceAll(/"(http:\/\/127\.0\.0\.1:\d+)"/g, (_, url: string) => {
          agent = url;
          return `"${server.url}"`;
        }),
  );
  const toAgent = forwardTo(() => agent);
  const isOfAgent = /^\/(ok|info|assistants\/search)$/;
  const server = await startFaultServer(
    (request) => (isOfAgent.test(request.path) ? toAgent(request) : toService(request)),
    (end) => ends.push(end),
  );
  fronts += 1;
  const name = `agent-${String(fronts)}`;
  return {
    server,
    name,
    options: (inputs = {}, { env = {}, ...more } = {}) => ({
      actionYml,
      workspace,
      secrets: [API_KEY],
      inputs: {
        "control-plane-url": server.url,
        "api-key": API_KEY,
        name,
        "poll-interval": "0.1s",
        timeout: "60s",
        ...inputs,
      },
      env,
      ...more,
    }),
    [Symbol.asyncDispose]: async () => {
      for (const end of ends) await end();
    },
  };
}
let fronts = 0;

/** What the service has of this name. */
export function standing(service: LocalService, name: string) {
  const deployments = service.deployments().filter((deployment) => deployment.name === name);
  const [deployment] = deployments;
  // A create makes a first revision that has nothing to build; it waits for the one of the upload.
  const isReal = ({ source_revision_config: config }: LocalRevision) => config.source_tarball_path != null;
  const revisions = deployment === undefined ? [] : service.revisions(deployment.id).filter(isReal);
  return { deployments, deployment, revisions };
}

/** The sentences of the annotations that say why a step failed. */
export function errorsOf({ annotations }: ActionResult): readonly string[] {
  return annotations.filter(({ type }) => type === "error").map(({ message }) => message);
}

/** The one sentence of a red run, which also says what to do next. */
export function sentenceOf(result: ActionResult): string {
  const log = result.log.join("\n");
  expect(result.exitCode, log).toBe(1);
  expect(result, log).toMatchObject({ leaked: [], faults: [], leftInTemp: [], rawStderr: "" });
  const [sentence = "", ...others] = errorsOf(result);
  expect(others, log).toEqual([]);
  expect(sentence, log).toSatisfy(isSentence);
  expect(result.log.at(-1), log).toMatch(/^Next +\S/);
  return sentence;
}

/** True for a sentence that says which deployment it is about, by its name or its id. */
export function namesDeployment(sentence: string, service: LocalService, name: string): boolean {
  const { deployment } = standing(service, name);
  return sentence.includes(name) || (deployment !== undefined && sentence.includes(deployment.id));
}
