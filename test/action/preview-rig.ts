import { removeStep } from "../../action/remove/step.ts";
import { hostOf, optionsOf } from "../front/hosted.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DeployActionInputName } from "../../action/deploy/options.ts";
import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";
import {
  learn as learnDeploy,
  NO_FACTS as NO_DEPLOY,
  outputsOf as outputsOfDeploy,
  type DeployFacts,
} from "../../front/steps/deploy/report/facts.ts";
import { deployStep } from "../../action/deploy/step.ts";
import { deployOnGitHub } from "../../action/deploy/work.ts";
import type { RemoveStepEvent } from "../../action/remove/events.ts";
import type { RemoveInputName } from "../../action/remove/options.ts";
import { removeReporting } from "../../action/remove/report.ts";
import { carryOut } from "../../action/remove/work.ts";
import { outputTexts } from "../../front/account/step-report.ts";
import { previewName } from "../../src/deployment/preview-name.ts";
import { connect, Redactor } from "../../src/index.ts";
import { startLocalService } from "../../src/local/index.ts";
import type { GitHubEvent } from "../github/events.ts";
import { meanwhile } from "../github/faults.ts";
import { REPOSITORY_ID, startGitHub, type GitHubOptions } from "../github/server.ts";
import { inputVariables } from "../front/options/step.ts";
import { FastClock } from "../wire/clocks.ts";

const API_KEY = "key-of-the-rig-0123456789";

interface GivenRecord {
  /** That of the deployment. */
  readonly name: string;
  readonly environment?: string;
  readonly payload?: object;
  /** Its last status. */
  readonly status?: { readonly state: string; readonly description?: string };
}

/** A local service, a GitHub and the step between them, on one clock that takes no time; everything ends with the test. */
export async function rig(options: GitHubOptions = {}) {
  const clock = new FastClock();
  const service = await startLocalService({ walkMilliseconds: 1, apiKey: API_KEY, keepBodies: true });
  const github = await startGitHub({ now: () => clock.date(), ...options });
  const temp = await mkdtemp(join(tmpdir(), "graph-deploy-remove-"));
  const connection = connect({ url: service.url, apiKey: API_KEY });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await service.close();
    await github[Symbol.asyncDispose]();
    await rm(temp, { recursive: true, force: true });
  });
  const { controlPlane } = connection;
  const names = () =>
    service
      .deployments()
      .map(({ name }) => name)
      .toSorted();

  /** Makes a deployment, as a deploy or another user does. */
  const make = async (name: string): Promise<string> => {
    const image = { source: "external_docker", source_config: {}, secrets: [] } as const;
    const body = { ...image, name, source_revision_config: { image_uri: "registry/agent:1" } };
    return (await controlPlane.create(body)).deployment.id;
  };

  const post = async (path: string, body: object) => {
    const response = await fetch(`${github.url}/repos/${github.state.name}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${github.token}`, "user-agent": "test" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { readonly id: number };
  };
  /** Makes a deployment record, as some version of a deploy does. */
  const record = async ({ name, environment = "preview", payload = {}, status }: GivenRecord, number = 7) => {
    const ref = github.state.pulls.find(number).headSha;
    const required = { auto_merge: false, required_contexts: [] };
    const { id } = await post("/deployments", { ref, task: `deploy:${name}`, environment, payload, ...required });
    if (status) await post(`/deployments/${String(id)}/statuses`, status);
  };
  /** Does something while a step looks for the second time whether its pull request is open. */
  const atSecondLook = (change: () => Promise<void> | void) => {
    const look = { method: "GET", path: /\/pulls\/\d+$/ };
    github.faults.add(look, {});
    github.faults.add(look, meanwhile(change));
  };

  let runs = 0;
  /** The environment of a step, in a run for this event. */
  const environment = async ({ event, env }: GitHubEvent, inputs: Readonly<Record<string, string>>) => {
    runs += 1;
    const path = join(temp, `event-${String(runs)}.json`);
    await writeFile(path, JSON.stringify(event));
    const given = {
      "control-plane-url": service.url,
      "api-key": API_KEY,
      "github-token": github.token,
      name: "support",
      ...inputs,
    };
    return {
      ...github.env,
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: temp,
      GITHUB_RUN_ID: String(1_000 + runs),
      GITHUB_EVENT_PATH: path,
      ...env,
      ...inputVariables(given),
    };
  };

  /** Removes for an event, with these inputs; its events, its outputs and its error. */
  const run = async (
    event: GitHubEvent,
    inputs: Partial<Record<RemoveInputName, string>> = {},
    signal = new AbortController().signal,
  ) => {
    const env = await environment(event, inputs);
    const read = await optionsOf(removeStep, env);
    const events: RemoveStepEvent[] = [];
    let { facts } = removeReporting;
    const emit = (event: RemoveStepEvent) => {
      events.push(event);
      facts = { ...facts, ...removeReporting.learn(event, facts) };
    };
    const error = await thrownBy(carryOut(read, { host: hostOf(env), redactor: new Redactor(), signal, emit, clock }));
    const outputs = outputTexts(removeReporting.outputs(facts));
    const [removed = [], kept = [], failed = []] = ["removed", "kept", "failed"].map((name) => told(outputs[name]));
    return { events, error, warnings: facts.warnings, removed, kept, failed };
  };

  /** The inputs of a deploy that uploads this source. */
  const uploaded = async (text: string) => {
    await mkdir(join(temp, "agent"), { recursive: true });
    await writeFile(
      join(temp, "agent/graph.json"),
      JSON.stringify({ graphs: { support: "./support.py:graph" }, dependencies: [".", "requests"] }),
    );
    await writeFile(join(temp, "agent/support.py"), text);
    return { "image-uri": "none", path: "agent" };
  };

  /** Deploys the preview of an event's pull request. */
  const deploy = async (
    event: GitHubEvent,
    inputs: Partial<Record<DeployActionInputName, string>> = {},
    more: Readonly<Record<string, string>> = {},
  ) => {
    const usual = { preview: "true", "image-uri": "registry/agent:1", "smoke-test": "false", "poll-interval": "0.1s" };
    const env = { ...(await environment(event, { ...usual, ...inputs })), ...more };
    const host = hostOf(env);
    const read = await optionsOf(deployStep, env);
    const events: DeployStepEvent[] = [];
    let facts: DeployFacts = NO_DEPLOY;
    const emit = (event: DeployStepEvent) => {
      events.push(event);
      facts = { ...facts, ...learnDeploy(event, facts) };
    };
    const { signal } = new AbortController();
    const redactor = new Redactor();
    const error = await thrownBy(deployOnGitHub(read, { host, redactor, signal, emit, clock }));
    const ignore = () => undefined;
    await deployStep.after?.(read, facts, { host, redactor, signal, warn: ignore, line: ignore, clock });
    return { events, error, facts, outputs: outputTexts(outputsOfDeploy(facts)), outcome: facts.ended?.outcome };
  };
  /** Another service with the same key. */
  const other = async () => {
    const another = await startLocalService({ walkMilliseconds: 1, apiKey: API_KEY });
    onTestFinished(() => another.close());
    return another;
  };
  /** The name of the preview of a pull request. */
  const nameOf = (number: number) => previewName({ stem: "support", limit: 63, repository: REPOSITORY_ID }, number);
  return {
    clock,
    service,
    nameOf,
    other,
    github,
    pulls: github.state.pulls,
    controlPlane,
    names,
    make,
    record,
    atSecondLook,
    run,
    deploy,
    uploaded,
    directory: temp,
  };
}

/** `support-pr-7 closed` of each item of an output. */
function told(output = ""): readonly string[] {
  const items = JSON.parse(output) as readonly { readonly name: string; readonly reason: string }[];
  return items.map(({ name, reason }) => `${name} ${reason}`).toSorted();
}

/** A run by hand, or by the clock. */
export function scheduled(name: "schedule" | "workflow_dispatch" = "schedule"): GitHubEvent {
  return { event: {}, env: { GITHUB_EVENT_NAME: name } };
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}
