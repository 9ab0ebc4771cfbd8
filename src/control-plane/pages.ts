import type * as z from "zod";
import { pageOf } from "../contract/deployment.ts";
import type { Clock } from "../http/clock.ts";
import { printableUrl } from "../http/base-url.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { PAGE_SIZE, walkPages, type ListOptions } from "../http/page-walk.ts";

/** A list of the control plane, and how it is asked for. */
export interface PlaneList<Item> {
  /** What is listed: `deployments`. */
  readonly of: string;
  readonly path: string;
  readonly item: Item;
  readonly query?: Readonly<Record<string, string>>;
}

/** All items of a list, page by page. Throws what `walkPages` throws. */
export function allPages<Item extends z.ZodType<{ readonly id: string }>>(
  { of, path, item, query }: PlaneList<Item>,
  { api, clock }: { readonly api: JsonApi; readonly clock: Clock },
  options: ListOptions,
): AsyncGenerator<z.output<Item>, void, undefined> {
  const list = {
    what: `The list of ${of} at ${printableUrl(api.baseUrl)}`,
    idOf: ({ id }: z.output<Item>) => id,
    clock,
    page: async (offset: number, callOptions: CallOptions) => {
      const request = {
        method: "GET",
        path,
        query: { ...query, limit: PAGE_SIZE, offset },
        schema: pageOf(item),
      } as const;
      return (await api.request({ ...callOptions, ...request })).resources;
    },
  };
  return walkPages(list, options);
}
