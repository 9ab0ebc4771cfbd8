import { describe, expect, test } from "vitest";
import { refusalOf, rig } from "./rig.ts";
import { ALL, BOT } from "./tokens.ts";

const QUERY = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { databaseId, viewerDidAuthor isMinimized author { login } body }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

async function thread() {
  const all = await rig();
  const { github, repo, client } = all;
  const { number } = github.state.pulls.open();
  const target = { ...repo, issue_number: number };
  return { ...all, rest: client().rest, number, target, comments: github.state.comments };
}

describe("a list of comments", () => {
  test("has 30 of them, or 100 at most, oldest first, with links to the other pages", async () => {
    const { rest, target, comments, number, client } = await thread();
    for (let count = 0; count < 250; count += 1) comments.create(number, "octocat", `Comment ${String(count)}`);
    expect((await rest.issues.listComments(target)).data).toHaveLength(30);
    const first = await rest.issues.listComments({ ...target, per_page: 500 });
    expect(first.data).toHaveLength(100);
    expect(first.headers.link).toMatch(
      /\/repositories\/\d+\/issues\/1\/comments\?.*page=2.*rel="next".*page=3.*rel="last"/,
    );
    const everything = await client().paginate(rest.issues.listComments, { ...target, per_page: 100 });
    expect(everything.map(({ id }) => id)).toEqual(comments.of(number).map(({ id }) => id));
  });

  test("does not know yet what was just written", async () => {
    const { rest, repo, target, comments } = await thread();
    comments.lag.lists = 2;
    const { data } = await rest.issues.createComment({ ...target, body: "new" });
    const known = async () => (await rest.issues.listComments(target)).data.length;
    expect([await known(), await known(), await known()]).toEqual([0, 0, 1]);
    expect((await rest.issues.getComment({ ...repo, comment_id: data.id })).data.body).toBe("new");
  });
});

describe("a comment", () => {
  test("may have 65,536 characters", async () => {
    const { rest, target } = await thread();
    expect((await rest.issues.createComment({ ...target, body: "x".repeat(65_536) })).status).toBe(201);
    const refusal = await refusalOf(rest.issues.createComment({ ...target, body: "x".repeat(65_537) }));
    expect(refusal).toMatchObject({ status: 422, message: /Body is too long/ });
  });

  test("may be edited by any token that may write, and comes back with CRLF where that is asked for", async () => {
    const { rest, repo, comments, number } = await thread();
    const { id } = comments.create(number, "octocat", "one\ntwo");
    comments.crlf = true;
    expect((await rest.issues.updateComment({ ...repo, comment_id: id, body: "a\nb" })).data.body).toBe("a\r\nb");
    await rest.issues.deleteComment({ ...repo, comment_id: id });
    expect(await refusalOf(rest.issues.getComment({ ...repo, comment_id: id }))).toMatchObject({ status: 404 });
  });

  test("needs the right for pull requests: the one for issues is not enough, although the header names both", async () => {
    const { github, client, target } = await thread();
    const token = github.tokenOf({ permissions: { ...ALL, issues: "write", "pull-requests": "read" } });
    const refusal = await refusalOf(client(token).rest.issues.createComment({ ...target, body: "a" }));
    expect(refusal).toMatchObject({
      status: 403,
      headers: { "x-accepted-github-permissions": "pull_requests=write; issues=write" },
    });
  });
});

describe("the query", () => {
  test("says which comments are one's own, and which are hidden, 100 at a time", async () => {
    const { client, repo, comments, number, github } = await thread();
    const mine = comments.create(number, BOT, "mine");
    for (let count = 0; count < 120; count += 1) comments.create(number, "octocat", "theirs");
    mine.isMinimized = true;
    const ask = (token: string, after: string | null) =>
      client(token).graphql<{ repository: { pullRequest: { comments: { nodes: object[]; pageInfo: object } } } }>(
        QUERY,
        {
          ...{ owner: repo.owner, name: repo.repo, number, after },
        },
      );
    const { repository } = await ask(github.token, null);
    const { nodes, pageInfo } = repository.pullRequest.comments;
    expect(nodes).toHaveLength(100);
    expect(nodes[0]).toEqual({
      ...{ databaseId: mine.id, viewerDidAuthor: true, isMinimized: true, body: "mine" },
      author: { login: "github-actions" },
    });
    expect(pageInfo).toMatchObject({ hasNextPage: true });
    const person = await ask(github.tokenOf({ login: "octocat" }), (pageInfo as { endCursor: string }).endCursor);
    expect(person.repository.pullRequest.comments.nodes).toHaveLength(21);
    expect(person.repository.pullRequest.comments.nodes[0]).toMatchObject({ viewerDidAuthor: true });
  });

  test.each([
    ["a field that there is not", QUERY.replace("isMinimized", "isHidden")],
    ["more than a page", QUERY.replace("first: 100", "first: 101")],
    ["no end", QUERY.replace("first: 100, ", "")],
    ["a variable that is not declared", QUERY.replace("$after: String", "")],
  ])("is refused with %s", async (_, query) => {
    const { client, repo, number } = await thread();
    const sent = client().graphql(query, { owner: repo.owner, name: repo.repo, number, after: null });
    await expect(sent).rejects.toThrow();
  });

  test("is refused to a token that may not read pull requests", async () => {
    const { client, repo, number, github } = await thread();
    const token = github.tokenOf({ permissions: { ...ALL, "pull-requests": "none" } });
    const sent = client(token).graphql(QUERY, { owner: repo.owner, name: repo.repo, number, after: null });
    await expect(sent).rejects.toThrow(/not accessible/);
  });
});
