import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";
import type { Ended } from "../../front/steps/deploy/work.ts";
import { openRecord } from "../../action/deploy/recorded-work.ts";
import { deployStep } from "../../action/deploy/step.ts";
import { openPreview } from "../../action/deploy/preview-work.ts";
import { closeLeft } from "../../action/github/records/close-left.ts";
import { removeStep } from "../../action/remove/step.ts";
import { carryOut as remove } from "../../action/remove/work.ts";
import type { DeployEvent } from "../../src/deployment/events.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { connect, Redactor } from "../../src/index.ts";
import { hostOf, optionsOf } from "../front/hosted.ts";
import type { GitHubEvent } from "../github/events.ts";
import { NAME, type PreviewWorld, type Service } from "./preview-world.ts";

/** How a run is cut off: its runner dies, its process is killed and the post step runs, or somebody cancels it. */
export interface Kill {
  readonly kind: "cancelled" | "dead" | "killed";
  readonly afterMilliseconds: number;
}

/** How much longer than those of others a request of a run to this path of GitHub takes, milliseconds. */
export type Way = (path: string) => number;

/** A run that deploys to one service. */
export interface DeployRun {
  readonly event: GitHubEvent;
  /** The newest commit of the pull request when the run was started. */
  readonly sha: string;
  readonly id: string;
  readonly attempt: number;
  readonly wait: boolean;
  readonly kill: Kill | undefined;
  readonly way: Way | undefined;
}

/** What the runs of one race share. */
interface RunSettings {
  readonly isPlain: boolean;
  readonly isOnlyOwner: boolean;
}

/** The runs of one race: each is the step as its inputs say, on the clock of the race. */
export class PreviewRuns {
  readonly #world: PreviewWorld;
  readonly #settings: RunSettings;

  constructor(world: PreviewWorld, settings: RunSettings) {
    this.#world = world;
    this.#settings = settings;
  }

  /** The outcome, once the post step has run too. */
  async deploy(service: Service, run: DeployRun): Promise<string> {
    const { schedule, dead, github } = this.#world;
    const token = this.#token(run.way);
    const kill = new AbortController();
    if (run.kill !== undefined) {
      const { kind, afterMilliseconds } = run.kill;
      const killer = async () => {
        await schedule.sleep(afterMilliseconds);
        if (kind !== "cancelled") dead.add(`token ${token}`);
        kill.abort(new Error("The run was cut off."));
      };
      void schedule.all([killer]);
    }
    let saved = "";
    const save = (state: string): void => {
      if (run.kill?.kind === "cancelled" || !kill.signal.aborted) saved = state;
    };
    const deploying = this.#deploy(service, run, { token, signal: kill.signal, save });
    const outcome = await deploying.catch((error: unknown) => String(error));
    await this.#world.settled(token);
    if (saved !== "" && run.kill?.kind !== "dead") {
      const env = await this.#world.environment(run.event, service, { "github-token": github.tokenOf() });
      await closeLeft(env, saved, { clock: schedule, warn: () => undefined, mask: () => undefined });
    }
    return run.kill === undefined ? outcome : `${outcome} (${run.kill.kind})`;
  }

  /** A token, by which GitHub knows how long the way of a run is. */
  #token(way: Way | undefined): string {
    const { github, ways } = this.#world;
    const token = github.tokenOf();
    if (way !== undefined) ways.set(`token ${token}`, way);
    return token;
  }

  async #deploy(
    service: Service,
    { event, sha, id, attempt, wait }: DeployRun,
    proc: { readonly token: string; readonly signal: AbortSignal; readonly save: (state: string) => void },
  ): Promise<string> {
    const { schedule } = this.#world;
    const { token, signal, save } = proc;
    const given = await this.#world.environment(event, service, {
      ...{ source: "external_docker", "image-uri": `registry.example/agent:${sha}`, preview: "true" },
      ...{ environment: "preview", "smoke-test": "false", "poll-interval": "1s", "github-token": token },
      ...{ wait: String(wait), "preview-name": this.#settings.isPlain ? "plain" : "unique" },
      ...{ "only-owner": String(this.#settings.isOnlyOwner) },
    });
    const env = { ...given, GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: String(attempt) };
    const read = await optionsOf(deployStep, env);
    if (read.task !== "deploy" || read.preview === undefined || read.github === undefined) {
      throw new Error("No preview.");
    }
    const { preview, github } = read;
    const redactor = new Redactor();
    const time = { clock: schedule, random: () => 0 };
    const apiKey = given["INPUT_API-KEY"] ?? "";
    await using connection = connect({ url: service.url, apiKey, signal, redactor, ...time });
    let outcome = "";
    const emit = (one: DeployStepEvent) => {
      if (one.type === "ended") outcome = one.outcome;
    };
    const saveState = (_: string, state: string) => {
      save(state);
    };
    const surroundings = { host: { ...hostOf(env), saveState }, redactor, signal, emit, ...time };
    await using opened = await openPreview({ ...read, preview }, surroundings);
    if (opened === undefined) return outcome;
    const { request, pullRequest, deployAs } = opened;
    const endpoint = new Endpoint(service.url, { apiKey });
    const recorded = { request, connection: read.connection, endpoint, github, pullRequest };
    await using record = openRecord({ ...recorded, isPlainPreview: preview.isPlain }, surroundings);
    const { listen, ...hooks } = record;
    let ended: Ended | undefined;
    const report = (event: DeployEvent) => {
      if (event.type === "ended") ended = event;
      listen?.(event);
      emit(event);
    };
    const deps = { ...connection, ...time, spoolDirectory: given["RUNNER_TEMP"] ?? "", signal, emit: report };
    try {
      await deployAs(request, { ...deps, ...hooks });
    } finally {
      if (ended !== undefined) await hooks.onEnd?.(ended);
    }
    return outcome;
  }

  /** The step that removes: the preview of the event, or all of which the pull request is closed. The reason of a failure. */
  async remove(service: Service, event: GitHubEvent, way?: Way): Promise<string | undefined> {
    const { schedule } = this.#world;
    const token = this.#token(way);
    const { isOnlyOwner } = this.#settings;
    const inputs = { "github-token": token, "only-owner": String(isOnlyOwner), name: NAME };
    const env = await this.#world.environment(event, service, inputs);
    const read = await optionsOf(removeStep, env);
    const surroundings = {
      host: hostOf(env),
      redactor: new Redactor(),
      signal: new AbortController().signal,
      emit: () => undefined,
    };
    const removing = remove(read, { ...surroundings, clock: schedule, random: () => 0 });
    const reason = await removing.then(
      () => undefined,
      (error: unknown) => `removal: ${String(error)}`,
    );
    await this.#world.settled(token);
    return reason;
  }

  async sweep(service: Service, way?: Way): Promise<string | undefined> {
    return await this.remove(service, { event: {}, env: { GITHUB_EVENT_NAME: "schedule" } }, way);
  }
}
