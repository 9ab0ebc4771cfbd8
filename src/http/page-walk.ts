import type * as z from "zod";
import { printableUrl } from "./base-url.ts";
import type { Clock } from "./clock.ts";
import { EndlessListError, TimeoutError } from "./errors.ts";
import { DEADLINE_MILLISECONDS, type ApiRequest, type CallOptions, type JsonApi } from "./json-api.ts";

/** The most items that services give on one page. */
export const PAGE_SIZE = 100;

// As many items as the largest lists have, 100,000 at the usual size of a page; more is a list without an end.
const MOST_PAGES = 1_000;
// Ids are remembered to recognise new items: as many characters as one response may have.
const MOST_ID_CHARACTERS = 16 * 1024 * 1024;

/** What a caller may set for a walk over the pages of a list; `deadlineMilliseconds` is for all pages together. */
export interface ListOptions extends CallOptions {
  /** How many pages are requested at most; 1,000 when not given. A list that has more is an EndlessListError. */
  readonly mostPages?: number | undefined;
}

export interface PagedList<Item> {
  /** Begins a sentence: `The list of deployments at https://host`. */
  readonly what: string;
  /** Requests the page that begins after so many items; one that is undefined cannot be read, and is passed over. */
  readonly page: (offset: number, options: CallOptions) => Promise<readonly (Item | undefined)[]>;
  readonly idOf: (item: Item) => string;
  readonly clock: Clock;
  /** Where the walk begins; at the first item when not given. */
  readonly start?: number | undefined;
}

/**
 * All items of a list, page by page; the one loop over pages of another service. It ends at an empty page, because
 * services cap pages below what is asked for, and at a page that brings nothing new, because some ignore the offset. A
 * service that never comes to an end is left after so many pages, so many ids or so much time; the time that the caller
 * takes between two items does not count. Throws EndlessListError.
 */
export async function* walkPages<Item>(
  { what, page, idOf, clock, start = 0 }: PagedList<Item>,
  { mostPages = MOST_PAGES, deadlineMilliseconds = DEADLINE_MILLISECONDS, ...options }: ListOptions,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let [pages, offset, characters, left] = [0, start, 0, deadlineMilliseconds];
  const tooLate = (cause?: TimeoutError) => new EndlessListError(what, { pages, deadlineMilliseconds, cause });
  while (pages < mostPages && characters < MOST_ID_CHARACTERS) {
    if (left <= 0) throw tooLate();
    const begin = clock.now();
    const items = await page(offset, { ...options, deadlineMilliseconds: left }).catch((error: unknown) => {
      // The last of many pages has little time, and is not what took so long.
      throw pages > 0 && error instanceof TimeoutError && clock.now() - begin >= left ? tooLate(error) : error;
    });
    left -= clock.now() - begin;
    pages += 1;
    offset += items.length;
    const known = seen.size;
    for (const item of items) {
      if (item === undefined) continue;
      const id = idOf(item);
      if (seen.has(id)) continue;
      seen.add(id);
      characters += id.length;
      yield item;
    }
    // What is looked for may be behind a page of which nothing can be read.
    const isUnreadable = items.length > 0 && items.every((item) => item === undefined);
    if (seen.size === known && !isUnreadable) return;
  }
  throw new EndlessListError(what, { pages });
}

/** All items of a list of a service, which responds with those of a page alone; `of` is what is listed: `deployments`. */
export function pagesOf<Item>(
  {
    of,
    api,
    request,
    ...list
  }: Omit<PagedList<Item>, "page" | "what"> & {
    readonly of: string;
    readonly api: JsonApi;
    readonly request: (offset: number) => ApiRequest<z.ZodType<readonly (Item | undefined)[]>>;
  },
  options: ListOptions,
): AsyncGenerator<Item, void, undefined> {
  const what = `The list of ${of} at ${printableUrl(api.url)}`;
  const page = (offset: number, call: CallOptions) => api.request({ ...call, ...request(offset) });
  return walkPages({ ...list, what, page }, options);
}
