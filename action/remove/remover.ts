import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { plainNames, previewName } from "../../src/deployment/preview-name.ts";
import { findDeployment } from "../../src/deployment/remove.ts";
import { nameList } from "../../src/text/quoted.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { GitHubError } from "../github/errors.ts";
import { taskOf } from "../github/records/place.ts";
import { previewRecordsOf } from "../github/records/retirement.ts";
import { removePreview } from "../github/preview-removal.ts";
import { NotRemovedError } from "./errors.ts";
import type { RemoveStepEvent } from "./events.ts";
import type { RemovalInputs } from "./inputs.ts";
import { inLanes } from "./lanes.ts";
import { findLeftRecords } from "./left-records.ts";
import { otherServiceText, type ReachedTenant } from "./other-service.ts";
import {
  isPullRequestOpen,
  type KnownPreview,
  knowPreviews,
  type LookContext,
  planRemoval,
  type Preview,
  whoseIs,
  type WhyRemoved,
} from "./previews.ts";
import { Tidying, type GonePreview, type TidyingDeps } from "./tidying.ts";

export interface RemoverDeps extends LookContext, ReachedTenant, TidyingDeps {
  readonly emit: (event: RemoveStepEvent) => void;
}

/** Removes the previews of one run of the step. */
export class Remover {
  readonly #inputs: RemovalInputs;
  readonly #deps: RemoverDeps;
  readonly #tidying: Tidying;
  readonly #gone: GonePreview[] = [];
  readonly #left: string[] = [];
  readonly #failed: string[] = [];
  #cannotDelete = false;

  constructor(inputs: RemovalInputs, deps: RemoverDeps) {
    this.#inputs = inputs;
    this.#deps = deps;
    this.#tidying = new Tidying(inputs, deps);
  }

  async run(previews: readonly Preview[]): Promise<void> {
    const { which } = this.#inputs;
    const { emit, clock } = this.#deps;
    if (which.pullRequest !== undefined && previews.length === 0) {
      await this.#missing(which.pullRequest);
      return;
    }
    if (previews.length === 0) {
      const message = await this.#whereElse();
      if (message !== undefined) emit({ type: "notice", message });
    }
    const limits = which.pullRequest === undefined ? which : { maxAgeMilliseconds: undefined, maxCount: undefined };
    const needsAge = limits.maxAgeMilliseconds !== undefined || limits.maxCount !== undefined;
    const known = await knowPreviews(previews, { needsAge }, this.#deps);
    const { removed, kept } = planRemoval(known, limits, clock.date().getTime());
    for (const decision of kept) emit({ type: "kept", ...decision });
    this.#warnOfOthers(kept.filter(({ why }) => why === "not-owned" || why === "undated"));
    // A service takes its time for each delete, and the next ones need not wait for it.
    await inLanes(removed, ({ preview, why }) => this.#remove(preview, why));
    // What is gone matters more than what GitHub shows of it, which takes long for many.
    await this.#tidying.after(this.#gone.map((one) => ({ ...one, isStillShown: this.#isStillThere(one, known) })));
    if (which.pullRequest === undefined) await this.#deleteLeft(new Set(previews.map(({ name }) => name)));
    this.#conclude();
  }

  /** True where the pull request has another preview, which stays: an open one may have one with an old name beside its new one. */
  #isStillThere({ preview: { pullRequest } }: GonePreview, known: readonly KnownPreview[]): boolean {
    const gone = new Set(this.#gone.map(({ preview }) => preview.name));
    return known.some((one) => one.owner === "ours" && one.pullRequest === pullRequest && !gone.has(one.name));
  }

  /** Records whose preview was gone before this run. */
  async #deleteLeft(existing: ReadonlySet<string>): Promise<void> {
    const { bestEffort, clock, signal, emit } = this.#deps;
    await bestEffort.attempt("Looking for deployment records without a preview", async () => {
      for await (const left of findLeftRecords(existing, { ...this.#deps, now: clock.date() })) {
        if (this.#tidying.isOver) return;
        if (this.#inputs.task !== "dry-run" && !(await this.#tidying.afterOne(left))) continue;
        emit({ type: "records-deleted", preview: left.preview, count: left.records.length });
      }
    });
    signal.throwIfAborted();
  }

  #warnOfOthers(others: readonly { readonly preview: Preview }[]): void {
    if (others.length === 0) return;
    const names = nameList(others.map(({ preview }) => preview.name));
    const message = this.#inputs.isOnlyOwner
      ? "Not removed, since deployment records of this repository say that a workflow deploys them without `preview`: " +
        `${names}. Delete them in the service if they are not needed.`
      : `Not removed, since no deployment record of this repository proves whose they are: ${names}. Set ` +
        "`only-owner: true` if nobody else has deployments named like these previews, or delete them in the service.";
    this.#deps.emit({ type: "warning", message });
  }

  /** What says that the previews are at another service than this one. */
  async #whereElse(): Promise<string | undefined> {
    const look = () => otherServiceText(this.#inputs.which, this.#deps);
    return await this.#deps.bestEffort.attempt("Reading the deployment records", look);
  }

  /** There is no deployment; records and a comment may be left of one. */
  async #missing(pullRequest: number): Promise<void> {
    const { bestEffort, github, names, emit } = this.#deps;
    const name = previewName(names, pullRequest);
    const reason = await this.#whereElse();
    if (!this.#inputs.mayBeMissing) {
      throw new NotRemovedError(`Pull request #${String(pullRequest)} has no preview ${name}.`, {
        advice: reason ?? "If that is not an error, set `if-missing: succeed`.",
      });
    }
    if (reason !== undefined) emit({ type: "warning", message: reason });
    if (this.#inputs.task === "dry-run") return;
    await bestEffort.attempt("The cleanup on GitHub", async () => {
      const plain = previewName(plainNames(names), pullRequest);
      // Before the look: a run that begins once it is open again keeps its record.
      const records = [...(await this.#records(name)), ...(await this.#records(plain))];
      if (await isPullRequestOpen({ pullRequest }, github)) return;
      const isElsewhere = reason !== undefined;
      await this.#tidying.afterOne({ preview: { name, pullRequest }, why: "closed", records, isElsewhere });
    });
  }

  async #remove(preview: KnownPreview, why: WhyRemoved): Promise<void> {
    try {
      await this.#tryToRemove(preview, why);
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      if (!(error instanceof GraphDeployError || error instanceof GitHubError)) throw error;
      this.#fail(preview, error.message);
    }
  }

  async #tryToRemove(preview: KnownPreview, why: WhyRemoved): Promise<void> {
    const { emit } = this.#deps;
    if (this.#cannotDelete) {
      this.#leave(preview);
      return;
    }
    if (this.#inputs.task === "dry-run") {
      emit({ type: "removed", preview, why, milliseconds: undefined });
      return;
    }
    const records = await this.#records(preview.name);
    const reason = await this.#whyKept(preview, why);
    if (reason !== undefined) {
      emit({ type: "kept", preview, why: reason });
      return;
    }
    emit({ type: "removing", preview, why });
    const { timeoutMilliseconds } = this.#inputs;
    const request = { deploymentId: preview.deployment.id, timeoutMilliseconds };
    const { outcome, milliseconds, reason: left } = await removePreview(request, this.#deps);
    if (outcome === "unsupported") {
      this.#cannotDelete = true;
      this.#leave(preview);
    } else if (left !== undefined) {
      this.#fail(preview, left);
    } else {
      emit({ type: "removed", preview, why, milliseconds });
      this.#gone.push({ preview, why, records });
    }
  }

  /** Looks again, right before the delete: a pull request may be open again, and a preview deployed again or another's. */
  async #whyKept(preview: KnownPreview, why: WhyRemoved): Promise<"not-owned" | "open" | undefined> {
    const { controlPlane, github } = this.#deps;
    const { id, latest_revision_id: before } = preview.deployment;
    const deployment = await findDeployment(controlPlane, id);
    if (deployment) {
      if (why !== "closed" && deployment.latest_revision_id !== before) return "open";
      if ((await whoseIs({ ...preview, deployment }, this.#deps)) !== "ours") return "not-owned";
    }
    // At last, since the other looks take their time.
    return why === "closed" && (await isPullRequestOpen(preview, github)) ? "open" : undefined;
  }

  async #records(name: string): Promise<readonly number[]> {
    const { bestEffort, github, service } = this.#deps;
    const read = () => previewRecordsOf(github, { task: taskOf(name), service });
    return (await bestEffort.attempt("Reading the deployment records", read)) ?? [];
  }

  #leave(preview: Preview): void {
    this.#left.push(preview.name);
    this.#deps.emit({ type: "kept", preview, why: "cannot-delete" });
  }

  #fail(preview: Preview, reason: string): void {
    this.#failed.push(preview.name);
    this.#deps.emit({ type: "failed", preview, reason: withoutFullStop(reason) });
  }

  #conclude(): void {
    if (this.#left.length > 0) {
      const message = `This service cannot delete deployments. Delete them there: ${nameList(this.#left)}.`;
      this.#deps.emit({ type: "warning", message });
    }
    if (this.#failed.length === 0) return;
    throw new NotRemovedError(`Not removed: ${nameList(this.#failed)}.`, {
      advice: "The log has the reasons. Run again: a preview that no longer exists is not an error.",
    });
  }
}
