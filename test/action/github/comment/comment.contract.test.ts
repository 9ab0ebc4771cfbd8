import { testWith } from "../../../test-with.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { mergeSections, sectionsOf } from "../../../../action/github/comment/body.ts";
import { connectGitHub } from "../../../../action/github/client.ts";
import { sectionOf, commentOn, commentRemoval, type SectionOwner } from "../../../../action/github/comment/comment.ts";
import type { RunBrief } from "../../../../front/account/brief.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { cut, forbidden, lost, meanwhile, refused } from "../../../github/faults.ts";
import { startGitHub } from "../../../github/server.ts";
import { BOT, READ_ONLY } from "../../../github/tokens.ts";
import { FastClock } from "../../../wire/clocks.ts";
import { inputsFor } from "../small-server.ts";

const BRIEF: RunBrief = { name: "support-agent", sign: "good", state: "live", text: "### ✅ support-agent is live" };
const RUN = { id: "100", attempt: 1, commit: "4f1c09ab".repeat(5), url: "https://github.example/o/r/actions/runs/100" };
const OWNER: SectionOwner = {
  kind: "deployment",
  key: "support-agent",
  run: RUN,
  at: new Date("2026-05-04T10:00:00Z"),
};

async function thread({ permissions = undefined as typeof READ_ONLY | undefined } = {}) {
  const server = await startGitHub();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { number } = server.state.pulls.open();
  const [owner = "", repo = ""] = server.state.name.split("/");
  const token = permissions === undefined ? server.token : server.tokenOf({ permissions });
  const clock = new FastClock();
  const surroundings = { clock, random: () => 0.5, signal: new AbortController().signal };
  const github = connectGitHub(
    { ...inputsFor(new URL(server.url).origin), allowHttp: true, token, repository: { owner, repo } },
    { redactor: new Redactor(), ...surroundings },
  );
  onTestFinished(() => github[Symbol.asyncDispose]());
  const comment = async (change: Partial<SectionOwner> = {}, brief = BRIEF) =>
    await commentOn(github, number, sectionOf(brief, { ...OWNER, ...change }), surroundings);
  const { comments } = server.state;
  const bodies = () => comments.of(number).map(({ body }) => body);
  const asked = () =>
    server.requests.map(({ method, path }) => `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+/, "")}`);
  return { server, number, github, comment, comments, bodies, asked, surroundings };
}
const withThread = testWith(thread);

describe("a section on GitHub", () => {
  withThread("is made with five requests, and updated with five", async ({ comment, bodies, asked }) => {
    expect(await comment()).toMatchObject({ outcome: "created" });
    expect(asked()).toHaveLength(5);
    expect(await comment({ run: { ...RUN, attempt: 2 } })).toMatchObject({ outcome: "updated" });
    expect(asked().slice(5)).toEqual([
      ...["POST /graphql", expect.stringMatching(/^GET .*comments/), expect.stringMatching(/^PATCH .*comments/)],
      ...[expect.stringMatching(/^GET .*comments/), expect.stringMatching(/^GET .*comments/)],
    ]);
    expect(bodies()).toHaveLength(1);
    expect(sectionsOf(bodies()[0])[0]?.text).toBe(
      "### ✅ support-agent is live\n\n" +
        "commit `4f1c09a` · 2026-05-04 10:00 UTC · workflow run <https://github.example/o/r/actions/runs/100>",
    );
  });

  test("is found behind a hundred other comments, and only in one of our own", async () => {
    const { comment, comments, number, bodies } = await thread();
    const forged = comments.create(number, "mallory", "Nice.");
    await comment();
    comments.edit(forged.id, bodies().at(-1) ?? "");
    for (let count = 0; count < 120; count += 1) comments.create(number, BOT, "Another action speaks.");
    expect(await comment({ key: "other" })).toMatchObject({ outcome: "updated" });
    expect(sectionsOf(bodies()[0])).toHaveLength(1);
    expect(sectionsOf(bodies()[1])).toHaveLength(2);
    expect(bodies()).toHaveLength(122);
  });

  test("is one after a lost response, and after a create that never arrived", async () => {
    for (const fault of [lost, cut, refused(502)]) {
      const { comment, server, bodies } = await thread();
      server.state.comments.lag.lists = 1;
      server.faults.add({ method: "POST", path: /\/comments$/ }, fault);
      expect(await comment()).toMatchObject({ outcome: "created" });
      expect(bodies()).toHaveLength(1);
    }
  });

  test("comes back when another run wrote over it, and line ends do not matter", async () => {
    const { comment, server, comments, number, bodies } = await thread();
    await comment({ key: "first" });
    const { id, body } = comments.of(number)[0] ?? { id: 0, body: "" };
    comments.crlf = true;
    server.faults.add(
      { method: "GET", path: /\/issues\/comments\// },
      // After the first read and the write: what another run has read before is written again.
      {
        before: () =>
          void server.faults.add(
            { method: "GET", path: /\/issues\/comments\// },
            meanwhile(() => void comments.edit(id, body)),
          ),
      },
    );
    expect(await comment()).toMatchObject({ outcome: "updated" });
    expect(sectionsOf(bodies()[0])).toHaveLength(2);
    expect(server.count("PATCH")).toBe(2);
  });

  test("is refused with the permission that is missing", async () => {
    const { comment, asked } = await thread({ permissions: READ_ONLY });
    await expect(comment()).rejects.toMatchObject({ status: 403, missing: "pull-requests: write" });
    expect(asked()).toHaveLength(2);
    const { comment: again, server } = await thread();
    server.faults.add({ method: "POST", path: /\/comments$/ }, forbidden("issues=write; pull_requests=write"));
    await expect(again()).rejects.toMatchObject({ missing: "pull-requests: write" });
  });

  test("names the permission that GraphQL does not name, and none where rights are not the reason", async () => {
    const { comment } = await thread({ permissions: { "pull-requests": "none" } });
    await expect(comment()).rejects.toMatchObject({ missing: "pull-requests: write" });
    for (const message of [
      ...["Unable to create comment because issue is locked.", "secondary rate limit", "archived"],
      "`us` forbids access via a personal access token (classic). Please use one with fine-grained permissions.",
      "Must have admin rights to Repository.",
      "Your token has not been granted the required scopes. Must have one of: repo",
    ]) {
      const { comment: again, server } = await thread();
      const headers = { "x-accepted-github-permissions": "pull_requests=write", "retry-after": "900" };
      server.faults.add({ method: "POST", path: /\/comments$/ }, refused(403, message, headers), 9);
      await expect(again()).rejects.toMatchObject({ status: 403, missing: undefined });
    }
  });

  test("recognises its comment by its maker after a lost response, also once another run has written into it", async () => {
    const { comment, server, comments, number, bodies } = await thread();
    const other = mergeSections(undefined, [sectionOf(BRIEF, { ...OWNER, key: "other" })]);
    server.faults.add(
      { method: "POST", path: /\/comments$/ },
      {
        isLost: true,
        after: () => {
          const { id = 0, body = "" } = comments.of(number)[0] ?? {};
          comments.edit(id, mergeSections(body, sectionsOf(other)));
          return Promise.resolve();
        },
      },
    );
    expect(await comment()).toMatchObject({ outcome: "created" });
    expect(bodies().map((body) => sectionsOf(body).length)).toEqual([2]);
    expect(server.count("POST", /\/comments$/)).toBe(1);
  });

  test("does not touch a comment of another workflow that begins with the same marker", async () => {
    const { comment, comments, number, bodies } = await thread();
    const sibling = "<!-- graph-deploy:comment:1 -->\n\n## Coverage\n\n98 %";
    comments.create(number, BOT, sibling);
    expect(await comment()).toMatchObject({ outcome: "created" });
    expect(bodies()).toEqual([sibling, expect.stringContaining("support-agent")]);
  });

  withThread("that GitHub never confirms does not blame other runs", async ({ comment, server }) => {
    await comment();
    server.faults.add({ method: "PATCH" }, cut, Infinity);
    await expect(comment({ run: { ...RUN, id: "200" } })).rejects.toThrow("GitHub did not confirm any write");
  });

  withThread("is never made again and again", async ({ comment, server }) => {
    server.faults.add({ method: "POST", path: /\/comments$/ }, cut, 100);
    await expect(comment()).rejects.toThrow();
    expect(server.count("POST", /\/comments$/)).toBe(2);
  });
});

describe("a deployment that is gone", () => {
  const GONE = {
    key: "support-agent",
    name: "support-agent-pr-1",
    text: "The pull request is closed.",
    run: { ...RUN, id: "200" },
  };

  withThread("is said to be gone in its section", async ({ comment, github, number, surroundings, bodies, server }) => {
    await comment();
    expect(await commentRemoval(github, number, GONE, surroundings)).toMatchObject({ outcome: "updated" });
    expect(sectionsOf(bodies()[0])[0]).toMatchObject({
      facts: { state: "removed" },
      text: /The pull request is closed/,
    });
    const { headSha } = server.state.pulls.find(number);
    expect(sectionsOf(bodies()[0])[0]?.facts.commit).toBe(headSha);
    expect(await comment()).toMatchObject({ outcome: "stale" });
    // A re-run of the earlier run deploys it again.
    expect(await comment({ at: new Date(Date.now() + 60_000) })).toMatchObject({ outcome: "updated" });
    expect(await comment({ run: { ...RUN, id: "300" } })).toMatchObject({ outcome: "updated" });
  });

  withThread("gets no section of its own", async ({ comment, github, number, surroundings, bodies }) => {
    expect(await commentRemoval(github, number, GONE, surroundings)).toMatchObject({ outcome: "absent" });
    expect(bodies()).toEqual([]);
    await comment({ key: "other" });
    expect(await commentRemoval(github, number, GONE, surroundings)).toMatchObject({ outcome: "absent" });
    expect(sectionsOf(bodies()[0])).toHaveLength(1);
  });
});
