import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, inject, onTestFinished } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { startAct, type ActOptions, type ActRun, type RunningAct } from "./act.ts";
import { change, makeRepository } from "./repository.ts";

const API_KEY = "key-of-the-workflow-0123456789";
const MODEL_API_KEY = "model-key-9876543210";
/** What nobody may be able to read, in whatever a run shows. */
export const SECRETS = [API_KEY, MODEL_API_KEY];

type More = Partial<Pick<ActOptions, "event" | "vars" | "secrets" | "env">> & {
  /** What the event's file holds. */
  readonly payload?: object;
};

/** A repository with workflows, and the service to which they deploy and upload. */
export interface Rig {
  readonly service: LocalService;
  /** Runs the workflows; the service's address and the keys are its variables and secrets. */
  run(more?: More): Promise<ActRun>;
  start(more?: More): RunningAct;
  commit(path: string, text: string): Promise<void>;
  /** What the jobs have in RUNNER_TEMP, or left there when they were red; relative paths. */
  temporary(): Promise<readonly string[]>;
}

/** An example workflow, as it is in examples/workflows. */
export function example(name: string): Promise<string> {
  return readFile(join(projectRoot, "examples/workflows", name), "utf8");
}

/** Skips the tests of a file, with the reason, where act cannot be had. */
export function needsAct(): void {
  beforeEach((context) => {
    const act = inject("act");
    if ("missing" in act) context.skip(act.missing);
  });
}

/** Why a workflow with this text cannot run here; undefined when it can. */
export function missingFor(workflow: string): string | undefined {
  if (!workflow.includes("python3 ")) return undefined;
  const { status } = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
  return status === 0 ? undefined : "The evaluation of the example needs Python 3.11 or later as python3.";
}

/** Puts these workflows into a repository of its own, and starts a service. */
export async function rig(workflows: readonly string[], options: LocalServiceOptions = {}): Promise<Rig> {
  const act = inject("act");
  if ("missing" in act) throw new Error(act.missing);
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-workflow-"));
  const service = await startLocalService({ walkMilliseconds: 50, apiKey: API_KEY, ...options });
  const running: RunningAct[] = [];
  onTestFinished(async () => {
    for (const { end, result } of running) {
      end();
      await result.catch(() => undefined);
    }
    await service.close();
    await rm(root, { recursive: true, force: true });
  });
  const [repository, jobs, home] = [join(root, "repository"), join(root, "jobs"), join(root, "home")];
  await mkdir(repository);
  await mkdir(home);
  await makeRepository(repository, workflows);
  const actions = usedActions(workflows, await publish(root));
  const start = ({ vars, secrets, env, payload, ...more }: More = {}) => {
    const eventFile = join(root, `event-${String(running.length)}.json`);
    if (payload !== undefined) writeFileSync(eventFile, JSON.stringify(payload));
    const started = startAct({
      act: act.path,
      repository,
      jobs,
      home,
      actions,
      vars: { CONTROL_PLANE_URL: service.url, EXPERIMENTS_URL: service.url, ...vars },
      secrets: { GRAPH_API_KEY: API_KEY, MODEL_API_KEY, ...secrets },
      env: {
        CACHE_FIXTURE_FOLDER: join(root, "cache"),
        ARTIFACT_FIXTURE_FOLDER: join(root, "artifacts"),
        ...env,
      },
      ...(payload === undefined ? {} : { payload: eventFile }),
      ...more,
    });
    running.push(started);
    return started;
  };
  return {
    service,
    start,
    run: (more) => start(more).result,
    commit: (path, text) => change(repository, path, text),
    temporary: () => found(glob("*/tmp/**", { cwd: jobs })),
  };
}

async function found(paths: AsyncIterable<string>): Promise<readonly string[]> {
  const list: string[] = [];
  for await (const path of paths) list.push(path);
  return list;
}

/**
 * Lays out what a runner needs of this repository: act copies the folder whole for each step, node_modules and all. The
 * bundle stays where it is, so that Node finds what it has compiled of it before.
 */
async function publish(root: string): Promise<string> {
  const published = join(root, "published");
  const steps = await found(glob("action/*/action.yml", { cwd: projectRoot }));
  for (const path of ["action.yml", ...steps]) await cp(join(projectRoot, path), join(published, path));
  await symlink(join(projectRoot, "action/dist"), join(published, "action/dist"), "dir");
  return published;
}

/** The folder of each action that the workflows use; act itself does what actions/checkout does. */
function usedActions(workflows: readonly string[], published: string): ReadonlyMap<string, string> {
  const folders = new Map([
    ["OWNER/graph-deploy", published],
    ...["cache", "upload-artifact", "download-artifact"].map(
      (name) => [`actions/${name}`, join(import.meta.dirname, "fixtures", name)] as const,
    ),
  ]);
  const uses = workflows.flatMap((text) => [...text.matchAll(/\buses:\s*["']?([^\s"'@]+)@([^\s"']+)/g)]);
  const found = new Map<string, string>();
  for (const [, path = "", ref = ""] of uses) {
    const repository = path.split("/").slice(0, 2).join("/");
    if (repository === "actions/checkout") continue;
    const folder = folders.get(repository);
    if (folder === undefined) throw new Error(`there is no fixture for ${path}@${ref}, and nothing is fetched`);
    found.set(`${repository}@${ref}`, folder);
  }
  return found;
}
