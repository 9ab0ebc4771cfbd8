import type * as z from "zod";
import { pageOf } from "../contract/deployment.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";

// The most that services give on one page.
const PAGE_SIZE = 100;

/**
 * All items of a list, page by page. It ends at an empty page, because services cap pages below what is asked for,
 * and at a page that brings nothing new, because some ignore the offset.
 */
export async function* allPages<Item extends z.ZodType<{ readonly id: string }>>(
  api: JsonApi,
  path: string,
  item: Item,
  query: Readonly<Record<string, string>>,
  options: CallOptions,
): AsyncGenerator<z.output<Item>> {
  const seen = new Set<string>();
  for (let offset = 0; ;) {
    const { resources } = await api.request({
      ...options,
      method: "GET",
      path,
      query: { ...query, limit: PAGE_SIZE, offset },
      schema: pageOf(item),
    });
    const fresh = resources.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return;
    for (const resource of fresh) {
      seen.add(resource.id);
      yield resource;
    }
    offset += resources.length;
  }
}
