import { describe, expect, test } from "vitest";
import { refusalOf, rig } from "./rig.ts";
import { ALL, READ_ONLY } from "./tokens.ts";
import { stateOf } from "./deployments.ts";
import { lost, mergedInstead } from "./faults.ts";

const EXACT = { auto_merge: false, required_contexts: [] as string[] };

async function record(more: Parameters<typeof rig>[0] = {}) {
  const all = await rig(more);
  const { github, repo, client } = all;
  const { rest } = client();
  const pull = github.state.pulls.open();
  const create = (body: object = {}) =>
    rest.repos.createDeployment({ ...repo, ref: pull.headSha, environment: "preview", ...EXACT, ...body });
  const made = async (body: object = {}) => {
    const { data } = await create(body);
    if (!("id" in data)) throw new Error("No record was made.");
    return data.id;
  };
  const say = (id: number, state: "success" | "inactive" | "in_progress" | "failure", body: object = {}) =>
    rest.repos.createDeploymentStatus({ ...repo, deployment_id: id, state, ...body });
  const stateNow = async (id: number) => {
    const { data } = await rest.repos.listDeploymentStatuses({ ...repo, deployment_id: id, per_page: 1 });
    return data[0]?.state;
  };
  return { ...all, rest, pull, create, made, say, stateNow };
}

describe("a record", () => {
  test("is not made where the default branch can be merged into the ref, which is the default", async () => {
    const { create, github } = await record();
    expect(await create({ auto_merge: undefined })).toMatchObject({ status: 202, data: { message: /^Auto-merged/ } });
    expect(github.state.deployments.all).toEqual([]);
  });

  test("meets 409 where the merge conflicts, or where the contexts are not green, which is the default", async () => {
    const { create, github } = await record();
    expect(await refusalOf(create({ required_contexts: undefined }))).toMatchObject({ status: 409 });
    github.state.deployments.merge = "conflict";
    expect(await refusalOf(create({ auto_merge: true }))).toMatchObject({ status: 409 });
  });

  test("meets 422 for a ref that the repository does not have, such as the branch of a fork", async () => {
    const { create, github } = await record();
    const fork = github.state.pulls.open({ headRepository: "them/octo-repo", headRef: "theirs" });
    expect(await refusalOf(create({ ref: fork.headRef }))).toMatchObject({ status: 422, message: /^No ref found/ });
    expect(await create({ ref: fork.headSha })).toMatchObject({ status: 201, data: { sha: fork.headSha } });
  });

  test("is listed newest first and filtered, without its state, once the lists know of it", async () => {
    const { made, rest, repo, github, pull } = await record();
    const first = await made({ task: "deploy:a", payload: { run_id: 7 } });
    github.state.deployments.lag.lists = 1;
    const second = await made({ task: "deploy:b" });
    const list = async (query: object) => {
      const { data } = await rest.repos.listDeployments({ ...repo, ...query });
      return data.map(({ id }) => id);
    };
    expect(await list({ environment: "preview" })).toEqual([first]);
    expect(await list({ environment: "preview" })).toEqual([second, first]);
    expect(await list({ task: "deploy:a", sha: pull.headSha })).toEqual([first]);
    expect(await list({ environment: "production" })).toEqual([]);
    const { data } = await rest.repos.getDeployment({ ...repo, deployment_id: first });
    expect(data).toMatchObject({ payload: { run_id: 7 }, task: "deploy:a", production_environment: false });
    expect(data).not.toHaveProperty("state");
  });

  test("is deleted once it is inactive, or where it is the only one", async () => {
    const { made, say, rest, repo, github } = await record();
    const first = await made();
    await say(first, "success");
    const second = await made();
    const remove = (id: number) => rest.repos.deleteDeployment({ ...repo, deployment_id: id });
    expect(await refusalOf(remove(second))).toMatchObject({ status: 422 });
    await say(second, "inactive");
    expect((await remove(second)).status).toBe(204);
    expect((await remove(first)).status).toBe(204);
    expect(await refusalOf(remove(first))).toMatchObject({ status: 404 });
    expect([...github.state.deployments.environments]).toEqual(["preview"]);
  });
});

describe("a status", () => {
  test("of a success retires earlier successes of the environment that are neither transient nor production", async () => {
    const { made, say, stateNow } = await record();
    const plain = await made();
    const transient = await made({ transient_environment: true });
    const failed = await made();
    for (const id of [plain, transient]) await say(id, "success", { auto_inactive: false });
    await say(failed, "failure");
    const production = await made({ environment: "production" });
    await say(production, "success");
    await say(await made({ environment: "production" }), "success");
    await say(await made(), "success");
    expect(await Promise.all([plain, transient, failed, production].map(stateNow))).toEqual([
      ...["inactive", "success", "failure", "success"],
    ]);
  });

  test("is refused with a long description, a URL that is none, and fields that there are not", async () => {
    const { made, say, github } = await record();
    const id = await made();
    for (const body of [
      { description: "x".repeat(141) },
      { environment_url: "javascript:alert(1)" },
      { production_environment: false },
    ]) {
      expect(await refusalOf(say(id, "success", body))).toMatchObject({ status: 422 });
    }
    github.state.deployments.longestUrl = 30;
    const url = `https://example.com/${"x".repeat(30)}`;
    expect(await refusalOf(say(id, "success", { log_url: url }))).toMatchObject({ status: 422, message: /log_url/ });
  });
});

test.each([
  ["of a fork", READ_ONLY],
  ["that lacks the right", { ...ALL, deployments: "none" as const }],
])("a token %s is refused, with the right that it lacks in a header", async (_, permissions) => {
  const { github, client, repo, pull } = await record();
  const { rest } = client(github.tokenOf({ permissions }));
  const refusal = await refusalOf(rest.repos.createDeployment({ ...repo, ref: pull.headSha, ...EXACT }));
  expect(refusal).toMatchObject({
    status: 403,
    headers: { "x-accepted-github-permissions": "deployments=write" },
  });
  const list = rest.repos.listDeployments(repo);
  if (permissions === READ_ONLY) expect((await list).status).toBe(200);
  else expect(await refusalOf(list)).toMatchObject({ status: 403 });
});

test("a write whose answer is lost is done", async () => {
  const { create, github } = await record();
  github.faults.add({ method: "POST", path: /\/deployments$/ }, lost);
  expect(await refusalOf(create())).toMatchObject({ status: 500 });
  expect(github.state.deployments.all.map(stateOf)).toEqual([undefined]);
  github.faults.add({ method: "POST" }, mergedInstead);
  expect((await create()).status).toBe(202);
  expect(github.state.deployments.all).toHaveLength(1);
});
