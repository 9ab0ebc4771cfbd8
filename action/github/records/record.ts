import { setFields } from "../../../src/contract/set-fields.ts";
import * as z from "zod";
import { spare } from "../../../src/contract/spare.ts";
import { EndlessListError } from "../../../src/http/errors.ts";
import type { Clock } from "../../../src/http/clock.ts";
import type { GitHub } from "../client.ts";
import { GitHubError, parsed } from "../errors.ts";
import type { RecordPlace, ServiceMarks } from "./place.ts";

/** The record that a run makes. */
export interface NewRecord extends RecordPlace, ServiceMarks {
  /** Its own: by it a record is found whose response was lost. */
  readonly key: string;
  /** The pull request whose preview is deployed; undefined for a deployment that is no preview. */
  readonly preview: number | undefined;
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

// A list may not have yet what was made a moment ago.
const LAG_MILLISECONDS = 2_000;
// The one that was made a moment ago is the newest.
const MOST_OF_COMMIT = 20;

const Payload = z.object({
  run_id: z.string().optional(),
  run_attempt: z.int().optional(),
  service: z.string().optional(),
  address: spare(z.string()),
  tenant: spare(z.string()),
  key: spare(z.string()),
  // False for what is no preview, and absent where an earlier version made the record.
  preview: z
    .union([z.int().positive(), z.literal(false)])
    .optional()
    .catch(false),
  digest: spare(z.string().regex(/^sha256:[0-9a-f]{64}$/)),
  rolled_back_to: spare(z.string()),
});
const Listed = z
  .object({
    id: z.int().positive(),
    node_id: spare(z.string()),
    task: z.string(),
    environment: spare(z.string()),
    sha: spare(z.string().regex(/^[0-9a-f]{40,64}$/)),
    // GitHub keeps what it was given: an object, or a text.
    payload: Payload.catch({}),
    created_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  })
  .transform(({ id, node_id, task, environment, sha, payload, created_at: made }) => ({
    id,
    // By which `statesOf` asks for its state.
    nodeId: node_id ?? undefined,
    task,
    environment: environment ?? undefined,
    // What it says of its service; earlier versions wrote less of it, or nothing.
    marks: {
      service: payload.service,
      address: payload.address ?? undefined,
      tenant: payload.tenant ?? undefined,
    },
    key: payload.key ?? undefined,
    preview: payload.preview,
    madeAt: made === undefined ? undefined : new Date(made),
    runId: payload.run_id,
    attempt: payload.run_attempt,
    digest: payload.digest ?? undefined,
    // The record of a rollback is on the commit of its run, which says nothing of its files.
    commit: payload.rolled_back_to == null ? (sha ?? undefined) : undefined,
  }));

/** A record as the list shows it. */
export type ListedRecord = z.output<typeof Listed>;

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
  { sha, environment, task, name, runId, attempt, digest, rolledBackTo, preview, ...more }: NewRecord,
): Promise<number> {
  const { service, address, tenant, key } = more;
  const { status, data } = await github.request("POST /repos/{owner}/{repo}/deployments", {
    ref: sha,
    environment,
    task,
    payload: {
      ...{ name, preview: preview ?? false, service, address, tenant, key },
      ...{ run_id: runId, run_attempt: attempt, digest, rolled_back_to: rolledBackTo },
    },
    // The defaults would merge the base into the branch, and wait for the checks of which this run is one.
    auto_merge: false,
    required_contexts: [],
  });
  return parsed(Listed, data, `GitHub returned ${String(status)}, and made no deployment record`).id;
}

async function findOwn(
  github: GitHub,
  { sha, key, environment, task, service }: NewRecord,
): Promise<number | undefined> {
  let left = MOST_OF_COMMIT;
  for await (const record of listRecords(github, { environment, task, service }, { sha, mostPages: 2 })) {
    if (record.key === key) return record.id;
    left -= 1;
    if (left === 0) break;
  }
  return undefined;
}

/** Which records are listed: without an environment those in any, and so with the task and the service. */
export type ListedPlace = Partial<RecordPlace>;

interface ListOptions {
  readonly sha?: string;
  /** Of a hundred; a thousand records when not given. */
  readonly mostPages?: number;
  /** The newest are enough where there are more: no error. */
  readonly isPartEnough?: boolean;
}

const MOST_PAGES = 10;

/** The records of a place, newest first, also those that name no service. EndlessListError where there are more. */
export async function* listRecords(
  github: GitHub,
  place: ListedPlace,
  options: ListOptions = {},
): AsyncGenerator<ListedRecord, void, undefined> {
  for await (const page of listPages(github, place, options)) yield* page;
}

/** As `listRecords`, a page of at most a hundred at a time. */
export async function* listPages(
  github: GitHub,
  { environment, task, service }: ListedPlace,
  { sha, mostPages = MOST_PAGES, isPartEnough = false }: ListOptions = {},
): AsyncGenerator<readonly ListedRecord[], void, undefined> {
  const query = setFields({ task, environment, sha });
  try {
    for await (const page of github.pages("GET /repos/{owner}/{repo}/deployments", query, { mostPages })) {
      yield page.flatMap((item) => {
        const { success, data } = Listed.safeParse(item);
        if (!success || data.task !== (task ?? data.task)) return [];
        // Older versions did not write it.
        if (service !== undefined && (data.marks.service ?? service) !== service) return [];
        return data;
      });
    }
  } catch (error) {
    if (!isPartEnough || !(error instanceof EndlessListError)) throw error;
  }
}
