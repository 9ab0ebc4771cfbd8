import type { getOctokit } from "@actions/github";
import * as z from "zod";
import { systemClock } from "../../src/http/clock.ts";
import { EndlessListError } from "../../src/http/errors.ts";
import { HttpClient, type HttpClientOptions } from "../../src/http/http-client.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import { PAGE_SIZE } from "../../src/http/page-walk.ts";
import { VERSION } from "../../src/version.ts";
import { GitHubError, permissionIn } from "./errors.ts";
import { countingStalls, makeGitHubFetch } from "./fetch.ts";
import type { GitHubInputs } from "./github-inputs.ts";

type Octokit = ReturnType<typeof getOctokit>;
declare const octokit: Octokit;

/** A route of the REST API, such as `GET /repos/{owner}/{repo}/pulls/{pull_number}`. */
type Route = Exclude<Parameters<typeof octokit.request<never>>[0], never>;
type Given<R extends Route> = NonNullable<Parameters<typeof octokit.request<R>>[1]>;
/** What a route takes, without the repository, which the client knows. */
type RouteParameters<R extends Route> = Omit<Given<R>, "owner" | "repo" | "headers" | "request" | "baseUrl">;
type RouteResponse<R extends Route> = Awaited<ReturnType<typeof octokit.request<R>>>;

/** GitHub's API for one repository. Every failure is a GitHubError. */
export interface GitHub extends AsyncDisposable {
  readonly owner: string;
  readonly repo: string;
  /** Octokit's request. The types of its responses are GitHub's promise: what decides something is parsed by the caller. */
  readonly request: <R extends Route>(route: R, parameters?: RouteParameters<R>) => Promise<RouteResponse<R>>;
  /** The `data` of a query. A refusal does not name the permission that the query needs. */
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

export interface GitHubSurroundings extends Pick<HttpClientOptions, "clock" | "onRetry" | "random"> {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

// Octokit puts it behind the reason.
const PAGE_OF_DOCUMENTS = / - https:\/\/(?:docs|developer)\.github\.com\/\S*$/;
// The texts of GitHub's errors are repeated up to here.
const LONGEST_REASON = 300;

/** Connects to the API of the inputs; octokit's code is loaded with the first request. */
export function connectGitHub(
  { token, api, repository, caCertificate, allowHttp, proxy, limits }: GitHubInputs,
  { redactor, signal, clock = systemClock, random, onRetry }: GitHubSurroundings,
): GitHub {
  redactor.add(token);
  const http = new HttpClient({
    caCertificate,
    allowHttp,
    proxy,
    redactor,
    signal,
    clock,
    random,
    onRetry: countingStalls({ limits, clock, onRetry }),
  });
  const fetch = makeGitHubFetch({ sender: http.sender, clock, signal, api, limits, onRetry });
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  let loaded: Promise<Octokit> | undefined;
  // The import reads the file of the event, and throws when that is broken.
  const load = async (): Promise<Octokit> => {
    const module = await import("@actions/github").catch((cause: unknown) => {
      const why = "the event of the run or the address of a proxy is invalid";
      throw new GitHubError(`the client could not be loaded: ${why}`, { cause });
    });
    return module.getOctokit(token, {
      baseUrl: api.href.replace(/\/+$/, ""),
      userAgent: `graph-deploy/${VERSION}`,
      log: silent,
      request: { fetch, log: silent },
    });
  };
  const { owner, repo } = repository;
  const calling = async <Result>(
    target: string,
    call: (kit: Octokit) => Promise<Result>,
    permission?: string,
  ): Promise<Result> => {
    try {
      return await call(await (loaded ??= load()));
    } catch (error) {
      throw asGitHubError(error, target, redactor, permission);
    }
  };
  // The types of a route that is not known yet can be declared, but not worked out.
  async function request<R extends Route>(route: R, parameters?: RouteParameters<R>): Promise<RouteResponse<R>>;
  async function request(route: string, parameters?: object): Promise<unknown> {
    const given = { owner, repo, ...parameters };
    return await calling(filledIn(route, given), (kit) => kit.request(route, given));
  }
  return {
    owner,
    repo,
    request,
    graphql: (query, variables, { permission } = {}) =>
      calling("POST /graphql", (kit) => kit.graphql(query, { ...variables }), permission),
    pages: async function* (route, parameters, { mostPages }) {
      const target = filledIn(route, { owner, repo, ...parameters });
      let response: { readonly data: unknown; readonly headers: { readonly link?: string } } = await request(route, {
        per_page: PAGE_SIZE,
        ...parameters,
      });
      for (let pages = 1; ; pages += 1) {
        if (!Array.isArray(response.data)) throw new GitHubError(`${target} did not return a list`);
        yield response.data;
        const next = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.link ?? "")?.[1];
        if (next === undefined) return;
        if (pages >= mostPages) throw new EndlessListError(target, { pages });
        response = await calling(target, (kit) => kit.request<string>(`GET ${next}`));
      }
    },
    [Symbol.asyncDispose]: () => http.close(),
  };
}

/** A route with its values, as a reader looks for it: `POST /repos/us/agents/issues/7/comments`. */
function filledIn(route: string, values: Readonly<Record<string, unknown>>): string {
  return route.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : place;
  });
}

/** The error of a request, with GitHub's reason in one line. */
function asGitHubError(error: unknown, target: string, redactor: Redactor, permission?: string): GitHubError {
  if (error instanceof GitHubError) return error;
  // Octokit hides what its fetch threw behind a status 500 of its own.
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof GitHubError) return cause;
  const failed = FailedRequest.safeParse(error);
  if (!failed.success) {
    const query = FailedQuery.safeParse(error).data;
    if (!query) return new GitHubError(`${target}: ${reasonIn(error, redactor)}`, { cause: error });
    const reason = reasonIn(query.errors.map(({ message }) => message).join("; "), redactor);
    const isDenied = query.errors.some(({ type, message }) => type === "FORBIDDEN" && isAboutRights(message));
    const missing = isDenied ? permission : undefined;
    return new GitHubError(`GitHub returned an error to ${target}: ${reason}`, { missing, cause: error });
  }
  const { status, response } = failed.data;
  const isDenied = status === 403 && isAboutRights(reasonIn(error, redactor));
  const missing = isDenied ? permissionIn(response.headers["x-accepted-github-permissions"]) : undefined;
  return new GitHubError(`GitHub returned ${String(status)} to ${target}: ${reasonIn(error, redactor)}`, {
    status,
    missing,
    cause: error,
  });
}

const FailedRequest = z.object({
  status: z.number(),
  response: z.object({ headers: z.object({ "x-accepted-github-permissions": z.string().optional() }) }),
});

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

const FailedQuery = z.object({ errors: z.array(z.object({ type: z.string().optional(), message: z.string() })) });

function reasonIn(error: unknown, redactor: Redactor): string {
  const text = redactor.text(error instanceof Error ? error.message : String(error));
  const line = text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(PAGE_OF_DOCUMENTS, "")
    .trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON).toWellFormed()}…` : line;
}

function ignore(): void {
  // Octokit would print its advice to the log of the step.
}
