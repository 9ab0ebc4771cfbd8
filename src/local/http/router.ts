import * as z from "zod";
import { isUuid } from "../../contract/uuid.ts";
import { toValidationErrors } from "../../contract/validation-error.ts";
import type { HttpCall } from "./call.ts";
import { HttpError, invalid } from "./error.ts";
import type { HttpResponse } from "./response.ts";

/** The variable parts of a path, by their names in the route. */
export type PathParams = ReadonlyMap<string, string>;

/** One operation of a server. */
export interface Route {
  readonly method: string;
  /** Parts that start with a colon are variable; one whose name ends in `_id` must be a UUID. */
  readonly path: string;
  readonly handle: (call: HttpCall, params: PathParams) => HttpResponse | Promise<HttpResponse>;
}

/** A route that responds with HTML. */
export function pageRoute(path: string, html: (call: HttpCall, params: PathParams) => string): Route {
  return { method: "GET", path, handle: (call, params) => ({ status: 200, html: html(call, params) }) };
}

/** What a server says of the requests that it has no route for. */
export interface Unserved {
  /** Why the server does not serve this one; undefined for a request that nobody would expect of it. */
  readonly missingReason?: (method: string, path: string) => string | undefined;
  /** What a request of an unknown path gets. */
  readonly unknown?: string;
}

/**
 * Handles a call by the first matching route: 404 for a request that is missing on purpose and for an unknown path, 405
 * for another method, 422 for an invalid UUID.
 */
export async function route(
  routes: readonly Route[],
  call: HttpCall,
  path: string,
  { missingReason, unknown = "Not Found" }: Unserved = {},
): Promise<HttpResponse> {
  const given = path.split("/");
  const fits = routes.flatMap((candidate) => {
    const params = match(candidate.path, given);
    return params === undefined ? [] : [{ candidate, params }];
  });
  const found = fits.find(({ candidate }) => candidate.method === call.method);
  if (found === undefined) {
    const missing = missingReason?.(call.method, path);
    if (missing !== undefined || fits.length === 0) throw new HttpError(404, missing ?? unknown);
    const allow = fits.map(({ candidate }) => candidate.method).join(", ");
    throw new HttpError(405, "Method Not Allowed", { allow });
  }
  const errors = [...found.params]
    .filter(([name, value]) => name.endsWith("_id") && !isUuid(value))
    .map(([name]) => ({ loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing" }));
  if (errors.length > 0) throw invalid(errors);
  return await found.candidate.handle(call, found.params);
}

/** A variable part of the path; UUIDs in lower case. */
export function param(params: PathParams, name: string): string {
  const value = params.get(name) ?? "";
  return name.endsWith("_id") ? value.toLowerCase() : value;
}

function match(pattern: string, given: readonly string[]): PathParams | undefined {
  const wanted = pattern.split("/");
  if (wanted.length !== given.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else if (value === "") return undefined;
    else params.set(part.slice(1), value);
  }
  return params;
}

/** A query parameter: how many items a page has. */
export function pageLimit(usual: number, most: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

/** A query parameter: how many items to skip. */
export const offsetParam = z.coerce.number().int().min(0).default(0);

/** The query of a request, or its parameters by name. Unknown names are ignored; invalid values are a 422. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: URLSearchParams | Readonly<Record<string, string | readonly string[]>>,
): z.infer<Schema> {
  const parsed = schema.safeParse(query instanceof URLSearchParams ? Object.fromEntries(query) : query);
  if (!parsed.success) throw invalid(toValidationErrors(parsed.error, "query"));
  return parsed.data;
}

/** A query parameter: what the items of a page hold; empty for all. */
const searchParam = z.string().trim().default("");

const PageQuery = z.object({ offset: offsetParam, search: searchParam });

/** The part of a list that a page shows: `limit` items that fit the search in its address, from the offset on. */
export function pageRange({ query }: HttpCall, limit: number) {
  return { ...readQuery(PageQuery, query), limit };
}
