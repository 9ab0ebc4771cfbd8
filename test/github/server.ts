import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { notFound, Refusal, type Answer } from "./answer.ts";
import { Faults } from "./faults.ts";
import { answerQuery } from "./graphql.ts";
import { Repository } from "./repository.ts";
import { answerRoute } from "./routes.ts";
import { Tokens, type Identity } from "./tokens.ts";
import { makeWorld } from "./world.ts";

/** What a GitHub of its own begins with. */
export interface GitHubOptions {
  /** `owner/name`; that of the runner of the tests when absent. */
  readonly repository?: string;
  /** GitHub's pages link by this number instead of the name. */
  readonly repositoryId?: string;
  /** The time of what is made, and of rate limits. */
  readonly now?: () => Date;
}

/** A request as it came. */
export interface GitHubRequest {
  readonly method: string;
  /** Below `/api/v3`, without the query; `/graphql` for a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** As JSON; undefined when there was none. */
  readonly body: unknown;
  /** Undefined until it is answered, and where no answer came. */
  status: number | undefined;
}

const PREFIX = "/api/v3";
/** The id of the repository where none is given. */
export const REPOSITORY_ID = "1296269";

/** A GitHub on loopback with one repository, as GitHub Enterprise Server has its API: under a path. */
export class GitHub implements AsyncDisposable {
  /** For GITHUB_API_URL. */
  readonly url: string;
  readonly state: Repository;
  /** Everything that was asked, oldest first. */
  readonly requests: GitHubRequest[] = [];
  readonly faults = new Faults();
  /** What each request waits for before anything is done: a test that decides on their order waits here. */
  turn: (request: GitHubRequest) => Promise<void> | void = () => undefined;
  /** The job's own token, with all rights that the steps can use. */
  readonly token: string;
  readonly #tokens = new Tokens();
  readonly #server: Server;
  readonly #now: () => Date;
  readonly #repositoryId: string;

  private constructor(server: Server, origin: string, { repository, repositoryId, now }: Required<GitHubOptions>) {
    this.#repositoryId = repositoryId;
    this.url = `${origin}${PREFIX}`;
    this.#server = server;
    this.#now = now;
    this.state = new Repository(makeWorld(this.url, repository, now));
    this.token = this.tokenOf();
  }

  static async start(options: GitHubOptions): Promise<GitHub> {
    const { repository = "octo-org/octo-repo", repositoryId = REPOSITORY_ID, now = () => new Date() } = options;
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const github = new GitHub(server, `http://127.0.0.1:${String(port)}`, { repository, repositoryId, now });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      github.#serve(request, response).catch(() => request.socket.destroy());
    });
    return github;
  }

  /** A token of another identity, or with other rights. */
  tokenOf(identity: Partial<Identity> = {}): string {
    return this.#tokens.issue(identity);
  }

  /** What a runner gives to the steps of this GitHub. */
  get env(): Readonly<Record<string, string>> {
    const { origin } = new URL(this.url);
    return {
      GITHUB_API_URL: this.url,
      GITHUB_GRAPHQL_URL: `${origin}/api/graphql`,
      GITHUB_SERVER_URL: origin,
      GITHUB_REPOSITORY: this.state.name,
      GITHUB_REPOSITORY_ID: this.#repositoryId,
    };
  }

  /** How many requests matched. */
  count(method: string, path = /^/): number {
    return this.requests.filter((request) => request.method === method && path.test(request.path)).length;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(incoming.url ?? "/", this.url);
    const path = pathname === "/api/graphql" ? "/graphql" : pathname.slice(PREFIX.length);
    const { method = "", headers } = incoming;
    const body = bodyOf(await text(incoming));
    const request: GitHubRequest = { method, path, query, headers, body, status: undefined };
    this.requests.push(request);
    await this.turn(request);
    const { before, instead, isCut, isLost, later, after } = this.faults.take(method, path);
    await before?.();
    if (isCut === true) return void incoming.socket.destroy();
    if (later !== undefined) {
      later(() => void this.#answer(request, pathname));
      return void incoming.socket.destroy();
    }
    const answer = instead?.(this.#now()) ?? this.#answer(request, pathname);
    await after?.();
    if (isLost === true) return void incoming.socket.destroy();
    request.status = answer.status;
    const json = answer.body === undefined ? undefined : JSON.stringify(answer.body);
    response.writeHead(answer.status, {
      ...(json === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
      "x-github-request-id": "0000:0000:0000:0000:00000000",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": String(Math.max(1, 1000 - this.requests.length)),
      "x-ratelimit-reset": String(Math.ceil(this.#now().getTime() / 1000) + 3600),
      "x-ratelimit-resource": "core",
      ...answer.headers,
    });
    response.end(json);
  }

  #answer(request: GitHubRequest, pathname: string): Answer {
    try {
      if (request.headers["user-agent"] === undefined)
        throw new Refusal(403, "Request forbidden by administrative rules.");
      const identity = this.#tokens.identify(request.headers.authorization);
      if (request.path === "/graphql") return answerQuery(this.state, identity, request.body);
      if (request.path === "/user") return userOf(identity);
      return this.#answerOfRepository(request, pathname, identity);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      // What a test finds here is a mistake of the server itself.
      return { status: 500, body: { message: String(error) } };
    }
  }

  #answerOfRepository({ method, query, body }: GitHubRequest, pathname: string, identity: Identity): Answer {
    const { name } = this.state;
    if (method === "GET" && pathname === `${PREFIX}/repos/${name}`) {
      return { status: 200, body: { id: Number(this.#repositoryId), full_name: name } };
    }
    const prefix = [`${PREFIX}/repos/${name}`, `${PREFIX}/repositories/${this.#repositoryId}`].find((start) => {
      return pathname.startsWith(`${start}/`);
    });
    if (prefix === undefined) throw notFound();
    const path = pathname.slice(prefix.length);
    const address = `${this.url}/repositories/${this.#repositoryId}${path}`;
    return answerRoute(method, path, { repository: this.state, identity, query, body, address });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

function bodyOf(sent: string): unknown {
  if (sent === "") return undefined;
  try {
    return JSON.parse(sent);
  } catch {
    return { "not JSON": sent };
  }
}

function userOf({ login }: Identity): Answer {
  if (login.endsWith("[bot]")) throw new Refusal(403, "Resource not accessible by integration");
  return { status: 200, body: { login, type: "User" } };
}

/** Starts a GitHub on loopback; dispose of it, or `await using`. */
export function startGitHub(options: GitHubOptions = {}): Promise<GitHub> {
  return GitHub.start(options);
}
