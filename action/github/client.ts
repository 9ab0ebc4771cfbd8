import type { getOctokit } from "@actions/github";
import * as z from "zod";
import { systemClock } from "../../src/http/clock.ts";
import { EndlessListError } from "../../src/http/errors.ts";
import { HttpClient, type HttpClientOptions } from "../../src/http/http-client.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import { PAGE_SIZE } from "../../src/http/page-walk.ts";
import { jsonOrUndefined, jsonText } from "../../src/text/json-text.ts";
import { VERSION } from "../../src/version.ts";
import { GitHubError, permissionIn } from "./errors.ts";
import type { GitHubInputs } from "./github-inputs.ts";
import { countingStalls, sendTo } from "./send.ts";

// Of octokit only the types: they are GitHub's description of its API.
declare const octokit: ReturnType<typeof getOctokit>;

/** A route of the REST API, such as `GET /repos/{owner}/{repo}/pulls/{pull_number}`. */
type Route = Exclude<Parameters<typeof octokit.request<never>>[0], never>;
type Given<R extends Route> = NonNullable<Parameters<typeof octokit.request<R>>[1]>;
/** What a route takes, without the repository, which the client knows. */
type RouteParameters<R extends Route> = Omit<Given<R>, "owner" | "repo" | "headers" | "request" | "baseUrl">;
type RouteResponse<R extends Route> = Pick<Awaited<ReturnType<typeof octokit.request<R>>>, "data" | "status">;

/** GitHub's API for one repository. Every failure is a GitHubError. */
export interface GitHub extends AsyncDisposable {
  readonly owner: string;
  readonly repo: string;
  /** The types of the responses are GitHub's promise: what decides something is parsed by the caller. */
  readonly request: <R extends Route>(route: R, parameters?: RouteParameters<R>) => Promise<RouteResponse<R>>;
  /** The `data` of a query, which must write nothing. A refusal does not name the permission that the query needs. */
  readonly graphql: (
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly permission?: string },
  ) => Promise<unknown>;
  /** The items of a list, page by page; EndlessListError after `mostPages`, so that no part is taken for the whole. */
  readonly pages: <R extends Route>(
    route: R,
    parameters: RouteParameters<R>,
    options: { readonly mostPages: number },
  ) => AsyncGenerator<readonly unknown[], void, undefined>;
}

export interface GitHubSurroundings extends Pick<HttpClientOptions, "clock" | "onRetry" | "random" | "signal"> {
  readonly redactor: Redactor;
  /** A longer rate limit is not waited for; 90 s when not given. */
  readonly longestWaitMilliseconds?: number;
}

// The texts of GitHub's errors are repeated up to here.
const LONGEST_REASON = 300;

export function connectGitHub(
  { token, api, repository, caCertificate, allowHttp, proxy, limits }: GitHubInputs,
  { redactor, signal, clock = systemClock, random, onRetry, longestWaitMilliseconds }: GitHubSurroundings,
): GitHub {
  redactor.add(token);
  const userAgent = `graph-deploy/${VERSION}`;
  const http = new HttpClient({
    ...{ caCertificate, allowHttp, proxy, redactor, signal, clock, random, userAgent },
    onRetry: countingStalls({ limits, clock, onRetry }),
  });
  const send = sendTo({ sender: http.sender, clock, signal: http.signal, limits, longestWaitMilliseconds, onRetry });
  const { owner, repo } = repository;
  const base = api.href.replace(/\/+$/, "");
  const reasonIn = (message: string): string => {
    const line = redactor
      .text(message)
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
      .trim();
    return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON).toWellFormed()}…` : line;
  };
  const call = async (method: Method, url: URL, target: string, content?: object) => {
    // A token that is a JSON Web Token has three parts, and GitHub takes it in this way only.
    const authorization = `${token.split(".").length === 3 ? "bearer" : "token"} ${token}`;
    const { status, headers, body } = await send({
      method,
      url,
      headers: {
        ...{ accept: "application/vnd.github.v3+json", authorization, "user-agent": userAgent },
        ...(content ? { "content-type": "application/json; charset=utf-8" } : {}),
      },
      body: content && JSON.stringify(content),
    });
    const text = body.toString("utf8");
    const data = jsonOrUndefined(text) ?? text;
    if (status < 400) return { status, headers, data };
    const reason = reasonIn(messageIn(data));
    const isDenied = status === 403 && isAboutRights(reason);
    const missing = isDenied ? permissionIn(headers["x-accepted-github-permissions"]) : undefined;
    throw new GitHubError(`GitHub returned ${String(status)} to ${target}: ${reason}`, { status, missing });
  };
  const callRoute = async (route: string, parameters: object) => {
    const { method, path, rest } = filledIn(route, { owner, repo, ...parameters });
    const url = new URL(base + path);
    const isRead = method === "GET" || method === "HEAD";
    if (isRead) for (const [name, value] of rest) url.searchParams.set(name, String(value));
    const content = isRead || rest.length === 0 ? undefined : Object.fromEntries(rest);
    const target = `${method} ${path}`;
    return { target, ...(await call(method, url, target, content)) };
  };
  // The types of a route that is not known yet can be declared, but not worked out.
  async function request<R extends Route>(route: R, parameters?: RouteParameters<R>): Promise<RouteResponse<R>>;
  async function request(route: string, parameters: object = {}): Promise<unknown> {
    return await callRoute(route, parameters);
  }
  return {
    owner,
    repo,
    request,
    graphql: async (query, variables = {}, { permission } = {}) => {
      const target = "POST /graphql";
      const url = new URL(base.endsWith("/api/v3") ? base.replace(/v3$/, "graphql") : `${base}/graphql`);
      const { data } = await call("POST", url, target, { query, variables });
      const failed = FailedQuery.safeParse(data).data;
      if (!failed) return Answered.safeParse(data).data?.data;
      const reason = reasonIn(failed.errors.map(({ message }) => message).join("; "));
      const isDenied = failed.errors.some(({ type, message }) => type === "FORBIDDEN" && isAboutRights(message));
      const missing = isDenied ? permission : undefined;
      throw new GitHubError(`GitHub returned an error to ${target}: ${reason}`, { missing, cause: data });
    },
    pages: async function* (route, parameters, { mostPages }) {
      const { target, ...first } = await callRoute(route, { per_page: PAGE_SIZE, ...parameters });
      let { data, headers } = first;
      for (let pages = 1; ; pages += 1) {
        if (!Array.isArray(data)) throw new GitHubError(`${target} did not return a list`);
        yield data;
        const [, next] = /<([^<>]+)>;\s*rel="next"/.exec(headers["link"] ?? "") ?? [];
        if (next === undefined) return;
        if (pages >= mostPages) throw new EndlessListError(target, { pages });
        const url = URL.parse(next, base);
        // The token is GitHub's alone.
        if (url?.origin !== api.origin) {
          throw new GitHubError(`GitHub named an address at ${url?.host ?? reasonIn(next)}, which gets no token`);
        }
        ({ data, headers } = await call("GET", url, target));
      }
    },
    [Symbol.asyncDispose]: () => http.close(),
  };
}

const Method = z.enum(["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]);
type Method = z.infer<typeof Method>;

/** A route with its values, as `POST` and `/repos/us/agents/issues/7/comments`, and the values that have no place in it. */
function filledIn(route: string, values: object) {
  const left = new Map<string, unknown>(Object.entries(values).filter(([, value]) => value !== undefined));
  const [method, path = ""] = route.split(" ");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  return { method: Method.parse(method), path: filled, rest: [...left] };
}

/** Why GitHub refuses a request, in its words. */
function messageIn(data: unknown): string {
  const { message, errors } = Refusal.safeParse(data).data ?? {};
  if (message === undefined) return typeof data === "string" ? data : `Unknown error: ${jsonText(data)}`;
  return errors ? `${message}: ${errors.map((error) => jsonText(error)).join(", ")}` : message;
}

const Refusal = z.object({ message: z.string(), errors: z.array(z.unknown()).optional().catch(undefined) });

/**
 * True for a refusal that a permission of the job mends. A conversation that is locked, a rate limit, and a kind of token
 * that an organization does not take are refused with the same status.
 */
function isAboutRights(reason: string): boolean {
  return (
    /not accessible by|must have|permission|forbidden/i.test(reason) &&
    !/locked|rate limit|forbids access|admin rights|must have one of/i.test(reason)
  );
}

const Answered = z.object({ data: z.unknown() });
const FailedQuery = z.object({ errors: z.array(z.object({ type: z.string().optional(), message: z.string() })) });
