import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { GitHubError } from "../../../action/github/errors.ts";
import { FastClock } from "../../wire/clocks.ts";
import { COMMENTS, NEW_COMMENT, ANSWER_OF_7, clientOf, inputsFor, serve } from "./small-server.ts";

describe("writes", () => {
  const RECORD = { deployment_id: 1 };
  const DELETE_RECORD = "DELETE /repos/{owner}/{repo}/deployments/{deployment_id}";
  const EDIT = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";

  test(
    "wait for their turn: fewer than 80 in any minute, over all connections of a step; reads do not",
    { tags: "slow" },
    async () => {
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
    },
  );

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

  test("whose turn it is go out after the timeout, too: they say how the step has ended", async () => {
    const { origin, received } = await serve(() => ({ json: {} }));
    const limits = { mayWait: true, limited: undefined, timeoutMilliseconds: 30_000 };
    const clock = new FastClock();
    const { github } = await clientOf(origin, { clock, inputs: inputsFor(origin, { limits }) });
    clock.pass(31_000);
    await github.request(DELETE_RECORD, RECORD);
    await github.request(EDIT, { comment_id: 1, body: "timed out" });
    expect(received).toHaveLength(2);
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
