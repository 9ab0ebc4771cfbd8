import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { expect, onTestFinished } from "vitest";
import { FieldNames } from "../../src/contract/field-names.ts";
import { machineEnvironment, startLocalService, type LocalService } from "../../src/local/index.ts";
import { runAction, type ActionResult } from "../runner/runner.ts";
import { FIELD_NAMES, PEER_INPUTS } from "./tools.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..", "..");
export const API_KEY = "key-for-the-peers-0123456789";

/** Whatever an agent wants to fetch from outside goes nowhere, as far as it heeds a proxy. */
export const OFFLINE = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/** What a public tool gets of this machine: no way out, and where Node keeps what it compiled of a server for the next start. */
export const SURROUNDINGS = {
  ...machineEnvironment(process.env),
  ...OFFLINE,
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
};

/** A folder that ends with the test. */
async function folderIn(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, "graph-deploy-peers-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A copy of a project with these files too, where the JS agents find test/peers/node_modules. */
export async function peerFolder(name: "js" | "python", files: Readonly<Record<string, string>>) {
  const parent = join(HERE, ".graph-deploy");
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, "graph-deploy-peers-"));
  await cp(join(HERE, "projects", name), path, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A copy of a project that the test may change. */
export async function project(name: "js" | "python", files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(await folderIn(tmpdir()), name);
  await cp(join(HERE, "projects", name), path, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
  return path;
}

/** A service that runs what is uploaded by this command, offline and without a key of anybody. */
export async function serve(agentCommand: string, agentStartMilliseconds = 60_000): Promise<LocalService> {
  const service = await startLocalService({
    // The JS agents are unpacked below, and find test/peers/node_modules from there.
    dataDirectory: await folderIn(join(HERE, ".graph-deploy")),
    apiKey: API_KEY,
    fieldNames: FieldNames.parse(FIELD_NAMES),
    walkMilliseconds: 0,
    agentCommand,
    agentEnvironment: SURROUNDINGS,
    agentStartMilliseconds,
    agentGraceMilliseconds: 3_000,
  });
  onTestFinished(() => service.close());
  return service;
}

/** The built action deploys a folder to the service, as a workflow would. */
export async function deployWithAction(
  url: string,
  workspace: string,
  inputs: Readonly<Record<string, string>> = {},
): Promise<ActionResult> {
  return await runAction({
    actionYml: join(ROOT, "action.yml"),
    workspace,
    inputs: {
      "control-plane-url": url,
      "api-key": API_KEY,
      name: "peer-agent",
      ...PEER_INPUTS,
      "poll-interval": "1s",
      ...inputs,
    },
    secrets: [API_KEY],
    timeoutMs: 120_000,
  });
}

/** Asks an agent, with the key of the service; the answer must be 200. */
export async function ask(url: string, path: string, json?: unknown): Promise<unknown> {
  const { statusCode, body } = await request(url + path, {
    method: json === undefined ? "GET" : "POST",
    headers: { "x-api-key": API_KEY, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    body: json === undefined ? null : JSON.stringify(json),
  });
  const text = await body.text();
  expect(statusCode, text).toBe(200);
  return JSON.parse(text) as unknown;
}

/** Runs the graph `agent` to its end. */
export function runGraph(url: string, input: unknown): Promise<unknown> {
  return ask(url, "/runs/wait", { assistant_id: "agent", input });
}

/** What the revision printed. */
export async function deployLog(service: LocalService, revisionId: string): Promise<string> {
  const deployment = service.deployments()[0]?.id ?? "";
  const path = `/v1/projects/${deployment}/revisions/${revisionId}/deploy_logs`;
  const { logs } = (await ask(service.url, path, { limit: 1000 })) as { logs: { message: string }[] };
  return logs.map(({ message }) => message).join("\n");
}

// Without it the questions take the processors from the servers that they are about.
const BREATH_MILLISECONDS = 20;

/** Asks over and over until stopped; answers how many went well, and what did not. */
export function watch(url: string, path = "/info") {
  let going = true;
  let good = 0;
  const failed: string[] = [];
  const work = async () => {
    // Bounded, so that a test which goes wrong ends.
    for (let turn = 0; going && turn < 5_000; turn += 1) {
      await ask(url, path).then(
        () => (good += 1),
        (error: unknown) => failed.push(String(error)),
      );
      await sleep(BREATH_MILLISECONDS);
    }
  };
  const workers = Promise.all([work(), work(), work()]);
  return {
    stop: async () => {
      going = false;
      await workers;
      return { good, failed };
    },
  };
}
