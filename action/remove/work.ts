import { connectTo } from "../../src/connection.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { previewName } from "../../src/deployment/preview-name.ts";
import { findDeployment, removeDeployment } from "../../src/deployment/remove.ts";
import { systemClock } from "../../src/http/clock.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { Redact } from "../../src/text/foreign-text.ts";
import { nameList } from "../../src/text/quoted.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub } from "../github/client.ts";
import { commentRemoval } from "../github/comment/comment.ts";
import { GitHubError } from "../github/errors.ts";
import { serviceOf, taskOf } from "../github/records/record.ts";
import { deleteRecords, recordsOf } from "../github/records/retirement.ts";
import { reachService } from "../step/rehearsal.ts";
import type { Surroundings } from "../step/run-step.ts";
import { NotRemovedError } from "./errors.ts";
import type { RemoveStepEvent } from "./events.ts";
import type { RemovalInputs, RemoveInputs } from "./inputs.ts";
import { deleteLeftRecords } from "./left-records.ts";
import {
  planRemoval,
  type KnownPreview,
  type Preview,
  type WhyRemoved,
  findPreviews,
  isPullRequestOpen,
  knowPreviews,
  type LookContext,
} from "./previews.ts";
import { removedText } from "./report.ts";

type Emit = Surroundings<RemoveStepEvent>["emit"];

// A service takes its time for each delete, and the next ones need not wait for it.
const MOST_AT_ONCE = 4;

/** Removes what the inputs name, or shows what it would remove. */
export async function carryOut(inputs: RemoveInputs, surroundings: Surroundings<RemoveStepEvent>): Promise<void> {
  const begin = performance.now();
  if (inputs.task !== "skip") {
    const { connection, runner } = inputs;
    await using reached = await reachService(connection.service, runner.temp, connection.fieldNames);
    await removeAt(reached.endpoint, inputs, surroundings);
  }
  surroundings.emit({ type: "ended", milliseconds: performance.now() - begin, error: undefined });
}

async function removeAt(
  endpoint: Endpoint,
  inputs: RemovalInputs,
  { redactor, signal, emit }: Surroundings<RemoveStepEvent>,
): Promise<void> {
  const onRetry = (notice: Extract<RemoveStepEvent, { type: "retry" }>["notice"]): void => {
    emit({ type: "retry", notice });
  };
  await using connection = connectTo(endpoint, { ...inputs.connection, redactor, signal, onRetry });
  const { controlPlane } = connection;
  const { names, which, isOnlyOwner } = inputs;
  const service = serviceOf(endpoint.url, inputs.connection.tenantId);
  const previews = await findPreviews(which, { controlPlane, names });
  emit({ type: "previews-found", name: names.stem, previews });
  await using github = await connectGitHub(inputs.github, { redactor, signal, onRetry });
  const bestEffort = new BestEffort((message) => {
    emit({ type: "warning", message });
  });
  const context: LookContext = { controlPlane, github, bestEffort, isOnlyOwner, service };
  await new Remover(inputs, context, { redactor, signal, emit }).run(previews);
}

/** Removes the previews of one run of the step. */
class Remover {
  readonly #inputs: RemovalInputs;
  readonly #context: LookContext;
  readonly #emit: Emit;
  readonly #signal: AbortSignal;
  readonly #redact: Redact;
  readonly #left: string[] = [];
  readonly #failed: string[] = [];
  #cannotDelete = false;

  constructor(inputs: RemovalInputs, context: LookContext, { redactor, signal, emit }: Surroundings<RemoveStepEvent>) {
    this.#inputs = inputs;
    this.#context = context;
    this.#signal = signal;
    this.#redact = (text) => redactor.text(text);
    this.#emit = emit;
  }

  async run(previews: readonly Preview[]): Promise<void> {
    const { which } = this.#inputs;
    if (which.pullRequest !== undefined && previews.length === 0) {
      await this.#missing(which.pullRequest);
      return;
    }
    const limits = which.pullRequest === undefined ? which : { maxAgeMilliseconds: undefined, maxCount: undefined };
    const needsAge = limits.maxAgeMilliseconds !== undefined || limits.maxCount !== undefined;
    const known = await knowPreviews(previews, { needsAge }, this.#context);
    const { removed, kept } = planRemoval(known, limits, systemClock.date().getTime());
    for (const decision of kept) this.#emit({ type: "kept", ...decision });
    this.#warnOfOthers(kept.filter(({ why }) => why === "not-owned").map(({ preview: { name } }) => name));
    const queue = removed.values();
    const lane = async (): Promise<void> => {
      for (const { preview, why } of queue) await this.#remove(preview, why);
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, lane));
    if (which.pullRequest === undefined) await this.#deleteLeft(new Set(previews.map(({ name }) => name)));
    this.#conclude();
  }

  /** Records whose preview was gone before this run. */
  async #deleteLeft(existing: ReadonlySet<string>): Promise<void> {
    const { names, environment, task } = this.#inputs;
    const { bestEffort } = this.#context;
    const where = { ...this.#context, names, environment, isDryRun: task === "dry-run", now: systemClock.date() };
    await bestEffort.attempt("Looking for deployment records without a preview", async () => {
      for await (const left of deleteLeftRecords(existing, where)) this.#emit({ type: "records-deleted", ...left });
    });
    this.#signal.throwIfAborted();
  }

  #warnOfOthers(names: readonly string[]): void {
    if (names.length === 0) return;
    const message =
      `Not removed, since no deployment record of this repository names them: ${nameList(names)}. Set \`environment\` ` +
      "in the step that deploys, or `only-owner: true` if no other repository deploys previews of this name.";
    this.#emit({ type: "warning", message });
  }

  /** There is no deployment; records and a comment may be left of one. */
  async #missing(pullRequest: number): Promise<void> {
    const name = previewName(this.#inputs.names, pullRequest);
    if (!this.#inputs.mayBeMissing) {
      throw new NotRemovedError(`Pull request #${String(pullRequest)} has no preview ${name}.`, {
        advice: "If that is not an error, set `if-missing: succeed`.",
      });
    }
    if (this.#inputs.task === "dry-run") return;
    const { bestEffort, github } = this.#context;
    await bestEffort.attempt("The cleanup on GitHub", async () => {
      if (await isPullRequestOpen({ pullRequest }, github)) return;
      await this.#tidyUp({ name, pullRequest }, "closed", await this.#records(name));
    });
  }

  async #remove(preview: KnownPreview, why: WhyRemoved): Promise<void> {
    try {
      await this.#tryToRemove(preview, why);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof GraphDeployError || error instanceof GitHubError)) throw error;
      this.#fail(preview, error.message);
    }
  }

  async #tryToRemove(preview: KnownPreview, why: WhyRemoved): Promise<void> {
    if (this.#cannotDelete) {
      this.#leave(preview);
      return;
    }
    if (this.#inputs.task === "dry-run") {
      this.#emit({ type: "removed", preview, why, milliseconds: undefined });
      return;
    }
    const records = await this.#records(preview.name);
    if (!(await this.#isStillDue(preview, why))) {
      this.#emit({ type: "kept", preview, why: "open" });
      return;
    }
    this.#emit({ type: "removing", preview, why });
    const { controlPlane } = this.#context;
    const { timeoutMilliseconds } = this.#inputs;
    const request = { deploymentId: preview.deployment.id, deleteTracingProject: true, timeoutMilliseconds };
    const deps = { controlPlane, clock: systemClock, signal: this.#signal, emit: this.#emit };
    const { outcome, milliseconds } = await removeDeployment(request, deps);
    if (outcome === "unsupported") {
      this.#cannotDelete = true;
      this.#leave(preview);
    } else if (outcome === "still-there") {
      this.#fail(preview, "the service is still deleting it, and did not finish within the timeout");
    } else {
      this.#emit({ type: "removed", preview, why, milliseconds });
      await this.#tidyUp(preview, why, records);
    }
  }

  /** Looks again, right before the delete: a pull request may be open again, and a preview deployed again. */
  async #isStillDue(preview: KnownPreview, why: WhyRemoved): Promise<boolean> {
    const { controlPlane, github } = this.#context;
    if (why === "closed") return !(await isPullRequestOpen(preview, github));
    const { id, latest_revision_id: before } = preview.deployment;
    const deployment = await findDeployment(controlPlane, id);
    return deployment === undefined || deployment.latest_revision_id === before;
  }

  /** The records that are there before the delete: those of a later deploy of the same preview stay. */
  async #records(name: string): Promise<readonly number[]> {
    const { bestEffort, github, service } = this.#context;
    const read = () => recordsOf(github, { task: taskOf(name), service });
    return (await bestEffort.attempt("Reading the deployment records", read)) ?? [];
  }

  async #tidyUp(
    { name, pullRequest }: Pick<Preview, "name" | "pullRequest">,
    why: WhyRemoved,
    records: readonly number[],
  ): Promise<void> {
    const { bestEffort, github } = this.#context;
    await bestEffort.attempt("Deleting the deployment records", () => deleteRecords(github, records));
    const { names, commentKey = names.stem, github: inputs } = this.#inputs;
    // As the deploy of a preview calls its section: by its input, not by the pull request in which the comment is.
    const owner = { key: commentKey, run: inputs.run, redact: this.#redact };
    const text = `Removed: ${removedText({ pullRequest }, why)}.`;
    const surroundings = { clock: systemClock, random: Math.random, signal: this.#signal };
    await bestEffort.attempt("Writing into the comment", () =>
      commentRemoval(github, pullRequest, { name, text, ...owner }, surroundings),
    );
  }

  #leave(preview: Preview): void {
    this.#left.push(preview.name);
    this.#emit({ type: "kept", preview, why: "cannot-delete" });
  }

  #fail(preview: Preview, reason: string): void {
    this.#failed.push(preview.name);
    this.#emit({ type: "failed", preview, reason: withoutFullStop(reason) });
  }

  #conclude(): void {
    if (this.#left.length > 0) {
      const message = `This service cannot delete deployments. Delete them there: ${nameList(this.#left)}.`;
      this.#emit({ type: "warning", message });
    }
    if (this.#failed.length === 0) return;
    throw new NotRemovedError(`Not removed: ${nameList(this.#failed)}.`, {
      advice: "The log has the reasons. Run again: a preview that no longer exists is not an error.",
    });
  }
}
