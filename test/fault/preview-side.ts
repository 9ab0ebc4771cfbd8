import { plainNames, previewName } from "../../src/deployment/preview-name.ts";
import { marksOf } from "../../action/github/records/place.ts";
import { stateOf, type Deployment as Record } from "../github/deployments.ts";
import { BOT } from "../github/tokens.ts";
import type { Kill } from "./preview-runs.ts";
import { NAME, type PreviewWorld, type Service } from "./preview-world.ts";

/** What an earlier version left: a preview with a plain name that its record proves, or that none or a newer one names. */
export type Earlier = "newer" | "none" | "proved" | "unproved";

/** What is known of a race before its last run. */
export interface Before {
  readonly isOpen: boolean;
  /** Whether a removal ran for the last close. */
  readonly hasRemoval: boolean;
  readonly isWaiting: boolean;
  readonly kills: readonly Kill["kind"][];
  /** Nothing was lost, late or refused. */
  readonly isSound: boolean;
  readonly lag: number;
}

interface Foreign {
  readonly id: string;
  readonly name: string;
}

/** One service of a race: its previews, what is there of others, and what is wrong there. */
export class PreviewSide {
  readonly service: Service;
  readonly #world: PreviewWorld;
  readonly #name: string;
  readonly #plain: string;
  readonly #number: number;
  readonly #isOnlyOwner: boolean;
  readonly #foreign: Foreign[] = [];
  #earlier: Foreign | undefined;

  constructor(
    world: PreviewWorld,
    service: Service,
    { name, number, isOnlyOwner }: { readonly name: string; readonly number: number; readonly isOnlyOwner: boolean },
  ) {
    this.#world = world;
    this.service = service;
    this.#name = name;
    this.#number = number;
    this.#isOnlyOwner = isOnlyOwner;
    this.#plain = previewName(plainNames({ stem: NAME, limit: 63, repository: undefined }), number);
  }

  /** Makes what is there before the race. */
  async begin(earlier: Earlier, hasForeign: boolean): Promise<void> {
    const otherOwner = previewName({ stem: NAME, limit: 63, repository: "42" }, this.#number);
    if (hasForeign) await this.#make(otherOwner, this.#foreign);
    if (earlier === "none") return;
    const made: Foreign[] = [];
    await this.#make(this.#plain, made);
    const [plain] = made;
    if (plain === undefined) return;
    if (earlier === "proved" || this.#isOnlyOwner) this.#earlier = plain;
    else this.#foreign.push(plain);
    if (earlier === "unproved") return;
    // The services have the time of the machine.
    const aside = earlier === "proved" ? -60_000 : 60_000;
    this.#world.date = new Date(Date.now() + aside);
    const { deployments, pulls } = this.#world.github.state;
    const { service } = marksOf(new URL(this.service.url), undefined);
    const record = deployments.create(
      {
        ...{ ref: pulls.find(this.#number).headSha, task: `deploy:${this.#plain}`, environment: "preview" },
        ...{ payload: { name: this.#plain, run_id: "1", run_attempt: 1, service }, description: null },
        ...{ auto_merge: false, required_contexts: [], transient_environment: false },
      },
      BOT,
    );
    if ("merged" in record) throw new Error("merged");
    const status = { log_url: "", target_url: "", environment_url: "", auto_inactive: false, environment: undefined };
    const revision = this.service.local.revisions(plain.id)[0]?.id ?? "";
    deployments.addStatus(record.id, { state: "success", description: `revision ${revision}, 3s`, ...status }, BOT);
    this.#world.date = undefined;
  }

  async #make(name: string, into: Foreign[]): Promise<void> {
    const id = await this.#world.make(this.service, name);
    if (id !== undefined) into.push({ id, name });
  }

  /** Deletes what is there after the race. */
  async end(): Promise<void> {
    const { deployments } = this.#world.github.state;
    for (const { id } of this.#foreign) await this.#world.delete(this.service, id);
    for (const { name, id } of this.service.local.deployments()) {
      if (name === this.#name || name === this.#plain) await this.#world.delete(this.service, id);
    }
    for (const record of this.#recordsOf(this.#plain, this.#name)) deployments.forget(record.id);
  }

  /** Whether the name of the preview is another's here. */
  get #isTaken(): boolean {
    return this.#foreign.some(({ name }) => name === this.#name);
  }

  get #deployments() {
    const foreign = new Set(this.#foreign.map(({ id }) => id));
    return this.service.local.deployments().filter(({ id, name }) => name === this.#name && !foreign.has(id));
  }

  #recordsOf(...names: readonly string[]): readonly Record[] {
    const { service } = marksOf(new URL(this.service.url), undefined);
    const tasks = new Set(names.map((name) => `deploy:${name}`));
    return this.#world.github.state.deployments.all.filter(({ task, payload }) => {
      return tasks.has(task) && typeof payload === "object" && payload["service"] === service;
    });
  }

  /** The records of the preview, newest first. */
  get #records(): readonly Record[] {
    return this.#recordsOf(this.#name);
  }

  get #states(): string {
    return `records: ${this.#records.map((record) => stateOf(record) ?? "none").join(", ")}`;
  }

  /** The states of those that say that something is live, or on its way. */
  get #open(): readonly (string | undefined)[] {
    const states = this.#records.map((record) => stateOf(record));
    return states.filter((state) => state === undefined || state === "in_progress" || state === "success");
  }

  /**
   * What is wrong before the last run, which would mend it. Until then nothing is promised of records that were not listed
   * yet, or whose response was lost.
   */
  wrongBefore({ isOpen, hasRemoval, isWaiting, kills, isSound, lag }: Before): readonly string[] {
    if (this.#isTaken) return this.#wrongOfTaken();
    const [there, open] = [this.#deployments, this.#open];
    const isWhole = kills.length === 0;
    const isSure = isSound && lag === 0 && isWaiting;
    const wrong = there.length > 1 ? [`${String(there.length)} deployments`] : [];
    if (isOpen) {
      if (isWhole && there.length === 0) wrong.push("it is deleted although it is open");
      if (isWhole && there.length === 1 && isSound) wrong.push(...this.#wrongCommit());
      if (isWhole && there.length === 1 && isSound && isWaiting) wrong.push(...this.#wrongSuccess());
      if (isWhole && isSure && open.join() !== "success") wrong.push(this.#states);
      // The post step closes what a killed process leaves in progress.
      const isRunning = open.some((state) => state !== "success");
      if (isSure && !kills.includes("dead") && isRunning) wrong.push(this.#states);
    } else if (hasRemoval && isWhole) {
      // Only its record proves whose a plain name is, and the list may not have had that when the removal looked.
      const isProved = this.#name !== this.#plain || this.#isOnlyOwner || lag === 0;
      if (isProved && there.length > 0) wrong.push("it is left although it was removed");
      if (isSure && open.length > 0) wrong.push(this.#states);
    }
    return wrong.map((what) => `before the last run: ${what}`);
  }

  /** What is there of a preview whose pull request is closed. */
  left(): readonly string[] {
    if (this.#isTaken) return this.#wrongOfTaken();
    const [there, records] = [this.#deployments.length, this.#records];
    return [
      ...(there > 0 ? [`${String(there)} deployments are left`] : []),
      ...(records.length > 0 ? [`left ${this.#states}`] : []),
      ...this.#wrongOfEarlier(),
    ];
  }

  wrongOfOpen(): readonly string[] {
    if (this.#isTaken) return this.#wrongOfTaken();
    const there = this.#deployments;
    if (there.length !== 1) return [`${String(there.length)} deployments`];
    return [
      ...this.#wrongCommit(),
      ...this.#wrongRecords(),
      ...(this.#name === this.#plain ? [] : this.#wrongOfEarlier()),
    ];
  }

  /** The commit that serves is the newest of the pull request. */
  #wrongCommit(): readonly string[] {
    const { headSha } = this.#world.github.state.pulls.find(this.#number);
    const [deployment] = this.#deployments;
    const image = deployment && this.#active(deployment)?.source_revision_config.image_uri;
    return image === `registry.example/agent:${headSha}` ? [] : [`it is of ${String(image)}, and not of ${headSha}`];
  }

  #active({ id, active_revision_id: active }: { readonly id: string; readonly active_revision_id: string | null }) {
    return this.service.local.revisions(id).find((revision) => revision.id === active);
  }

  /** One record is a success: that of the revision that serves. */
  #wrongRecords(): readonly string[] {
    return this.#open.join() === "success" ? this.#wrongSuccess() : [this.#states];
  }

  /** A record that is a success names the revision that serves. */
  #wrongSuccess(): readonly string[] {
    const serves = this.#deployments[0]?.active_revision_id ?? "none";
    const named = this.#records
      .filter((record) => stateOf(record) === "success")
      .map(({ statuses }) => statuses.at(-1));
    if (named.some((status) => status?.description.includes(serves))) return [];
    return [
      `${serves} serves, and a success are ${named.map((status) => status?.description).join(" and ") || "none"}`,
    ];
  }

  /** The preview of an earlier version, and what its records say. */
  #wrongOfEarlier(): readonly string[] {
    if (this.#earlier === undefined) return [];
    const { id } = this.#earlier;
    const isThere = this.service.local.deployments().some((deployment) => deployment.id === id);
    return [
      ...(isThere ? ["the preview of an earlier version is left"] : []),
      ...(this.#name !== this.#plain && this.#recordsOf(this.#plain).length > 0 ? ["its records are left"] : []),
    ];
  }

  /** Nothing of this repository is said of what is another's. */
  #wrongOfTaken(): readonly string[] {
    return this.#records.some(({ payload }) => typeof payload === "object" && "preview" in payload)
      ? [`it is another's, and has ${this.#states}`]
      : [];
  }

  wrongOfOthers(): readonly string[] {
    const { local } = this.service;
    const there = new Set(local.deployments().map(({ id }) => id));
    const touched = this.#foreign.filter(({ id }) => !there.has(id) || local.revisions(id).length > 1);
    return [...this.#world.missing, ...touched.map(({ name }) => name)].map(
      (what) => `touched what is foreign: ${what}`,
    );
  }
}
