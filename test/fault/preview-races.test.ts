import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DeployStepEvent } from "../../action/deploy/events.ts";
import { onGitHub, type Hooks } from "../../action/deploy/github-work.ts";
import { readInputs as readDeployInputs } from "../../action/deploy/inputs.ts";
import { asPreview } from "../../action/deploy/preview-work.ts";
import { readInputs as readRemoveInputs } from "../../action/remove/inputs.ts";
import { carryOut as remove } from "../../action/remove/work.ts";
import type { Emit } from "../../src/deployment/events.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { connect, Redactor } from "../../src/index.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { inputVariables } from "../action/inputs/step.ts";
import { stateOf } from "../github/deployments.ts";
import { pullRequestEvent, type GitHubEvent } from "../github/events.ts";
import { lost, refused } from "../github/faults.ts";
import { startGitHub, type GitHub } from "../github/server.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";
import { Schedule } from "../wire/schedule.ts";
import { seeded } from "./seeded.ts";

const API_KEY = "key-of-the-races-0123456789";
const NAME = "support";
const OTHERS = ["support", "support-pr-1-pr-1", "support-pr-x", "other-pr-1"];
const RACES = 200;
const only = process.env["FAULT_SEED"];

/** What happens to a pull request; each starts a run of its workflow. */
type Happening = "closed" | "reopened" | "synchronize" | "rerun";

/** What all races of the file share. */
interface World {
  readonly github: GitHub;
  readonly service: LocalService;
  /** Where the runs reach the service. */
  readonly url: string;
  readonly temp: string;
  schedule: Schedule;
  /** How the runs of all races ended. */
  readonly ends: string[];
  /** Deletes a deployment of which a race is done. */
  readonly tidy: (id: string) => Promise<unknown>;
}

async function makeWorld(): Promise<World> {
  const service = await startLocalService({ walkMilliseconds: 0, apiKey: API_KEY });
  const github = await startGitHub({ now: () => world.schedule.date() });
  const temp = await mkdtemp(join(tmpdir(), "graph-deploy-races-"));
  // The record of a run is kept in the runner's file.
  const states = join(temp, "state");
  await writeFile(states, "");
  vi.stubEnv("GITHUB_STATE", states);
  const connection = connect({ url: service.url, apiKey: API_KEY });
  const forward = forwardTo(() => service.url);
  const front = await startFaultServer(async (request) => {
    await world.schedule.turn();
    return await forward(request);
  });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await service.close();
    await rm(temp, { recursive: true, force: true });
  });
  github.turn = () => world.schedule.turn();
  const schedule = new Schedule({ random: () => 0, way: 0 });
  const { controlPlane } = connection;
  for (const name of OTHERS) {
    const image = { source: "external_docker", source_config: {}, secrets: [] } as const;
    await controlPlane.create({ ...image, name, source_revision_config: { image_uri: "registry/agent:1" } });
  }
  const tidy = (id: string) => controlPlane.delete(id);
  const world: World = { github, service, url: front.url, temp, schedule, ends: [], tidy };
  return world;
}

/** The environment of a step. */
async function environment(
  { github, url, temp }: World,
  { event, env }: GitHubEvent,
  inputs: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const path = join(temp, "event.json");
  await writeFile(path, JSON.stringify(event));
  const given = { "control-plane-url": url, "api-key": API_KEY, name: NAME, "github-token": github.token, ...inputs };
  return {
    ...github.env,
    ...{ RUNNER_TEMP: temp, GITHUB_WORKSPACE: temp, GITHUB_EVENT_PATH: path, GITHUB_RUN_ID: "7" },
    ...env,
    ...inputVariables(given),
  };
}

/** The step that deploys, for a commit; a signal ends it where it is. */
async function deployRun(world: World, event: GitHubEvent, sha: string, attempt: number, signal: AbortSignal) {
  const { temp, schedule } = world;
  const inputs = { source: "external_docker", "image-uri": `registry.example/agent:${sha}`, preview: "true" };
  const more = { environment: "preview", "smoke-test": "false", "poll-interval": "1s" };
  const env = await environment(world, event, { ...inputs, ...more });
  const read = await readDeployInputs({ ...env, GITHUB_RUN_ATTEMPT: String(attempt) });
  if (read.task !== "deploy" || read.preview === undefined || read.github === undefined) throw new Error("No preview.");
  const { preview, github } = read;
  const redactor = new Redactor();
  await using connection = connect({
    url: world.url,
    apiKey: API_KEY,
    signal,
    redactor,
    clock: schedule,
    random: () => 0,
  });
  let outcome = "";
  const emit = (event: DeployStepEvent) => {
    if (event.type === "ended") outcome = event.outcome;
  };
  const surroundings = { redactor, signal, emit };
  await asPreview({ ...read, preview }, surroundings, async (named, deployAs) => {
    const work = async (report: Emit, hooks?: Hooks) => {
      const deps = { ...connection, clock: schedule, random: () => 0, spoolDirectory: temp, signal, emit: report };
      await deployAs(named.request, { ...deps, ...hooks });
    };
    const endpoint = new Endpoint(world.url, { apiKey: API_KEY });
    await onGitHub(named, github, { ...surroundings, endpoint }, work);
  });
  return outcome;
}

/** The step that removes: the preview of the event, or all of which the pull request is closed. */
async function removeRun(world: World, event: GitHubEvent): Promise<void> {
  const env = await environment(world, event, { "only-owner": "true" });
  const surroundings = { redactor: new Redactor(), signal: new AbortController().signal, emit: () => undefined };
  await remove(await readRemoveInputs(env), surroundings);
}

/** One race: what is wrong when all runs have ended, and then the sweep. */
async function race(world: World, seed: string): Promise<readonly string[]> {
  const { github, service } = world;
  const { pulls, deployments } = github.state;
  const random = seeded(seed);
  const below = (end: number) => Math.floor(random() * end);
  const chance = (share: number) => random() < share;
  const schedule = new Schedule({ random, way: 100 });
  world.schedule = schedule;
  github.faults.clear();
  if (chance(0.03)) github.faults.add({ method: "GET", path: /\/pulls\/\d+$/ }, refused(502));
  if (chance(0.03)) github.faults.add({ method: "POST", path: /\/deployments$/ }, lost);
  deployments.lag.lists = chance(0.15) ? 1 + below(3) : 0;
  const { number } = pulls.open();
  const name = `${NAME}-pr-${String(number)}`;
  const ends: string[] = [];
  const killed = new AbortController();
  const isKilled = chance(0.1);
  const begin = (attempt = 1) => {
    const { headSha } = pulls.find(number);
    const event = pullRequestEvent(github.state, number, "synchronize");
    const signal = isKilled ? killed.signal : new AbortController().signal;
    return async () => {
      const ending = deployRun(world, event, headSha, attempt, signal);
      ends.push(await ending.catch((reason: unknown) => String(reason)));
    };
  };
  const removing = async (event: GitHubEvent) => {
    await removeRun(world, event).catch((reason: unknown) => ends.push(`removal: ${String(reason)}`));
  };
  const first = begin();
  const again = begin(2);
  const story: readonly Happening[] = storyOf(below);
  const runs: Promise<unknown>[] = [];
  const tell = async () => {
    for (const happening of story) {
      await schedule.sleep(random() * 2_500);
      const run = happen(happening);
      if (run !== undefined) runs.push(schedule.all([run], 1_500));
    }
    if (isKilled) killed.abort(new Error("The run was cancelled."));
  };
  const happen = (happening: Happening): (() => Promise<void>) | undefined => {
    if (happening === "rerun") return again;
    if (happening === "closed") {
      pulls.close(number);
      const event = pullRequestEvent(github.state, number, "closed", "pull_request_target");
      // GitHub does not run it for a pull request that has conflicts.
      return chance(0.15) ? undefined : () => removing(event);
    }
    if (happening === "reopened") pulls.reopen(number);
    else pulls.push(number);
    return begin();
  };
  runs.push(schedule.all([first, tell], 500));
  for (let waited = 0; waited < runs.length;) {
    waited = runs.length;
    await Promise.all(runs);
  }
  const there = () => service.deployments().filter((deployment) => deployment.name === name);
  const isOpen = pulls.find(number).state === "open";
  const before = there();
  github.faults.clear();
  const sweep = () => removeRun(world, { event: {}, env: { GITHUB_EVENT_NAME: "schedule" } });
  await sweep();
  // A record that the lists do not know yet is for the next one.
  for (let lag = deployments.lag.lists; lag > 0; lag -= 1) await sweep();
  const after = there();
  const revision = after[0]?.latest_revision_id;
  const said = `${story.join(", ")}: ${ends.join(", ")}`;
  const active = deployments.all
    .filter(({ task }) => task === `deploy:${name}`)
    .filter((one) => stateOf(one) === "success");
  const wrong = [
    ...(before.length > 1 ? [`${String(before.length)} deployments`] : []),
    ...(isOpen && !isKilled && after.length === 0 ? ["deleted although it is open"] : []),
    ...(isOpen && after.length > 0 && revision == null ? ["without a revision"] : []),
    ...(!isOpen && after.length > 0 ? ["an orphan that the sweep did not find"] : []),
    ...(!isOpen && !isKilled && story.at(-1) === "closed" && before.length > 0 && ends.includes("removed")
      ? ["removed, and there"]
      : []),
    ...(!isOpen && active.length > 0 ? ["a record says that it is live"] : []),
    // One that is not listed yet is for the next deploy.
    ...(active.length > 1 && deployments.lag.lists === 0 ? ["two records say that they are live"] : []),
    ...OTHERS.filter((other) => !service.deployments().some((deployment) => deployment.name === other)),
  ];
  for (const { id } of after) await world.tidy(id);
  // Its records are for the next sweep.
  if (isOpen) pulls.close(number);
  world.ends.push(...ends);
  return wrong.map((what) => `${what} (${said})`);
}

const STORIES: readonly (readonly Happening[])[] = [
  ["closed"],
  ["closed"],
  ["synchronize"],
  ["synchronize", "closed"],
  ["closed", "reopened"],
  ["closed", "reopened", "closed"],
  ["synchronize", "rerun"],
  ["synchronize", "closed", "rerun"],
];

function storyOf(below: (end: number) => number): readonly Happening[] {
  return STORIES[below(STORIES.length)] ?? [];
}

test("no race of a close with a deploy leaves an orphan that the sweep does not find, or deletes what is open", async () => {
  const world = await makeWorld();
  const seeds = Array.from({ length: RACES }, (_, index) => `preview/${String(index)}`);
  const bad: string[] = [];
  for (const seed of seeds.filter((one) => only === undefined || one === only)) {
    for (const wrong of await race(world, seed))
      bad.push(`FAULT_SEED=${seed} npm run test:fault -- preview-races: ${wrong}`);
  }
  const requests = world.github.requests.length + world.service.requests.length;
  console.log(`${String(seeds.length)} races, ${String(requests)} requests, ${String(bad.length)} bad`);
  expect(bad).toEqual([]);
  if (only !== undefined) return;
  // Races in which nobody gets in the way of another would be clean, too.
  const count = (outcome: string) => world.ends.filter((end) => end === outcome).length;
  expect(count("deployed")).toBeGreaterThan(100);
  expect(count("removed")).toBeGreaterThan(10);
  expect(count("skipped")).toBeGreaterThan(10);
});
