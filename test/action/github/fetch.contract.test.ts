import { describe, expect, test } from "vitest";
import { SWEEP_PATIENCE_MILLISECONDS } from "../../../action/github/github-inputs.ts";
import { FastClock } from "../../wire/clocks.ts";
import {
  COMMENTS,
  NEW_COMMENT,
  ANSWER_OF_7,
  connected,
  clientOf,
  inputsFor,
  serve,
  type Reply,
} from "./small-server.ts";

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

  test.each(LIMITS)("%s is waited for once", async (_what, limit, wait) => {
    const { github, received, clock, notices } = await connected((place) =>
      place === 1 ? limit : { status: 201, json: { id: 1 } },
    );
    await github.request(COMMENTS, { issue_number: 7 });
    expect(received).toHaveLength(2);
    expect((clock as FastClock).sleeps).toEqual([wait]);
    expect(notices).toEqual(["rate limit"]);
  });

  test.each(LIMITS)(
    "%s is waited for, and then a new comment is not sent: another may have been made",
    async (...of) => {
      const { github, received, clock } = await connected(() => of[1]);
      await expect(github.request(NEW_COMMENT, ANSWER_OF_7)).rejects.toMatchObject({ wasHeld: true });
      expect(received).toHaveLength(1);
      expect((clock as FastClock).sleeps).toEqual([of[2]]);
    },
  );

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
