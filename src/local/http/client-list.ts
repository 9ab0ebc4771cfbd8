import { invalid } from "./error.ts";
import { writeJson } from "./raw-json.ts";
import type { HttpResponse } from "./response.ts";

/** Filters of public clients that the local service does not have: to ignore one would list what was not asked for. */
const MISSING_FILTERS = ["metadata", "filter", "tag_value_id", "dataset_version"];

/** 422 for a list that is asked for by such a filter. */
export function refuseFilters(query: URLSearchParams): void {
  const missing = MISSING_FILTERS.filter((name) => query.has(name));
  if (missing.length === 0) return;
  const msg = "is a filter that the local service does not have: leave it out, and choose among what is listed";
  throw invalid(missing.map((name) => ({ loc: ["query", name], msg, type: "value_error" })));
}

/** A list as public clients read it: JSON, with the length of the whole list in a header. */
export function clientList(items: readonly unknown[], total: number): HttpResponse {
  return { status: 200, headers: { "x-pagination-total": String(total) }, jsonText: writeJson(items) };
}
