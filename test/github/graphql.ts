import * as z from "zod";
import { Refusal, type Answer } from "./answer.ts";
import type { Comment } from "./comments.ts";
import { stateOf } from "./deployments.ts";
import { parseQuery, type Field } from "./graphql-query.ts";
import type { Repository } from "./repository.ts";
import { authorize, type Identity } from "./tokens.ts";

const Body = z.strictObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).default({}),
  operationName: z.string().optional(),
});
const LARGEST_PAGE = 100;

type Resolver = (args: Readonly<Record<string, unknown>>) => unknown;
type Value = Readonly<Record<string, Resolver>>;

/** Thrown where GraphQL answers with `errors`, which comes with status 200. */
class QueryError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** A list of nodes, with one that is always there. */
class List {
  readonly items: readonly (Value | null)[];
  readonly sample: Value;

  constructor(items: readonly (Value | null)[], sample: Value) {
    this.items = items;
    this.sample = sample;
  }
}

/** Answers the queries that there are: the comments of a pull request, and deployment records by their ids. */
export function answerQuery(repository: Repository, identity: Identity, body: unknown): Answer {
  const { query, variables } = Body.parse(body);
  const gone: QueryError[] = [];
  try {
    const data = resolveFields(parseQuery(query, variables), rootOf(repository, identity, gone));
    const errors = gone.map(({ type, message }) => ({ type, path: ["nodes"], message }));
    return { status: 200, body: errors.length === 0 ? { data } : { data, errors } };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const [type, message] = [error.type, error.message];
    return { status: 200, body: { data: null, errors: [{ type, path: ["repository"], message }] } };
  }
}

function resolveFields(fields: readonly Field[], value: Value): object {
  const pairs = fields.map(({ name, alias, args, fields: inner }) => {
    const resolver = Object.hasOwn(value, name) ? value[name] : undefined;
    if (resolver === undefined) throw new QueryError("undefinedField", `Field '${name}' doesn't exist`);
    return [alias, resolveValue(resolver(args), inner)] as const;
  });
  return Object.fromEntries<unknown>(pairs);
}

function resolveValue(value: unknown, fields: readonly Field[]): unknown {
  if (value instanceof List) {
    // An empty list does not hide a field that there is not.
    resolveFields(fields, value.sample);
    return value.items.map((item) => (item === null ? null : resolveFields(fields, item)));
  }
  if (fields.length === 0 || value === null) return value;
  return resolveFields(fields, value as Value);
}

const is = (name: string, value: string | number): Value => ({ [name]: () => value });

function rootOf(repository: Repository, identity: Identity, gone: QueryError[]): Value {
  return {
    nodes: ({ ids }) => recordsOf(repository, identity, z.array(z.string()).max(LARGEST_PAGE).parse(ids), gone),
    viewer: () => is("login", identity.login.replace(/\[bot\]$/, "")),
    repository: ({ owner, name }) => {
      if (`${String(owner)}/${String(name)}` !== repository.name) {
        throw new QueryError(
          "NOT_FOUND",
          `Could not resolve to a Repository with the name '${String(owner)}/${String(name)}'.`,
        );
      }
      allow(identity, "pull-requests");
      const pullRequest: Resolver = ({ number }) => pullOf(repository, identity, Number(number));
      return { nameWithOwner: () => repository.name, pullRequest, issueOrPullRequest: pullRequest };
    },
  };
}

function allow(identity: Identity, on: "deployments" | "pull-requests"): void {
  try {
    authorize(identity, [{ on, access: "read" }]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new QueryError("FORBIDDEN", error.message);
  }
}

/** One that is gone is null beside an error. */
function recordsOf(repository: Repository, identity: Identity, ids: readonly string[], gone: QueryError[]): List {
  allow(identity, "deployments");
  const valueOf = (id: number, state: string | undefined): Value => ({
    id: () => `DE_${String(id)}`,
    // An Int of 32 bits; ids of deployments are larger.
    databaseId: () => null,
    latestStatus: () => (state === undefined ? null : is("state", state.toUpperCase())),
  });
  const records = new Map(repository.deployments.all.map((record) => [`DE_${String(record.id)}`, record]));
  const items = ids.map((nodeId) => {
    const record = records.get(nodeId);
    if (record !== undefined) return valueOf(record.id, stateOf(record));
    gone.push(new QueryError("NOT_FOUND", `Could not resolve to a node with the global id of '${nodeId}'`));
    return null;
  });
  return new List(items, valueOf(0, "success"));
}

function pullOf(repository: Repository, identity: Identity, number: number): Value {
  if (!repository.pulls.list().some((pull) => pull.number === number)) {
    throw new QueryError("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${String(number)}.`);
  }
  const { state, headSha } = repository.pulls.find(number);
  return {
    number: () => number,
    state: () => state.toUpperCase(),
    headRefOid: () => headSha,
    comments: (args) => connection(repository.comments.list(number), args, identity),
  };
}

function connection(
  all: readonly Comment[],
  { first, after, last, before, ...others }: Readonly<Record<string, unknown>>,
  identity: Identity,
): Value {
  const size = Number(first ?? last ?? NaN);
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new QueryError("argumentNotAccepted", `Arguments ${unknown.join(", ")}`);
  if (Number.isNaN(size)) throw new QueryError("MISSING_PAGINATION_BOUNDARIES", "You must provide `first` or `last`.");
  if (size > LARGEST_PAGE)
    throw new QueryError("EXCESSIVE_PAGINATION", `Requesting ${String(size)} records exceeds the limit.`);
  const isForward = first !== undefined && first !== null;
  const start = isForward ? Math.max(0, all.findIndex(({ id }) => cursorOf(id) === after) + 1) : 0;
  const endBefore = all.findIndex(({ id }) => cursorOf(id) === before);
  const end = isForward || endBefore < 0 ? all.length : endBefore;
  const page = isForward ? all.slice(start, start + size) : all.slice(Math.max(0, end - size), end);
  const cursor = (comment: Comment | undefined) => (comment === undefined ? null : cursorOf(comment.id));
  const nodes = new List(
    page.map((comment) => nodeOf(comment, identity)),
    nodeOf(SAMPLE, identity),
  );
  return {
    totalCount: () => all.length,
    nodes: () => nodes,
    pageInfo: (): Value => ({
      hasNextPage: () => isForward && start + size < all.length,
      endCursor: () => cursor(page.at(-1)),
      hasPreviousPage: () => !isForward && end - size > 0,
      startCursor: () => cursor(page[0]),
    }),
  };
}

const SAMPLE: Comment = { id: 0, pull: 0, login: "", createdAt: "", updatedAt: "", body: "", isMinimized: false };

function cursorOf(id: number): string {
  return Buffer.from(`cursor:v2:${String(id)}`).toString("base64");
}

function nodeOf(comment: Comment, identity: Identity): Value {
  const { id, login, body, createdAt, updatedAt, isMinimized } = comment;
  return {
    id: () => `IC_${String(id)}`,
    databaseId: () => id,
    fullDatabaseId: () => String(id),
    // GraphQL knows a bot without the `[bot]` of its login.
    author: () => is("login", login.replace(/\[bot\]$/, "")),
    viewerDidAuthor: () => login === identity.login,
    isMinimized: () => isMinimized,
    minimizedReason: () => (isMinimized ? "outdated" : null),
    body: () => body,
    createdAt: () => createdAt,
    updatedAt: () => updatedAt,
  };
}
