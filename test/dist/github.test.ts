import { expect, onTestFinished, test } from "vitest";
import { pullRequestEvent } from "../github/events.ts";
import { startGitHub, type GitHub } from "../github/server.ts";
import { READ_ONLY, type Permissions } from "../github/tokens.ts";
import { runAction, type ActionResult } from "../runner/runner.ts";
import { API_KEY, step } from "./step.ts";

const ASKED = { environment: "preview", comment: "true" };

/** The built step in a run of a pull request, with a token that has these rights. */
async function onGitHub(permissions?: Permissions) {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const found = await step();
  const token = permissions === undefined ? github.token : github.tokenOf({ permissions });
  const { pulls, comments, deployments } = github.state;
  const { number } = pulls.open();
  const run = async (inputs: Readonly<Record<string, string>>, pull = number) => {
    const { event, env } = pullRequestEvent(github.state, pull, "opened");
    const more = { event, env: { ...github.env, ...env }, secrets: [API_KEY, token] };
    return await runAction(found.options({ "github-token": token, ...inputs }, more));
  };
  return { ...found, github, pulls, comments, deployments, number, run };
}

const of = ({ annotations }: ActionResult, kind: string) =>
  annotations.filter(({ type }) => type === kind).map(({ message }) => message);
const writes = ({ requests }: GitHub) => requests.filter(({ method, path }) => method !== "GET" && path !== "/graphql");

test("a deploy with the inputs that there are by default calls nobody but its service", async () => {
  const { run, github } = await onGitHub();
  expect(await run({})).toMatchObject({ exitCode: 0, leaked: [] });
  expect(github.requests).toEqual([]);
});

test("a deploy that asks for both has a record and a comment, in few requests", async () => {
  const { run, github, deployments, comments, number, pulls } = await onGitHub();
  const result = await run(ASKED);
  expect(result, result.log.join("\n")).toMatchObject({ exitCode: 0, leaked: [], rawStderr: "" });
  expect(of(result, "warning")).toEqual([]);
  const [record] = deployments.all;
  expect(record).toMatchObject({ sha: pulls.find(number).headSha, environment: "preview" });
  expect(record?.statuses.map(({ state }) => state)).toEqual(["in_progress", "success"]);
  expect(comments.of(number).map(({ body }) => body)).toEqual([expect.stringContaining("support-agent is live")]);
  expect(writes(github).map(({ method, status }) => `${method} ${String(status)}`)).toEqual([
    ...["POST 201", "POST 201", "POST 201", "POST 201"],
  ]);
});

test("a token that may only read costs two warnings, each with the permission that is missing", async () => {
  const { run, deployments, comments, number } = await onGitHub(READ_ONLY);
  const result = await run(ASKED);
  expect(result, result.log.join("\n")).toMatchObject({ exitCode: 0, leaked: [], rawStderr: "" });
  expect(result.outputs.get("outcome")).toBe("deployed");
  expect(of(result, "warning").toSorted()).toEqual([
    expect.stringMatching(/^The comment .*`pull-requests: write`/),
    expect.stringMatching(/^The deployment record .*`deployments: write`/),
  ]);
  expect([deployments.all, comments.of(number)]).toEqual([[], []]);
});

test.each([
  ["a fork", { headRepository: "them/octo-repo" }],
  ["Dependabot, which a person runs again,", { user: "dependabot[bot]" }],
])("a run of %s ends green with a notice and without a request", async (_, pull) => {
  const { run, github, pulls, service } = await onGitHub(READ_ONLY);
  const { number } = pulls.open(pull);
  const result = await run({ ...ASKED, preview: "true" }, number);
  expect(result, result.log.join("\n")).toMatchObject({ exitCode: 0, leaked: [], rawStderr: "" });
  expect(result.outputs.get("outcome")).toBe("skipped");
  expect(of(result, "notice")).toHaveLength(1);
  expect([github.requests, service.requests]).toEqual([[], []]);
});
