import { isUuid } from "../../contract/uuid.ts";
import type { ValidationError } from "../../contract/validation-error.ts";
import type { HttpAnswer } from "./response.ts";
import type { HttpCall } from "./call.ts";
import { Refusal, invalid } from "./error.ts";

/** The variable parts of a path, by the name in the route. */
export type PathParams = ReadonlyMap<string, string>;

/** One operation of a server. */
export interface Route {
  readonly method: string;
  /** Parts that start with a colon are variable; one whose name ends in `_id` must be a uuid. */
  readonly path: string;
  readonly answer: (call: HttpCall, params: PathParams) => HttpAnswer | Promise<HttpAnswer>;
}

/** A page for people: what it answers is HTML. */
export function pageRoute(path: string, html: (call: HttpCall, params: PathParams) => string): Route {
  return { method: "GET", path, answer: (call, params) => ({ status: 200, html: html(call, params) }) };
}

/** Answers a call by the first route that fits: 404 for an unknown path, 405 for another method, 422 for no uuid. */
export async function route(routes: readonly Route[], call: HttpCall, path: string): Promise<HttpAnswer> {
  const fits = routes.flatMap((candidate) => {
    const params = match(candidate.path, path);
    return params === undefined ? [] : [{ candidate, params }];
  });
  const found = fits.find(({ candidate }) => candidate.method === call.method);
  if (found === undefined) {
    if (fits.length === 0) throw new Refusal(404, "Not Found");
    const allow = fits.map(({ candidate }) => candidate.method).join(", ");
    throw new Refusal(405, "Method Not Allowed", { allow });
  }
  const faults = checkIds(found.params);
  if (faults.length > 0) throw invalid(faults);
  return await found.candidate.answer(call, found.params);
}

/** A variable part that the route's path names; uuids in lower case. */
export function param(params: PathParams, name: string): string {
  const value = params.get(name) ?? "";
  return name.endsWith("_id") ? value.toLowerCase() : value;
}

function match(pattern: string, path: string): PathParams | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
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

function checkIds(params: PathParams): readonly ValidationError[] {
  return [...params]
    .filter(([name, value]) => name.endsWith("_id") && !isUuid(value))
    .map(([name]) => ({ loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing" }));
}
