import * as z from "zod";
import { NO_QUERY, offsetParam, type Names, type Operation } from "../../contract/operations/operation.ts";
import { isUuid } from "../../contract/uuid.ts";
import { toValidationErrors } from "../../contract/validation-error.ts";
import type { HttpCall } from "./call.ts";
import { HttpError, invalid } from "./error.ts";
import type { HttpResponse } from "./response.ts";

/** One operation of a server. */
export interface Route {
  readonly method: string;
  /** Parts in braces are variable; one whose name ends in `_id` must be a UUID, but for those of FREE_IDS. */
  readonly path: string;
  readonly handle: (call: HttpCall, params: PathParams) => HttpResponse | Promise<HttpResponse>;
}

type PathParams = ReadonlyMap<string, string>;

/** Ids that clients choose: what is wrong with one is for its routes to say, in the form of their errors. */
const FREE_IDS: ReadonlySet<string> = new Set(["run_id", "session_id"]);

const isUuidName = (name: string): boolean => name.endsWith("_id") && !FREE_IDS.has(name);

/** A request to a path: the call, and the variable parts by their names; UUIDs in lower case. */
export interface Asked<Path extends string> {
  readonly call: HttpCall;
  readonly param: (name: Names<Path>) => string;
}

/** A route for an operation; its query has been read. */
export function serve<Path extends string, Query extends z.ZodObject>(
  { method, path, query }: Pick<Operation<Path, Query>, "method" | "path" | "query">,
  respond: (asked: Asked<Path> & { readonly query: z.output<Query> }) => HttpResponse | Promise<HttpResponse>,
): Route {
  const handle: Route["handle"] = (call, params) => {
    const param = (name: string): string => {
      const value = params.get(name) ?? "";
      return isUuidName(name) ? value.toLowerCase() : value;
    };
    return respond({ call, param, query: readQuery(query, call.query) });
  };
  return { method, path, handle };
}

/** A route to read what only the local service shows. */
export function get<Path extends string, Query extends z.ZodObject>(
  path: Path,
  query: Query,
  respond: (asked: Asked<Path> & { readonly query: z.output<Query> }) => HttpResponse,
): Route {
  return serve({ method: "GET", path, query }, respond);
}

/** Routes that also exist under the prefix `/api/v1`. */
export function underBothPrefixes(routes: readonly Route[]): readonly Route[] {
  return ["", "/api/v1"].flatMap((prefix) => routes.map((route) => ({ ...route, path: prefix + route.path })));
}

/** A route that responds with HTML. */
export function pageRoute<Path extends string>(path: Path, html: (asked: Asked<Path>) => string): Route {
  return get(path, NO_QUERY, (asked) => ({ status: 200, html: html(asked) }));
}

/** What a server says of the requests that it has no route for. */
export interface Unserved {
  /** Why the server does not serve this one; empty for a request that nobody would expect of it. */
  readonly missingReason?: (method: string, path: string) => string;
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
  { missingReason = () => "", unknown = "Not Found" }: Unserved = {},
): Promise<HttpResponse> {
  const given = path.split("/");
  const fits = routes.flatMap((candidate) => {
    const params = match(candidate.path, given);
    return params ? [{ candidate, params }] : [];
  });
  const found = fits.find(({ candidate }) => candidate.method === call.method);
  if (!found) {
    const missing = missingReason(call.method, path);
    if (missing !== "" || fits.length === 0) throw new HttpError(404, missing || unknown);
    const allow = fits.map(({ candidate }) => candidate.method).join(", ");
    throw new HttpError(405, "Method Not Allowed", { allow });
  }
  const errors = [...found.params]
    .filter(([name, value]) => isUuidName(name) && !isUuid(value))
    .map(([name]) => ({ loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing" }));
  if (errors.length > 0) throw invalid(errors);
  return await found.candidate.handle(call, found.params);
}

function match(pattern: string, given: readonly string[]): PathParams | undefined {
  const wanted = pattern.split("/");
  if (wanted.length !== given.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== value) return undefined;
    } else if (value === "") return undefined;
    else params.set(part.slice(1, -1), value);
  }
  return params;
}

/**
 * The query of a request. Of a name that is repeated the last value counts, or all of them where the schema has a list;
 * unknown names are ignored, and invalid values are a 422.
 */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.infer<Schema> {
  const given = Object.entries(schema.shape)
    .filter(([name]) => query.has(name))
    .map(([name, field]) => {
      const isList = field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray;
      return [name, isList ? query.getAll(name) : query.getAll(name).at(-1)] as const;
    });
  const parsed = schema.safeParse(Object.fromEntries(given));
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
