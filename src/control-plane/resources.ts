import type * as z from "zod";
import type { LogKind, LogLine, Revision } from "../contract/deployment.ts";
import { parseInstant } from "../contract/instant.ts";
import { CONTROL_PLANE } from "../contract/operations/control-plane.ts";
import { requestTo } from "../contract/operations/operation.ts";
import type { Clock } from "../http/clock.ts";
import { printableUrl } from "../http/base-url.ts";
import type { ApiRequest, CallOptions, JsonApi } from "../http/json-api.ts";
import { walkPages, type ListOptions } from "../http/page-walk.ts";
import { isMissingEndpoint } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import { InvalidRequestError } from "./errors.ts";

export interface PlaneList<Item extends { readonly id: string }> {
  /** What is listed: `deployments`. */
  readonly of: string;
  /** The part of it that begins at an offset; an element that is undefined is skipped. */
  readonly page: (offset: number) => ApiRequest<z.ZodType<{ readonly resources: readonly (Item | undefined)[] }>>;
  /** Called with each page before its items are. */
  readonly onPage?: (items: readonly (Item | undefined)[]) => void;
}

/** All items of a list, page by page. Throws what `walkPages` throws. */
export function allPages<Item extends { readonly id: string }>(
  { of, page, onPage }: PlaneList<Item>,
  { api, clock }: { readonly api: JsonApi; readonly clock: Clock },
  options: ListOptions,
): AsyncGenerator<Item, void, undefined> {
  const list = {
    what: `The list of ${of} at ${printableUrl(api.url)}`,
    idOf: ({ id }: Item) => id,
    clock,
    page: async (offset: number, callOptions: CallOptions) => {
      const { resources } = await api.request({ ...callOptions, ...page(offset) });
      onPage?.(resources);
      return resources;
    },
  };
  return walkPages(list, options);
}

/** All revisions of a list, newest first: one that a service sorts in another way is read to its end. */
export async function* newestFirst(
  list: PlaneList<Revision>,
  deps: { readonly api: JsonApi; readonly clock: Clock },
  options: ListOptions,
): AsyncGenerator<Revision, void, undefined> {
  const order = { isNewestFirst: true };
  const onPage = (page: readonly (Revision | undefined)[]): void => {
    const times = page.filter((revision) => revision !== undefined).map(createdAt);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    if (first < last && first > 0) order.isNewestFirst = false;
  };
  const others: Revision[] = [];
  for await (const revision of allPages({ ...list, onPage }, deps, options)) {
    if (order.isNewestFirst) yield revision;
    else others.push(revision);
  }
  yield* others.sort((one, other) => createdAt(other) - createdAt(one));
}

/** Microseconds since 1970; 0 where the service does not say. */
function createdAt({ created_at }: Revision): number {
  return Number(parseInstant(created_at ?? "")?.microseconds ?? 0n);
}

/** The last lines of a revision's log, oldest first; undefined if the service has no logs. */
export async function lastLogLines(
  api: JsonApi,
  deploymentId: string,
  revisionId: string,
  kind: LogKind,
  limit: number,
  options: CallOptions,
): Promise<readonly LogLine[] | undefined> {
  const ids = checkedIds({ deployment_id: deploymentId, revision_id: revisionId });
  const last = { order: "desc", limit } as const;
  const places = [
    requestTo(CONTROL_PLANE[`${kind}Logs`], ids, { body: last }),
    requestTo(CONTROL_PLANE.logs, ids, { query: { type: kind, ...last } }),
  ];
  const ask = (place: (typeof places)[number]) => api.request({ ...options, ...place });
  try {
    const { result } = await findPath(places, ask, { isElsewhere: isMissingEndpoint });
    return result.logs.slice(0, limit).reverse();
  } catch (error) {
    if (isMissingEndpoint(error)) return undefined;
    throw error;
  }
}

/**
 * The same ids, for a path. Throws InvalidRequestError for "", "." and "..", with which a URL leads to the resource above,
 * where a DELETE works too.
 */
export function checkedIds<Ids extends Readonly<Record<string, string>>>(ids: Ids): Ids {
  const wrong = Object.entries(ids).filter(([, id]) => /^\.{0,2}$/.test(id));
  if (wrong.length === 0) return ids;
  const violations = wrong.map(([name]) => ({ loc: [name], msg: "must be an id", type: "value_error" }));
  throw new InvalidRequestError("The request", violations);
}
