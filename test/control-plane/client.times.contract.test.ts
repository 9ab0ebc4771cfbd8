import { describe, expect, test } from "vitest";
import { stalledBody, stalledHeaders, status } from "../wire/faults.ts";
import { isSentence } from "../wire/texts-of.ts";
import { REPEATABLE } from "./operations.ts";
import { clientOf, freshName, imageDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const tooLong = (retryAfter: string) =>
  status(503, { headers: { "retry-after": retryAfter }, body: { detail: "Down." } });
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(REPEATABLE)("$name", (operation) => {
  async function ready(options = {}) {
    const it = await world();
    const client = clientOf(it.front, options);
    const deployment = await operation.prepare(clientOf(it.front).plane);
    return { server: it[operation.at ?? "front"], subject: { world: it, plane: client.plane, deployment }, ...client };
  }

  test("fails at once when the service asks for a longer pause than there is time", async () => {
    for (const retryAfter of ["36000", new Date(Date.now() + 36_000_000).toUTCString()]) {
      const { server, subject, clock } = await ready();
      server.script(operation.hit, tooLong(retryAfter));
      const error = await caught(operation.run(subject, { attemptMilliseconds: 10_000 }));
      expect(error).toMatchObject({ code: "HTTP_STATUS", message: expect.stringContaining("asks for a pause of 3") });
      expect(String(error)).toSatisfy(isSentence);
      expect(server.count(operation.hit)).toBe(1);
      expect(clock.sleeps).toEqual([]);
    }
  });

  test("waits as long as the service asks", async () => {
    const { server, subject, clock } = await ready();
    server.script(operation.hit, tooLong("19"));
    await operation.run(subject, { attemptMilliseconds: 10_000 });
    expect(clock.sleeps).toEqual([19_000]);
  });

  test.each([
    ["no answer comes", stalledHeaders],
    ["half of an answer comes", stalledBody],
  ])("ends at once when it is cancelled while %s", async (_when, fault) => {
    const cancel = new AbortController();
    const reason = new Error("cancelled");
    const { server, subject } = await ready({ signal: cancel.signal });
    server.script(operation.hit, fault);
    const run = caught(operation.run(subject, { attemptMilliseconds: 30_000 }));
    await expect.poll(() => server.count(operation.hit)).toBe(1);
    cancel.abort(reason);
    expect(await run).toBe(reason);
    expect(server.count(operation.hit)).toBe(1);
  });
});

describe("a call of its own", () => {
  test("has its own signal, which leaves the others alone", async () => {
    const { front } = await world();
    const { plane } = clientOf(front);
    const { deployment } = await plane.create(imageDeployment(freshName()));
    const signal = AbortSignal.abort(new Error("only this one"));
    await expect(plane.get(deployment.id, { signal })).rejects.toThrow("only this one");
    await expect(plane.get(deployment.id)).resolves.toMatchObject({ id: deployment.id });
  });

  test("has its own deadline, which ends a body that stalls", async () => {
    const { front } = await world();
    const { plane, clock } = clientOf(front);
    const { deployment } = await plane.create(imageDeployment(freshName()));
    front.script({ method: "GET" }, stalledBody, 9);
    front.onStall = () => clock.pass(200);
    const error = await caught(plane.get(deployment.id, { deadlineMilliseconds: 200 }));
    expect(error).toMatchObject({ code: "TIMEOUT", message: expect.stringMatching(/did not respond within 0\.2 s$/) });
  });
});

test("closing the client ends its running requests", async () => {
  const { front } = await world();
  const { plane, http } = clientOf(front);
  front.script({ method: "GET" }, stalledHeaders);
  const got = caught(plane.get("d-1"));
  await expect.poll(() => front.requests.length).toBe(1);
  await http.close();
  expect(await got).toMatchObject({ code: "NETWORK" });
});
