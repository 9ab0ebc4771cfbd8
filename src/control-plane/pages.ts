import type * as z from "zod";
import { pageOf } from "../contract/deployment.ts";
import type { Clock } from "../http/clock.ts";
import { printableUrl } from "../http/base-url.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { PAGE_SIZE, walkPages, type ListOptions } from "../http/page-walk.ts";

/** A list of the control plane, and how it is requested. */
export interface PlaneList<Item extends { readonly id: string }> {
  /** What is listed: `deployments`. */
  readonly of: string;
  readonly path: string;
  /** What an element must be; undefined is skipped. */
  readonly element: z.ZodType<Item | undefined>;
  readonly query?: Readonly<Record<string, string>>;
}

/** All items of a list, page by page. Throws what `walkPages` throws. */
export function allPages<Item extends { readonly id: string }>(
  { of, path, element, query }: PlaneList<Item>,
  { api, clock }: { readonly api: JsonApi; readonly clock: Clock },
  options: ListOptions,
): AsyncGenerator<Item, void, undefined> {
  const list = {
    what: `The list of ${of} at ${printableUrl(api.url)}`,
    idOf: ({ id }: Item) => id,
    clock,
    page: async (offset: number, callOptions: CallOptions) => {
      const request = {
        method: "GET",
        path,
        query: { ...query, limit: PAGE_SIZE, offset },
        schema: pageOf(element),
      } as const;
      return (await api.request({ ...callOptions, ...request })).resources;
    },
  };
  return walkPages(list, options);
}
