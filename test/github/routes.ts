import { acceptedPermissions, authorize, type Identity, type Right } from "./tokens.ts";
import { notFound, Refusal, type Answer } from "./answer.ts";
import { CommentBody, CommitStatusBody, DeploymentBody, DeploymentStatusBody, parseBody } from "./bodies.ts";
import { pageOf } from "./page.ts";
import type { Repository } from "./repository.ts";

/** A request to a repository, once it is known who asks. */
export interface Call {
  readonly repository: Repository;
  readonly identity: Identity;
  /** What stands in the path for each `*`. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The URL that the pages of a list link to: by the number of the repository, as GitHub writes it. */
  readonly address: string;
}

/** What there is below `/repos/{owner}/{repo}`. */
export interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly rights: readonly Right[];
  readonly answer: (call: Call) => Answer;
}

const right = (on: Right["on"], access: Right["access"]): Right => ({ on, access });
const readPulls = [right("pull-requests", "read")];
const readComments = [right("pull-requests", "read"), right("issues", "read")];
const writeComments = [right("pull-requests", "write"), right("issues", "write")];
const readDeployments = [right("deployments", "read")];
const writeDeployments = [right("deployments", "write")];

const route = (method: string, path: string, rights: readonly Right[], answer: Route["answer"]): Route => ({
  method,
  path: new RegExp(`^${path.replaceAll("*", "([^/]+)")}$`),
  rights,
  answer,
});

const number = ({ params }: Call, at = 0): number => {
  const id = Number(params[at]);
  if (!Number.isSafeInteger(id)) throw notFound();
  return id;
};

function listOf<Item>({ query, address }: Call, all: readonly Item[], view: (item: Item) => object): Answer {
  const { items, headers } = pageOf(all, query, address);
  return { status: 200, headers, body: items.map(view) };
}

const ROUTES: readonly Route[] = [
  route("GET", "/pulls", readPulls, (call) => {
    const { pulls } = call.repository;
    const state = call.query.get("state") ?? "open";
    const [owner = ""] = call.repository.name.split("/");
    const [head, base] = [call.query.get("head"), call.query.get("base")];
    const found = pulls.list().filter((pull) => {
      const label = `${(pull.headRepository ?? `${owner}/`).split("/")[0] ?? ""}:${pull.headRef}`;
      return (
        (state === "all" || state === pull.state) &&
        (head ?? label) === label &&
        (base ?? pull.baseRef) === pull.baseRef
      );
    });
    return listOf(call, call.query.get("direction") === "asc" ? found.toReversed() : found, (pull) => pulls.view(pull));
  }),
  route("GET", "/pulls/*", readPulls, (call) => {
    const { pulls } = call.repository;
    return { status: 200, body: pulls.view(pulls.find(number(call))) };
  }),
  route("GET", "/commits/*/pulls", readPulls, (call) => {
    const { pulls } = call.repository;
    const [sha = ""] = call.params;
    const found = pulls.ofCommit(sha);
    if (found === undefined) throw new Refusal(422, `No commit found for SHA: ${sha}`);
    return listOf(call, found, (pull) => pulls.view(pull));
  }),
  route("GET", "/issues/*/comments", readComments, (call) => {
    const { comments, pulls } = call.repository;
    const found = comments.list(pulls.find(number(call)).number);
    const since = call.query.get("since") ?? "";
    return listOf(
      call,
      found.filter(({ updatedAt }) => updatedAt >= since),
      (comment) => comments.view(comment),
    );
  }),
  route("POST", "/issues/*/comments", writeComments, (call) => {
    const { comments, pulls } = call.repository;
    const pull = pulls.find(number(call)).number;
    const { body } = parseBody(CommentBody, "IssueComment", call.body);
    return { status: 201, body: comments.view(comments.create(pull, call.identity.login, body)) };
  }),
  route("GET", "/issues/comments/*", readComments, (call) => {
    const { comments } = call.repository;
    return { status: 200, body: comments.view(comments.find(number(call))) };
  }),
  route("PATCH", "/issues/comments/*", writeComments, (call) => {
    const { comments } = call.repository;
    comments.find(number(call));
    const { body } = parseBody(CommentBody, "IssueComment", call.body);
    return { status: 200, body: comments.view(comments.edit(number(call), body)) };
  }),
  route("DELETE", "/issues/comments/*", writeComments, (call) => {
    call.repository.comments.delete(number(call));
    return { status: 204 };
  }),
  route("GET", "/deployments", readDeployments, (call) => {
    const { deployments } = call.repository;
    return listOf(call, deployments.list(call.query), (deployment) => deployments.view(deployment));
  }),
  route("POST", "/deployments", writeDeployments, (call) => {
    const { deployments } = call.repository;
    const made = deployments.create(parseBody(DeploymentBody, "Deployment", call.body), call.identity.login);
    if ("merged" in made) return { status: 202, body: { message: made.merged } };
    return { status: 201, body: deployments.view(made) };
  }),
  route("GET", "/deployments/*", readDeployments, (call) => {
    const { deployments } = call.repository;
    return { status: 200, body: deployments.view(deployments.find(number(call))) };
  }),
  route("DELETE", "/deployments/*", writeDeployments, (call) => {
    call.repository.deployments.delete(number(call));
    return { status: 204 };
  }),
  route("GET", "/deployments/*/statuses", readDeployments, (call) => {
    const { deployments } = call.repository;
    const { id, statuses } = deployments.find(number(call));
    return listOf(call, statuses.toReversed(), (status) => deployments.statusView(id, status));
  }),
  route("POST", "/deployments/*/statuses", writeDeployments, (call) => {
    const { deployments } = call.repository;
    const { id } = deployments.find(number(call));
    const body = parseBody(DeploymentStatusBody, "DeploymentStatus", call.body);
    return { status: 201, body: deployments.statusView(id, deployments.addStatus(id, body, call.identity.login)) };
  }),
  route("POST", "/statuses/*", [right("statuses", "write")], (call) => {
    const [sha = ""] = call.params;
    if (!call.repository.pulls.refs.has(sha)) throw new Refusal(422, `No commit found for SHA: ${sha}`);
    const { context, state, description, target_url } = parseBody(CommitStatusBody, "Status", call.body);
    call.repository.statuses.push({ sha, context, state, description, targetUrl: target_url });
    return { status: 201, body: { id: call.repository.world.nextId(), context, state, description, target_url } };
  }),
  // Environments are beyond the token of a job.
  route("DELETE", "/environments/*", [], () => {
    throw new Refusal(403, "Resource not accessible by integration", {
      headers: { "x-accepted-github-permissions": "administration=write" },
    });
  }),
];

/** Answers a request to a repository; the path begins after its name. */
export function answerRoute(method: string, path: string, call: Omit<Call, "params">): Answer {
  const found = ROUTES.find((candidate) => candidate.method === method && candidate.path.test(path));
  if (found === undefined) throw notFound();
  const isPublicRead = method === "GET" && !call.repository.isPrivate;
  if (!isPublicRead) authorize(call.identity, found.rights);
  const [, ...params] = (found.path.exec(path) ?? []).map(decodeURIComponent);
  const answer = found.answer({ ...call, params });
  return { ...answer, headers: { ...acceptedPermissions(found.rights), ...answer.headers } };
}
