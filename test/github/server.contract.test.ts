import { describe, expect, test } from "vitest";
import { cut, forbidden, primaryLimit, refused, secondaryLimit } from "./faults.ts";
import { refusalOf, rig } from "./rig.ts";

describe("a request", () => {
  test("needs a token, and finds no other repository", async () => {
    const { client, repo } = await rig();
    const { rest } = client("ghs_unknown");
    expect(await refusalOf(rest.pulls.list(repo))).toMatchObject({ status: 401 });
    expect(await refusalOf(client().rest.pulls.list({ ...repo, repo: "other" }))).toMatchObject({ status: 404 });
    expect(await refusalOf(client().rest.users.getAuthenticated())).toMatchObject({ status: 403 });
  });

  test.each([
    [
      "the hourly limit",
      primaryLimit(60),
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "60" } },
    ],
    ["the limit of a burst", secondaryLimit(7, 429), { status: 429, headers: { "retry-after": "7" } }],
    ["a server error", refused(502), { status: 502 }],
    ["a lack of rights", forbidden("deployments=write"), { status: 403 }],
    ["a cut", cut, { status: 500 }],
  ])("meets %s when a test says so, and is not done", async (_, fault, expected) => {
    const { github, client, repo } = await rig({ now: () => new Date(0) });
    const { number } = github.state.pulls.open();
    const handle = github.faults.add({ method: "POST" }, fault);
    const create = () => client().rest.issues.createComment({ ...repo, issue_number: number, body: "a" });
    expect(await refusalOf(create())).toMatchObject(expected);
    expect(github.state.comments.of(number)).toEqual([]);
    expect(handle.hits).toBe(1);
    expect((await create()).status).toBe(201);
  });
});
