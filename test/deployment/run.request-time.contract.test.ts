import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { FaultMatch } from "../../src/local/faults/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { follow } from "../../src/index.ts";
import { rig } from "./rig.ts";

const TIMEOUT = 10_000;
const WITHIN = "within the timeout of 10 s";
const FOREVER = Number.POSITIVE_INFINITY;

/** A rig with a service that never responds to some requests. */
async function stalling(match: FaultMatch) {
  const clock = new FastClock();
  const parts = await rig({}, undefined, clock);
  /** The error of a deploy that meets a stall, during which so much time passes, milliseconds. It hangs unless it ends. */
  const fail = async (...passing: readonly number[]): Promise<unknown> => {
    const stalled = parts.service.faults.add({ match, do: { kind: "stall" }, times: FOREVER });
    const ended: Promise<unknown> = parts.deploy({ timeoutMilliseconds: TIMEOUT }).catch((thrown: unknown) => thrown);
    await expect.poll(() => stalled.hits).toBe(1);
    for (const milliseconds of passing) {
      clock.pass(milliseconds);
      await tick();
    }
    const error = await ended;
    stalled.remove();
    return error;
  };
  return { ...parts, clock, fail };
}

// A write leaves a quarter of the time to those who look for what it did.
const WRITE = 7_500;
// It is looked at every second whether bytes move; those that did in the first second do not count.
const WATCHED = Array<number>(11).fill(1_000);

describe("a service that does not respond ends a deploy within the timeout", () => {
  test("to the look-up: nothing was written", async () => {
    const { fail, requests } = await stalling({ method: "GET" });
    const error = await fail(TIMEOUT);
    expect(error).toMatchObject({
      code: "TIMED_OUT",
      outcome: "timed-out",
      message: expect.stringMatching(
        new RegExp(`^"support-agent" cannot be looked up: GET .* ${WITHIN}; nothing was written\\.$`),
      ),
    });
    expect(requests().every((request) => request.startsWith("GET "))).toBe(true);
  });

  test("to a dry run", async () => {
    const { service, clock, dryRun } = await stalling({});
    const stalled = service.faults.add({ do: { kind: "stall" }, times: FOREVER });
    const planned = dryRun({ timeoutMilliseconds: TIMEOUT }).catch((error: unknown) => error);
    await expect.poll(() => stalled.hits).toBe(1);
    clock.pass(TIMEOUT);
    expect(await planned).toMatchObject({
      outcome: "timed-out",
      message: expect.stringContaining("nothing was written"),
    });
  });

  test("to the create: it may or may not have been created", async () => {
    const { fail } = await stalling({ method: "POST", path: "/v2/deployments" });
    const error = await fail(WRITE);
    expect(error).toMatchObject({
      code: "APPLY",
      outcome: "failed",
      message: expect.stringMatching(
        new RegExp(`^"support-agent" may or may not have been created: POST .* ${WITHIN}$`),
      ),
    });
  });

  test("to the update: it may or may not have been updated", async () => {
    const { fail, deploy } = await stalling({ method: "PATCH" });
    const { deploymentId } = await deploy();
    const error = await fail(WRITE);
    expect(error).toMatchObject({
      code: "APPLY",
      deploymentId,
      message: expect.stringMatching(
        new RegExp(`^Deployment ${deploymentId} may or may not have been updated: PATCH .* ${WITHIN}$`),
      ),
    });
  });

  test("to the upload of a new deployment: it has no revision", async () => {
    const { fail, service } = await stalling({ method: "PUT" });
    const error = await fail(...WATCHED);
    const id = service.deployments()[0]?.id ?? "";
    expect(error).toMatchObject({
      code: "TIMED_OUT",
      deploymentId: id,
      message: expect.stringMatching(
        new RegExp(`^Deployment ${id} was created, but .* PUT .* ${WITHIN}; no revision of it was started\\.$`),
      ),
    });
  });

  test("to the upload for a deployment that exists: it was not changed", async () => {
    const { fail, deploy, service } = await stalling({ method: "PUT" });
    const { deploymentId } = await deploy();
    expect(await fail(...WATCHED)).toMatchObject({
      code: "TIMED_OUT",
      deploymentId,
      message: expect.stringMatching(new RegExp(`${WITHIN}; deployment ${deploymentId} was not changed\\.$`)),
    });
    expect(service.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  test("to the first look at the new revision, which is named", async () => {
    const { fail, service } = await stalling({ method: "GET", path: /\/revisions\/[^/]+$/ });
    const error = await fail(TIMEOUT);
    const { id = "", latest_revision_id: revisionId } = service.deployments()[0] ?? {};
    expect(error).toMatchObject({
      code: "WAIT_TIMEOUT",
      outcome: "timed-out",
      deploymentId: id,
      revisionId,
      message: expect.stringContaining("which could not be read after 10 s. It is still running in the service."),
    });
  });

  test("to the last question, whether ours is the latest", async () => {
    const { fail, service } = await stalling({ method: "GET", path: /\/v2\/deployments\/[^/]+$/ });
    const error = await fail(TIMEOUT);
    expect(error).toMatchObject({
      code: "WAIT",
      revisionId: service.deployments()[0]?.latest_revision_id,
      message: expect.stringContaining("is DEPLOYED, but whether a newer one has taken its place cannot be read: GET "),
    });
  });
});

describe("a revision that an earlier run began is named by the run that waits for it, whose last question gets no response:", () => {
  /** The error of a run that waits for the revision of one that did not, and meets a stall once it is DEPLOYED. */
  async function waiting(wait: (parts: Awaited<ReturnType<typeof stalling>>, ids: Ids) => Promise<unknown>) {
    const parts = await stalling({});
    const { service, clock, deploy, directory } = parts;
    const { deploymentId, revisionId } = await deploy({ wait: false, record: `${directory}/../record.json` });
    const match = { method: "GET", path: `/v2/deployments/${deploymentId}` };
    // The first look finds the deployment.
    const stalled = service.faults.add({ match, skip: 1, do: { kind: "stall" }, times: FOREVER });
    const ended = wait(parts, { deploymentId, revisionId }).catch((thrown: unknown) => thrown);
    await expect.poll(() => stalled.hits).toBe(1);
    clock.pass(TIMEOUT);
    const error = await ended;
    stalled.remove();
    const { message, ...facts } = error as Error;
    expect({ ...facts, message }).toMatchObject({
      ...{ code: "WAIT", deploymentId, revisionId },
      message: expect.stringContaining(`revision ${revisionId} of deployment ${deploymentId} is DEPLOYED, but whether`),
    });
    expect(message).not.toContain("nothing was written");
  }

  test("by its id", async () => {
    await waiting(({ request, deps }, { deploymentId, revisionId }) =>
      follow({ ...request({ timeoutMilliseconds: TIMEOUT }), target: { deploymentId }, revisionId }, deps),
    );
  });

  test("by the deploy record", async () => {
    await waiting(({ deploy, directory }, { deploymentId }) =>
      deploy({
        ...{ target: { deploymentId }, timeoutMilliseconds: TIMEOUT },
        record: `${directory}/../record.json`,
      }),
    );
  });
});

interface Ids {
  readonly deploymentId: string;
  readonly revisionId: string;
}

test("the wait has the whole timeout, from the update on", async () => {
  const { service, clock, deploy } = await stalling({});
  service.faults.nextRevision({ hold: "BUILDING" });
  const start = clock.now();
  await expect(deploy({ timeoutMilliseconds: 120_000, pollCapMilliseconds: 10_000 })).rejects.toMatchObject({
    outcome: "timed-out",
  });
  expect(clock.now() - start).toBe(120_000);
});

test("a pause that the service asks for, and that the timeout does not allow, is named beside the timeout that was set", async () => {
  const { service, deploy } = await stalling({});
  service.faults.add({ do: { kind: "answer", status: 429, headers: { "retry-after": "300" } }, times: FOREVER });
  await expect(deploy({ timeoutMilliseconds: 20_000 })).rejects.toThrow(
    "returned 429, and asks for a pause of 300 s, which is longer than the timeout of 20 s allows",
  );
});
