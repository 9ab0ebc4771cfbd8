import { hash } from "node:crypto";
import * as z from "zod";
import { spare } from "../../../src/contract/spare.ts";
import type { Clock } from "../../../src/http/clock.ts";
import { cut } from "../../../src/text/foreign-text.ts";
import type { GitHub } from "../client.ts";
import { GitHubError, isStatus } from "../errors.ts";

/** The states that a record has here. */
export const RECORD_STATES = ["error", "failure", "in_progress", "inactive", "success"] as const;

/** One of the states. */
export type RecordState = (typeof RECORD_STATES)[number];

/** Which records are those of one deployment of the service in one environment of the repository. */
export interface RecordPlace {
  readonly environment: string;
  /** See `taskOf`. */
  readonly task: string;
  /** See `serviceOf`. */
  readonly service: string;
}

/** The record that a run makes. */
export interface NewRecord extends RecordPlace {
  /** The commit that is deployed. */
  readonly sha: string;
  /** The name or the id of the deployment in the service. */
  readonly name: string;
  /** The id of the workflow run and its attempt; undefined outside of a runner. */
  readonly runId: string | undefined;
  readonly attempt: number | undefined;
  /** `sha256:` and the hex digest of the files that are deployed, where it is known. */
  readonly digest?: string | undefined;
  /** The revision that a rollback goes back to: the commit says nothing of its files then. */
  readonly rolledBackTo?: string | undefined;
}

/** What a status says besides its state. */
export interface StatusFacts {
  readonly description?: string | undefined;
  /** The page of the workflow run. */
  readonly logUrl?: string | undefined;
  /** The address of the agent. */
  readonly environmentUrl?: string | undefined;
}

/** A record as the list shows it. */
export interface ListedRecord {
  readonly id: number;
  readonly task: string;
  readonly madeAt: Date | undefined;
  readonly runId: string | undefined;
  readonly attempt: number | undefined;
  readonly digest: string | undefined;
  /** The commit of the files that were deployed; undefined for a rollback, whose record is on the commit of its run. */
  readonly commit: string | undefined;
}

/** The task of the records of a deployment: environments are shared, and the task distinguishes the deployments. */
export function taskOf(name: string): string {
  return `${TASK}${name}`;
}

/**
 * What distinguishes the records of a service from those of another one, which may have a deployment of the same name: a hash,
 * because everybody who reads the repository can read the record.
 */
export function serviceOf(url: URL, tenantId: string | undefined): string {
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  return hash("sha256", JSON.stringify([address, tenantId ?? null])).slice(0, 16);
}

/** The name of the deployment whose task this is; undefined for a task that graph-deploy did not set. */
export function nameIn(task: string): string | undefined {
  return task.startsWith(TASK) ? task.slice(TASK.length) : undefined;
}

const TASK = "deploy:";

// A list may not have yet what was made a moment ago.
const LAG_MILLISECONDS = 2_000;
// The one that was made a moment ago is the newest.
const MOST_OF_COMMIT = 20;
const LONGEST_DESCRIPTION = 140;

const Payload = z.object({
  run_id: z.string().optional(),
  run_attempt: z.int().optional(),
  service: z.string().optional(),
  digest: spare(z.string().regex(/^sha256:[0-9a-f]{64}$/)),
  rolled_back_to: spare(z.string()),
});
const Listed = z.object({
  id: z.int().positive(),
  task: z.string(),
  sha: spare(z.string().regex(/^[0-9a-f]{40,64}$/)),
  // GitHub keeps what it was given: an object, or a text.
  payload: Payload.catch({}),
  created_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
});
/** The states of a record, newest first. */
export const Statuses = z.array(z.object({ state: z.string(), description: spare(z.string()) }));

/**
 * Makes the record of a run and returns its id. After a response that was lost it is looked for, and made once more only
 * if it is not there.
 */
export async function createRecord(github: GitHub, record: NewRecord, clock: Clock): Promise<number> {
  try {
    return await create(github, record);
  } catch (error) {
    if (!(error instanceof GitHubError) || !error.mayHaveBeenProcessed) throw error;
    for (const wait of [0, LAG_MILLISECONDS]) {
      await clock.sleep(wait);
      const made = await findOwn(github, record);
      if (made !== undefined) return made;
    }
    return await create(github, record);
  }
}

async function create(
  github: GitHub,
  { sha, environment, task, service, name, runId, attempt, digest, rolledBackTo }: NewRecord,
): Promise<number> {
  const { status, data } = await github.request("POST /repos/{owner}/{repo}/deployments", {
    ref: sha,
    environment,
    task,
    payload: { name, service, run_id: runId, run_attempt: attempt, digest, rolled_back_to: rolledBackTo },
    // The defaults would merge the base into the branch, and wait for the checks of which this run is one.
    auto_merge: false,
    required_contexts: [],
  });
  const made = Listed.safeParse(data);
  if (made.success) return made.data.id;
  throw new GitHubError(`GitHub returned ${String(status)}, and made no deployment record`);
}

async function findOwn(github: GitHub, { sha, runId, attempt, ...place }: NewRecord): Promise<number | undefined> {
  let left = MOST_OF_COMMIT;
  for await (const record of listRecords(github, place, { sha, mostPages: 2 })) {
    if (record.runId === runId && record.attempt === attempt) return record.id;
    left -= 1;
    if (left === 0) break;
  }
  return undefined;
}

/** Which records are listed: without an environment, those in any; without a task, those of any. */
export type ListedPlace = Partial<RecordPlace> & Pick<RecordPlace, "service">;

/**
 * The records of a place, newest first, also those that name no service. EndlessListError if there are more than so many
 * pages of a hundred.
 */
export async function* listRecords(
  github: GitHub,
  { environment, task, service }: ListedPlace,
  { sha, mostPages }: { readonly sha?: string; readonly mostPages: number },
): AsyncGenerator<ListedRecord, void, undefined> {
  const query = {
    ...(task === undefined ? {} : { task }),
    ...(environment === undefined ? {} : { environment }),
    ...(sha === undefined ? {} : { sha }),
  };
  for await (const page of github.pages("GET /repos/{owner}/{repo}/deployments", query, { mostPages })) {
    for (const item of page) {
      const { success, data } = Listed.safeParse(item);
      if (!success || data.task !== (task ?? data.task)) continue;
      const { id, payload, sha: commit, created_at: madeAt } = data;
      // Older versions did not write it.
      if ((payload.service ?? service) !== service) continue;
      yield {
        id,
        task: data.task,
        madeAt: madeAt === undefined ? undefined : new Date(madeAt),
        runId: payload.run_id,
        attempt: payload.run_attempt,
        digest: payload.digest ?? undefined,
        commit: payload.rolled_back_to == null ? (commit ?? undefined) : undefined,
      };
    }
  }
}

/** Gives a record a state. Addresses that GitHub refuses are left out. */
export async function setState(github: GitHub, id: number, state: RecordState, facts: StatusFacts = {}): Promise<void> {
  const send = async (body: ReturnType<typeof statusBody>): Promise<void> => {
    const route = "POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
    await github.request(route, { deployment_id: id, ...body });
  };
  const body = statusBody(state, facts);
  try {
    await send(body);
  } catch (error) {
    if (!isStatus(error, 422) || (body.log_url ?? body.environment_url) === undefined) throw error;
    await send(statusBody(state, { description: facts.description }));
  }
}

/** What is sent to give a record a state: only addresses of the web, and no more of the description than GitHub takes. */
export function statusBody(state: RecordState, { description = "", logUrl, environmentUrl }: StatusFacts) {
  return {
    state,
    description: cut(description, LONGEST_DESCRIPTION),
    // GitHub would retire what other deployments have in this environment.
    auto_inactive: false,
    ...(isWebAddress(logUrl) ? { log_url: logUrl } : {}),
    ...(isWebAddress(environmentUrl) ? { environment_url: environmentUrl } : {}),
  };
}

/** The newest state of a record; undefined before its first. */
export async function stateOf(github: GitHub, id: number): Promise<string | undefined> {
  const [newest] = await statusesOf(github, id, 1);
  return newest?.state;
}

/** The revision that a record is of, which its last statuses name; undefined where none does. */
export async function revisionOf(github: GitHub, id: number): Promise<string | undefined> {
  for (const { description } of await statusesOf(github, id, MOST_STATUSES)) {
    const revision = REVISION_TEXT.exec(description ?? "")?.[1];
    if (revision !== undefined) return revision;
  }
  return undefined;
}

/** How the description of a status names the revision: `revisionOf` reads it again. */
export function revisionText(id: string): string {
  return `revision ${id}`;
}

const REVISION_TEXT = /(?:^|, )revision ([\w-]{1,128})(?:,|$)/;
// In progress, how it ended, and inactive once it was replaced.
const MOST_STATUSES = 10;

async function statusesOf(github: GitHub, id: number, most: number): Promise<z.output<typeof Statuses>> {
  const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
  const { data } = await github.request(route, { deployment_id: id, per_page: most });
  const statuses = Statuses.safeParse(data);
  if (!statuses.success) throw new GitHubError(`${route} did not return the states of a deployment record`);
  return statuses.data;
}

/** True for a record of a deploy that has not ended. */
export function isOpen(state: string | undefined): boolean {
  return state === undefined || ["in_progress", "pending", "queued", "waiting"].includes(state);
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
