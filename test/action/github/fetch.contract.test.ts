import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { GitHubError } from "../../../action/github/errors.ts";
import { SWEEP_PATIENCE_MILLISECONDS } from "../../../action/github/github-inputs.ts";
import { FastClock } from "../../wire/clocks.ts";
import { clientOf, inputsFor, serve, type Reply } from "./small-server.ts";

const COMMENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
const NEW_COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
const ANSWER_OF_7 = { issue_number: 7, body: "hello" } as const;

async function connected(reply: (place: number) => Reply) {
  const server = await serve((_request, place) => reply(place));
  return { ...server, ...(await clientOf(server.origin)) };
}

describe("what may be repeated", () => {
  const DEAD: Reply[] = [{ status: 502 }, { cut: true }];

  test.each(DEAD)("a read, a delete of a record and a status after %j", async (failure) => {
    const { github, requests } = await connected((place) => (place % 2 === 1 ? failure : { json: { id: 1 } }));
    await github.request(COMMENTS, { issue_number: 7 });
    await github.request("DELETE /repos/{owner}/{repo}/deployments/{deployment_id}", { deployment_id: 1 });
    const status = { deployment_id: 1, state: "success" } as const;
    await github.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", status);
    await github.graphql("query { viewer { login } }").catch(() => undefined);
    expect(requests()).toHaveLength(8);
  });

  const EDITS = [
    ["an edit", "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: 1, body: "x" }],
    ["a delete", "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: 1 }],
  ] as const;
  const LIMITED: Reply = { status: 429, headers: { "retry-after": "7" } };

  test.each(EDITS)("not %s of a comment: what it says may be old by then", async (_what, route, parameters) => {
    for (const [failure, error] of [
      [{ status: 502 }, { mayHaveBeenProcessed: true, wasHeld: false }],
      [
        { status: 503, headers: { "retry-after": "1" } },
        { mayHaveBeenProcessed: true, wasHeld: false },
      ],
      [{ cut: true }, { mayHaveBeenProcessed: true, wasHeld: false }],
      [LIMITED, { mayHaveBeenProcessed: false, wasHeld: true }],
    ] as const) {
      const { github, received } = await connected(() => failure);
      await expect(github.request(route, parameters)).rejects.toMatchObject(error);
      expect(received).toHaveLength(1);
    }
    const { github } = await clientOf("http://127.0.0.1:9");
    await expect(github.request(route, parameters)).rejects.toMatchObject({ wasHeld: true });
  });

  test.each(DEAD)("not a new comment after %j: its error says that it may exist", async (failure) => {
    const { github, received } = await connected(() => failure);
    await expect(github.request(NEW_COMMENT, ANSWER_OF_7)).rejects.toMatchObject({ mayHaveBeenProcessed: true });
    expect(received).toHaveLength(1);
  });
});

describe("a rate limit", () => {
  const LIMITS: readonly (readonly [string, Reply, number])[] = [
    ["with a time to wait", { status: 403, headers: { "retry-after": "7" } }, 7_000],
    ["without one", { status: 429 }, 60_000],
    ["of writes", { status: 403, json: { message: "You have exceeded a secondary rate limit." } }, 60_000],
  ];

  test.each(LIMITS)("%s is waited for once, for a new comment too", async (_what, limit, wait) => {
    const { github, received, clock, notices } = await connected((place) =>
      place === 1 ? limit : { status: 201, json: { id: 1 } },
    );
    await github.request(NEW_COMMENT, ANSWER_OF_7);
    expect(received).toHaveLength(2);
    expect((clock as FastClock).sleeps).toEqual([wait]);
    expect(notices).toEqual(["rate limit"]);
  });

  test("that continues is given up, and later requests are not sent until it is over", async () => {
    const { github, received, clock } = await connected(() => ({ status: 429, headers: { "retry-after": "20" } }));
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 429 });
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 429 });
    expect(received).toHaveLength(2);
    (clock as FastClock).pass(21_000);
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 429 });
    expect(received).toHaveLength(3);
  });

  test("is known to all connections of a step", async () => {
    const { origin, received } = await serve(() => ({ status: 429, headers: { "retry-after": "20" } }));
    const [clock, inputs] = [new FastClock(), inputsFor(origin)];
    for (let connections = 0; connections < 3; connections += 1) {
      const { github } = await clientOf(origin, { clock, inputs });
      await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 429 });
    }
    expect(received).toHaveLength(2);
  });

  test("of GraphQL, which it reports in a success, is waited for too", async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 30);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const errors = [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }];
    const { github, received, notices } = await connected((place) =>
      place === 1 ? { headers, json: { errors } } : { json: { data: { viewer: null } } },
    );
    expect(await github.graphql("query { viewer { login } }")).toEqual({ viewer: null });
    expect(received).toHaveLength(2);
    expect(notices).toEqual(["rate limit"]);
  });

  test("is measured by GitHub's clock, however far this machine's is off", async () => {
    const [now, hour] = [Math.ceil(Date.now() / 1_000), 3_600];
    const date = new Date((now + hour) * 1_000).toUTCString();
    const headers = { date, "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now + hour + 30) };
    const { github, clock } = await connected((place) => (place === 1 ? { status: 403, headers } : { json: [] }));
    await github.request(COMMENTS, { issue_number: 7 });
    expect((clock as FastClock).sleeps).toEqual([30_000]);
  });

  test("is waited for again and again by a sweep, for ten minutes in all, and by all of its requests", async () => {
    const server = await serve(() => ({ status: 429, headers: { "retry-after": "80" } }));
    const inputs = inputsFor(server.origin, {
      limits: { mayWait: true, limited: undefined, patience: SWEEP_PATIENCE_MILLISECONDS },
    });
    const { github, clock } = await clientOf(server.origin, { inputs });
    const read = () => github.request(COMMENTS, { issue_number: 7 });
    await expect(Promise.all([read(), read(), read()])).rejects.toMatchObject({ status: 429 });
    await expect(read()).rejects.toMatchObject({ status: 429 });
    expect(clock.now()).toBeLessThanOrEqual(600_000);
    expect(clock.now()).toBeGreaterThan(500_000);
  });

  test.each([
    ["a step", undefined],
    ["a sweep", SWEEP_PATIENCE_MILLISECONDS],
  ])("is not waited for beyond the timeout of %s", async (_what, patience) => {
    const server = await serve(() => ({ status: 429, headers: { "retry-after": "60" } }));
    const limits = { mayWait: true, limited: undefined, patience, timeoutMilliseconds: 30_000 };
    const { github, clock } = await clientOf(server.origin, { inputs: inputsFor(server.origin, { limits }) });
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 429 });
    expect((clock as FastClock).sleeps).toEqual([]);
  });

  test("of the hour is not waited for when it is long", async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 1_800);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const { github, received, clock } = await connected(() => ({ status: 403, headers }));
    await expect(github.request(COMMENTS, { issue_number: 7 })).rejects.toMatchObject({ status: 403 });
    expect(received).toHaveLength(1);
    expect((clock as FastClock).sleeps).toEqual([]);
  });
});

describe("writes", () => {
  const RECORD = { deployment_id: 1 };
  const DELETE_RECORD = "DELETE /repos/{owner}/{repo}/deployments/{deployment_id}";
  const EDIT = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";

  test("wait for their turn: fewer than 80 in any minute, over all connections of a step; reads do not", async () => {
    const { origin, requests } = await serve(() => ({ json: {} }));
    const [clock, inputs] = [new FastClock(), inputsFor(origin)];
    const sent: number[] = [];
    for (let connections = 0; connections < 2; connections += 1) {
      const { github } = await clientOf(origin, { clock, inputs });
      for (let write = 0; write < 100; write += 1) {
        await github.request(DELETE_RECORD, RECORD);
        sent.push(clock.now());
      }
    }
    for (const at of sent) expect(sent.filter((other) => other >= at && other < at + 60_000).length).toBeLessThan(80);
    expect(clock.now()).toBeLessThan(180_000);
    const { github } = await clientOf(origin, { clock, inputs });
    const before = clock.now();
    for (let read = 0; read < 100; read += 1) await github.request(COMMENTS, { issue_number: 7 });
    expect([clock.now(), requests().length]).toEqual([before, 300]);
  });

  test("of a comment are not sent after that wait, since what they say is old; then it is their turn", async () => {
    const { origin, received } = await serve(() => ({ json: {} }));
    const { github } = await clientOf(origin);
    for (let write = 0; write < 72; write += 1) await github.request(DELETE_RECORD, RECORD);
    const edit = () => github.request(EDIT, { comment_id: 1, body: "x" });
    await expect(edit()).rejects.toMatchObject({ wasHeld: true });
    expect(received).toHaveLength(72);
    await edit();
    expect(received).toHaveLength(73);
  });

  test("that would only have their turn after the timeout fail", async () => {
    const { origin } = await serve(() => ({ json: {} }));
    const limits = { mayWait: true, limited: undefined, timeoutMilliseconds: 30_000 };
    const { github } = await clientOf(origin, { inputs: inputsFor(origin, { limits }) });
    for (let write = 0; write < 72; write += 1) await github.request(DELETE_RECORD, RECORD);
    await expect(github.request(DELETE_RECORD, RECORD)).rejects.toThrow(/80 writes a minute/);
  });
});

describe("a GitHub that does not answer", () => {
  /** A server that never answers, whose clock is at the next alarm as soon as a request has come. */
  async function silent() {
    const clock = new FastClock();
    const server = createServer(() => {
      clock.pass(10_000);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const origin = `http://127.0.0.1:${String(port)}`;
    return { clock, origin, inputs: inputsFor(origin) };
  }

  test("takes a step a minute in all: after one request the others fail at once", async () => {
    const { clock, origin, inputs } = await silent();
    const { github } = await clientOf(origin, { clock, inputs });
    const read = () => github.request(COMMENTS, { issue_number: 7 });
    await expect(read()).rejects.toThrow(GitHubError);
    const first = clock.now();
    expect(first).toBeGreaterThanOrEqual(10_000);
    expect(first).toBeLessThanOrEqual(31_000);
    const { github: another } = await clientOf(origin, { clock, inputs });
    for (const request of [read, () => another.request(NEW_COMMENT, ANSWER_OF_7)]) {
      await expect(request()).rejects.toThrow("GitHub did not respond to an earlier request");
    }
    expect(clock.now()).toBe(first);
    let lost = first;
    for (let later = 0; later < 20; later += 1) {
      clock.pass(60_000);
      const begun = clock.now();
      await expect(read()).rejects.toThrow(GitHubError);
      lost += clock.now() - begun;
    }
    expect(lost).toBeLessThanOrEqual(61_000);
  });
});
