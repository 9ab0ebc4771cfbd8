import { describe, expect, test } from "vitest";
import { GitHubError } from "../../../action/github/errors.ts";
import { EndlessListError } from "../../../src/http/errors.ts";
import { connectGitHub } from "../../../action/github/client.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { makeAuthority } from "../../wire/certificates.ts";
import { FastClock } from "../../wire/clocks.ts";
import { startProxy } from "../../wire/proxy-server.ts";
import { startSecureServer } from "../../wire/secure-server.ts";
import { COMMENTS, NEW_COMMENT, ANSWER_OF_7, connected, clientOf, inputsFor, serve, TOKEN } from "./small-server.ts";

describe("a request", () => {
  test("goes below the path of the API, with the token and the repository", async () => {
    const { github, received } = await connected(() => ({ status: 201, json: { id: 3 } }));
    const { data } = await github.request(NEW_COMMENT, ANSWER_OF_7);
    expect(data.id).toBe(3);
    expect(received).toMatchObject([
      { method: "POST", path: "/api/v3/repos/us/agents/issues/7/comments", body: { body: "hello" } },
    ]);
    expect(received[0]?.headers["authorization"]).toBe(`token ${TOKEN}`);
    expect(received[0]?.headers["user-agent"]).toMatch(/^graph-deploy\//);
  });

  test("of GraphQL goes beside that path, with the repository among its variables", async () => {
    const { github, received } = await connected(() => ({ json: { data: { viewer: { login: "bot" } } } }));
    expect(await github.graphql("query { viewer { login } }", { number: 7 })).toEqual({ viewer: { login: "bot" } });
    expect(received).toMatchObject([{ path: "/api/graphql", body: { variables: { number: 7 } } }]);
  });

  test("that GraphQL refuses in a success is an error", async () => {
    const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
    const { github } = await connected(() => ({ json: { data: null, errors } }));
    await expect(github.graphql("query { viewer { login } }")).rejects.toThrow(
      /^GitHub returned an error to POST \/graphql: Resource not accessible by integration$/,
    );
  });

  test("that is refused names what was asked for, with the reason alone", async () => {
    const page = "https://docs.github.com/articles/locking-conversations/";
    const json = { message: "Unable to create comment because issue is locked.", documentation_url: page };
    const { github } = await connected(() => ({ status: 403, json }));
    await expect(github.request(NEW_COMMENT, ANSWER_OF_7)).rejects.toThrow(
      /^GitHub returned 403 to POST \/repos\/us\/agents\/issues\/7\/comments: Unable to create comment because issue is locked\.$/,
    );
  });

  test("that lacks a permission names it, as a workflow writes it", async () => {
    const headers = { "x-accepted-github-permissions": "issues=write; pull_requests=write" };
    const json = { message: "Resource not accessible by integration" };
    const { github, received } = await connected(() => ({ status: 403, headers, json }));
    const error: unknown = await github.request(NEW_COMMENT, ANSWER_OF_7).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GitHubError);
    expect(error).toMatchObject({ status: 403, missing: "pull-requests: write", mayHaveBeenProcessed: false });
    expect(received).toHaveLength(1);
  });

  test("has an error of one line that does not repeat the token", async () => {
    const json = { message: `bad ${TOKEN}\n::error::x${"y".repeat(1_000)}` };
    const { github } = await connected(() => ({ status: 422, json }));
    const error = (await github.request(NEW_COMMENT, ANSWER_OF_7).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).not.toContain(TOKEN);
    expect(error.message).not.toContain("\n");
    expect(error.message.length).toBeLessThan(500);
  });

  test("does not follow a redirect with the token", async () => {
    const headers = { location: "https://elsewhere.example/" };
    const { github, received } = await connected(() => ({ status: 301, headers }));
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toThrow(GitHubError);
    expect(received).toHaveLength(1);
  });
});

test("requests go through the proxy, to a server that an own authority vouches for, and the proxy sees no token", async () => {
  const authority = makeAuthority();
  const server = await startSecureServer(authority.issue(["github.example"]), { number: 7 });
  const proxy = await startProxy();
  const api = new URL(`https://github.example:${String(server.port)}/api/v3`);
  const more = { api, proxy: { https: proxy.url }, caCertificate: authority.cert };
  const surroundings = { redactor: new Redactor(), signal: new AbortController().signal, clock: new FastClock() };
  await using github = connectGitHub(inputsFor("http://127.0.0.1", more), surroundings);
  const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: 7 });
  expect(data).toEqual({ number: 7 });
  expect(server.seen).toMatchObject([{ authorization: `token ${TOKEN}` }]);
  expect(proxy.requests).toMatchObject([{ method: "CONNECT" }]);
  expect(proxy.tunnelled().toString("latin1")).not.toContain(TOKEN);
});

describe("pages", () => {
  const read = async (pages: AsyncIterable<readonly unknown[]>) => {
    const items: unknown[] = [];
    for await (const page of pages) items.push(...page);
    return items;
  };

  test("are followed by their links, and ask for the most that a page holds", async () => {
    const server = await serve(({ headers: { host = "" } }, place) => ({
      json: [place],
      headers: place < 3 ? { link: `<http://${host}/api/v3/next?page=${String(place + 1)}>; rel="next"` } : {},
    }));
    const { github } = await clientOf(server.origin);
    expect(await read(github.pages(COMMENTS, { issue_number: 7 }, { mostPages: 9 }))).toEqual([1, 2, 3]);
    expect(server.requests()).toEqual([
      "GET /api/v3/repos/us/agents/issues/7/comments?per_page=100",
      "GET /api/v3/next?page=2",
      "GET /api/v3/next?page=3",
    ]);
  });

  test("beyond the bound are an error, so that a part is not taken for the whole", async () => {
    const server = await serve(({ headers: { host = "" } }) => ({
      json: [1],
      headers: { link: `<http://${host}/api/v3/next>; rel="next"` },
    }));
    const { github } = await clientOf(server.origin);
    await expect(read(github.pages(COMMENTS, { issue_number: 7 }, { mostPages: 2 }))).rejects.toThrow(EndlessListError);
    expect(server.requests()).toHaveLength(2);
  });

  test("at another host get no token", async () => {
    const other = await serve(() => ({ json: [] }));
    const server = await serve(() => ({ json: [1], headers: { link: `<${other.origin}/api/v3/x>; rel="next"` } }));
    const { github } = await clientOf(server.origin);
    await expect(read(github.pages(COMMENTS, { issue_number: 7 }, { mostPages: 9 }))).rejects.toThrow(GitHubError);
    expect(other.received).toEqual([]);
  });
});
