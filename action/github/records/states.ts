import * as z from "zod";
import { spare } from "../../../src/contract/spare.ts";
import { cut } from "../../../src/text/foreign-text.ts";
import type { GitHub } from "../client.ts";
import { GitHubError, isStatus, parsed, unlessGone } from "../errors.ts";
import type { ListedRecord } from "./record.ts";

export const RECORD_STATES = ["error", "failure", "in_progress", "inactive", "success"] as const;

export type RecordState = (typeof RECORD_STATES)[number];

export interface StatusFacts {
  readonly description?: string | undefined;
  /** The page of the workflow run. */
  readonly logUrl?: string | undefined;
  /** The address of the agent. */
  readonly environmentUrl?: string | undefined;
}

const LONGEST_DESCRIPTION = 140;

/** The states of a record, newest first. */
export const Statuses = z.array(z.object({ state: z.string(), description: spare(z.string()) }));

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

// Not `databaseId`: it has 32 bits, which ids of deployments do not fit any more.
const STATES = `query($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Deployment { latestStatus { state } } }
}`;
const States = z.object({
  nodes: z.array(
    z
      .object({ latestStatus: z.object({ state: z.string() }).nullable() })
      .nullable()
      .catch(null),
  ),
});
// What GraphQL returns beside what it has of the other nodes.
const PartOfStates = z.object({ errors: z.array(z.object({ type: z.literal("NOT_FOUND") })), data: States });

const FailedQuery = z.object({ errors: z.array(z.unknown()) });
// Each takes a request.
const MOST_LOOKS = 20;

/** What is known of the states of records. */
export interface KnownStates {
  /** The newest state of each; undefined before its first. Those that are gone are left out. */
  readonly states: ReadonlyMap<number, string | undefined>;
  /** Only the first ones were looked at. */
  readonly isPart: boolean;
}

/** The states of at most a hundred records, in one request where GitHub takes it: else those of the first twenty, one by one. */
export async function statesOf(
  github: GitHub,
  records: readonly Pick<ListedRecord, "id" | "nodeId">[],
): Promise<KnownStates> {
  try {
    return { states: await statesAtOnce(github, records), isPart: false };
  } catch (error) {
    const isRefused = error instanceof GitHubError && (error.status ?? 500) < 500;
    const isRefusedQuery = error instanceof GitHubError && FailedQuery.safeParse(error.cause).success;
    if (!isRefused && !isRefusedQuery) throw error;
  }
  const states = new Map<number, string | undefined>();
  for (const { id } of records.slice(0, MOST_LOOKS)) {
    const statuses = await unlessGone(statusesOf(github, id, 1));
    if (statuses) states.set(id, statuses[0]?.state);
  }
  return { states, isPart: records.length > MOST_LOOKS };
}

async function statesAtOnce(
  github: GitHub,
  records: readonly Pick<ListedRecord, "id" | "nodeId">[],
): Promise<KnownStates["states"]> {
  const asked = records.flatMap(({ id, nodeId }) => (nodeId === undefined ? [] : [{ id, nodeId }]));
  if (asked.length === 0) return new Map();
  const ids = asked.map(({ nodeId }) => nodeId);
  const answer = await github.graphql(STATES, { ids }).catch((error: unknown) => {
    // Another run has deleted some of them.
    const part = PartOfStates.safeParse(error instanceof GitHubError ? error.cause : undefined);
    if (!part.success) throw error;
    return part.data.data;
  });
  const nodes = States.safeParse(answer).data?.nodes;
  // They come in the order of their ids.
  if (nodes?.length !== asked.length) {
    throw new GitHubError("POST /graphql did not return the states of deployment records");
  }
  return new Map(
    asked.flatMap(({ id }, place) => {
      const node = nodes[place] ?? undefined;
      return node ? [[id, node.latestStatus?.state.toLowerCase()] as const] : [];
    }),
  );
}

/** The revision that a record is of, which its last statuses name; undefined where none does. */
export async function revisionOf(github: GitHub, id: number): Promise<string | undefined> {
  for (const { description } of await statusesOf(github, id, MOST_STATUSES)) {
    const revision = REVISION_TEXT.exec(description ?? "")?.[1];
    if (revision !== undefined) return revision;
  }
  return undefined;
}

/** True for a record whose run got as far as a revision, or to its end. */
export async function hasRevision(github: GitHub, id: number): Promise<boolean> {
  const statuses = (await unlessGone(statusesOf(github, id, MOST_STATUSES))) ?? [];
  return statuses.some(({ state, description }) => state === "success" || REVISION_TEXT.test(description ?? ""));
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
  return parsed(Statuses, data, `${route} did not return the states of a deployment record`);
}

/** True for a record of a deploy that has not ended. */
export function isOpen(state: string | undefined): boolean {
  return state === undefined || ["in_progress", "pending", "queued", "waiting"].includes(state);
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
