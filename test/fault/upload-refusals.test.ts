import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { EARLY_403, earlyAnswer, redirect, status, type Fault } from "../wire/faults.ts";
import { API_KEY } from "../dist/step.ts";
import { behindFaults, detail, meet, POST } from "../dist/upload-front.ts";
import { redSentence, rowOf, UPLOAD_PATH } from "../dist/upload-step.ts";

describe("an upload that is refused is not sent again, and the sentence names the experiment", () => {
  test.each([
    [
      "401 that repeats the key",
      status(401, detail(`Invalid token ${API_KEY}`)),
      "returned 401: Invalid token ***.",
      "Check the API key: it is missing, wrong or expired. `api-key` sets it.",
    ],
    [
      "403 without a workspace",
      status(403, { body: { error: "org_scoped_key_requires_workspace" } }),
      "returned 403: org_scoped_key_requires_workspace.",
      "If the service gives no other reason, check that the API key may do this, and set the tenant id if the key belongs to several workspaces.",
    ],
    [
      "403 as a page",
      status(403, { headers: { "content-type": "text/html" }, body: `<html><h1>${API_KEY}</h1></html>` }),
      "returned 403.",
      "Check that the API key may do this, and set the tenant id if the key belongs to several workspaces.",
    ],
    [
      // With a reset behind it where the client is in the process of the test, and cannot be too busy to read it.
      "a refusal while the body is sent, and the end of the connection",
      earlyAnswer(EARLY_403, (socket) => socket.end()),
      "returned 403: AccessDenied.",
      "If the service gives no other reason, check that the API key may do this, and set the tenant id if the key belongs to several workspaces.",
    ],
    [
      "429 that asks for a longer wait than there is time",
      status(429, { headers: { "retry-after": "3600" }, body: "" }),
      "returned 429, and asks for a pause of 3600 s, which is longer than one request may take.",
      "The service limits the rate of requests; run again later.",
    ],
    [
      "302",
      redirect(302, "https://elsewhere.example/login?key=1"),
      "returned 302, a redirect to https://elsewhere.example/login, which is not followed.",
      "If that is a page to sign in, the address is not that of the API: use the final address of the API.",
    ],
  ])("%s", async (_name, fault, why, next) => {
    const { result, posts, stored, target } = await meet(fault, { times: 9 });
    expect(redSentence(result)).toBe(`The experiment "nightly" was not uploaded: ${target} ${why}`);
    expect(result.log.at(-1)).toBe(`Next          ${next}`);
    expect([posts, stored.length]).toEqual([1, 0]);
  });

  test("a redirect that asks for the same request sends the key to no other host", async () => {
    const elsewhere = await startFaultServer(() => ({ status: 200, body: {} }));
    const { options, front } = await behindFaults();
    front.script(POST, redirect(307, `${elsewhere.url}${UPLOAD_PATH}`), 9);
    redSentence(await runAction(options()));
    expect(elsewhere.connections).toBe(0);
  });

  test("422 reports the rows by file and line, and nothing of what it repeats", async () => {
    const { options, front, write } = await behindFaults();
    await write({ "second.jsonl": `${JSON.stringify(rowOf(8))}\n${JSON.stringify(rowOf(9))}\n` });
    const input = { input: "ECHO-OF-A-ROW" };
    const entry = (...loc: readonly (string | number)[]) => ({
      loc: ["body", ...loc],
      type: "x",
      ...input,
      ctx: input,
    });
    const faults = [
      { ...entry("results", 4, "start_time"), msg: "Input should be a valid datetime" },
      { ...entry("results", 0), msg: "Field required" },
      { ...entry("experiment_name"), msg: "is too long" },
    ];
    front.script(POST, status(422, { body: { detail: faults } }), 9);
    const result = await runAction(options());
    expect(redSentence(result)).toMatch(
      /^The service rejected the experiment "nightly": .*; .*; experiment_name: is too long \(422\)\.$/,
    );
    expect(result.log.slice(-4)).toEqual([
      "  second.jsonl, line 2   start_time: Input should be a valid datetime",
      "  results.jsonl, line 1  Field required",
      "  experiment             experiment_name: is too long",
      "Next          Correct what the service reports and run again; nothing of this experiment was stored.",
    ]);
    expect(result.rawStdout + result.summary).not.toContain("ECHO");
    expect(front.count(POST)).toBe(1);
  });

  test("no path of the service takes experiments", async () => {
    const { options, front, target } = await behindFaults();
    front.script(POST, status(404, detail("Not Found")), 9);
    const result = await runAction(options());
    const without = target.replace("/api/v1", "");
    expect(redSentence(result)).toBe(`The experiment "nightly" was not uploaded: ${without} returned 404: Not Found.`);
    expect(result.log.at(-1)).toBe(
      "Next          Check that the address is that of a service that accepts experiments. `base-url` sets the address.",
    );
    expect(front.count(POST)).toBe(2);
  });
});

describe("a body that is too large", () => {
  const HTML = { headers: { connection: "close", "content-type": "text/html" }, body: "<title>413</title>" };
  const early = (end: (socket: Socket) => void) => earlyAnswer({ status: 413, ...HTML }, end);
  const halfClosed = early((socket) => socket.end());

  async function refused(first: Fault): Promise<number> {
    const { options, front, write, stored } = await behindFaults();
    await write({ "results.jsonl": fiftyMegabytes() });
    front.script(POST, first);
    front.script(POST, halfClosed, 8);
    const result = await runAction(options());
    expect(redSentence(result)).toMatch(
      /^The service refuses the experiment "nightly" as too large: 50\.\d MB with 50 rows\.$/,
    );
    expect(result.log.at(-1)).toContain("`max-rows-per-experiment`");
    expect(await stored()).toEqual([]);
    return front.count(POST);
  }

  test("is refused before it is sent", async () => {
    expect(await refused(halfClosed)).toBe(1);
  });

  // A busy client writes into the closed connection before it reads, and has to send again.
  test.each([
    ["closed", early((socket) => socket.destroySoon())],
    ["reset", early((socket) => socket.resetAndDestroy())],
  ])("is sent at most once more when the connection is %s", async (_name, fault) => {
    expect(await refused(fault)).toBeLessThanOrEqual(2);
  });

  function fiftyMegabytes(): string {
    const fields = {
      inputs: { text: "x".repeat(1_000_000) },
      start_time: "2026-05-04T10:00:01Z",
      end_time: "2026-05-04T10:00:02Z",
    };
    return Array.from({ length: 50 }, (_, index) => `${JSON.stringify(rowOf(index + 1, fields))}\n`).join("");
  }
});
