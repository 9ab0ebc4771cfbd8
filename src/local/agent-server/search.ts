import { isDeepStrictEqual } from "node:util";
import type { HttpResponse } from "../http/response.ts";

/** How many items a page has where nobody says it. */
const USUAL_LIMIT = 10;

type Facts = Readonly<Record<string, unknown>> | null | undefined;

/** Whether metadata holds each of these values unchanged. */
export function holds(metadata: Facts, wanted: Facts): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => isDeepStrictEqual(metadata?.[key], value));
}

/** A page of a list, with the length of the whole list and where the next page begins. */
export function pageOf(
  items: readonly unknown[],
  { limit = USUAL_LIMIT, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
): HttpResponse {
  const next = offset + limit;
  return {
    status: 200,
    headers: {
      "x-pagination-total": String(items.length),
      ...(next < items.length ? { "x-pagination-next": String(next) } : {}),
    },
    json: items.slice(offset, next),
  };
}
