import * as z from "zod";
import { invalid } from "./error.ts";
import { writeJson } from "./raw-json.ts";
import type { HttpResponse } from "./response.ts";
import { offsetParam, pageLimit, readQuery } from "./router.ts";

/** How public clients ask for a part of a list, and by what they choose. */
export const ClientListQuery = z.object({
  limit: pageLimit(100, 1000),
  offset: offsetParam,
  name: z.string().optional(),
  name_contains: z.string().optional(),
  /** May be repeated: any of these. */
  id: z.array(z.string()).optional(),
});

/** Filters of public clients that the local service does not have: to ignore one would list what was not asked for. */
const MISSING_FILTERS = ["metadata", "filter", "tag_value_id", "dataset_version"];

/** The query of a list of public clients; `repeated` names the parameters that are lists. */
export function readClientList<Schema extends z.ZodType>(
  schema: Schema,
  query: URLSearchParams,
  repeated: readonly string[] = ["id"],
): z.infer<Schema> {
  const missing = MISSING_FILTERS.filter((name) => query.has(name));
  if (missing.length > 0) {
    const msg = "is a filter that the local service does not have: leave it out, and choose among what is listed";
    throw invalid(missing.map((name) => ({ loc: ["query", name], msg, type: "value_error" })));
  }
  const lists = repeated.filter((name) => query.has(name)).map((name) => [name, query.getAll(name)] as const);
  return readQuery(schema, { ...Object.fromEntries(query), ...Object.fromEntries(lists) });
}

/** A list as public clients read it: JSON, with the length of the whole list in a header. */
export function clientList(items: readonly unknown[], total: number): HttpResponse {
  return { status: 200, headers: { "x-pagination-total": String(total) }, jsonText: writeJson(items) };
}
