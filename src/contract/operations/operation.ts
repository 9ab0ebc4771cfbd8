import * as z from "zod";

/** An endpoint of the service: its client sends by it, and the local service routes by it. */
export interface Operation<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST";
  /** The parts in braces are variable. */
  readonly path: Path;
  /** What may be asked for besides, each name with its values. */
  readonly query: Query;
  /** What is sent; nothing, or what is no JSON, when not given. */
  readonly body?: Body;
  /** What a success responds with. */
  readonly reply: Reply;
  /** The contract does not have it: public services do. */
  readonly beyond?: true;
  /** A POST or PATCH that is safe to carry out twice. */
  readonly repeatable?: boolean;
}

/** The query of an endpoint that has none. */
export const NO_QUERY = z.object({});

/** How documents name an endpoint: `POST /runs`. */
export function endpointOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The names in braces of a path. */
export type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The variable parts of a path, by their names. */
export type PathParts<Path extends string> = Readonly<Record<Names<Path>, string>>;

/** What is sent to an operation besides the variable parts of its path. */
interface Sent<Param extends string, Body extends z.ZodType> {
  readonly query?: Readonly<Record<Param, string | number>>;
  readonly body?: z.input<Body>;
}

/** A request to an operation, with what its response must be. */
export function requestTo<
  Path extends string,
  Query extends z.ZodObject,
  Reply extends z.ZodType,
  Body extends z.ZodType,
  Param extends keyof Query["shape"] & string,
>(
  { method, path, reply, repeatable = false }: Operation<Path, Query, Reply, Body>,
  parts: PathParts<Path>,
  { query, body }: Sent<Param, Body> = {},
) {
  let filled: string = path;
  for (const [name, part] of Object.entries<string>(parts)) {
    filled = filled.replace(`{${name}}`, encodeURIComponent(part.toWellFormed()));
  }
  const asked: Readonly<Record<string, string | number>> = query ?? {};
  return { method, path: filled, query: asked, body, schema: reply, repeatable };
}

/** A query parameter: how many items a page has. */
export function pageLimit(usual: number, most: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

/** A query parameter: how many items to skip. */
export const offsetParam = z.coerce.number().int().min(0).default(0);
