import { expect, test } from "vitest";
import { factsOf, findDeploymentTwice, findRevision } from "../../../../pulumi-provider/core/service/found.ts";
import type { Deployment, Revision } from "../../../../src/contract/deployment.ts";
import { findDeployment } from "../../../../src/deployment/remove.ts";
import { HttpStatusError } from "../../../../src/http/errors.ts";
import { SimulatedClock } from "../../../wire/clocks.ts";

const DEPLOYMENT: Deployment = { id: "d" };
const REVISION: Revision = { id: "r", status: "DEPLOYED" };

/** A service that answers so, look by look; the last answer again and again. */
function answering(...answers: readonly (number | "found")[]) {
  let looks = 0;
  const look = <Found>(found: Found) => {
    const answer = answers[Math.min(looks++, answers.length - 1)] ?? "found";
    if (answer === "found") return Promise.resolve(found);
    return Promise.reject(new HttpStatusError(answer, [], { target: "GET /x" }));
  };
  return { looks: () => looks, get: () => look(DEPLOYMENT), revision: () => look(REVISION) };
}

test.each([404, 410])("a deployment with a %d is gone", async (status) => {
  expect(await findDeployment(answering(status), "d")).toBeUndefined();
});

test("a revision with a 404 does not exist, and another error is thrown", async () => {
  expect(await findRevision(answering(404), "d", "r")).toBeUndefined();
  await expect(findRevision(answering(410), "d", "r")).rejects.toThrow(HttpStatusError);
  await expect(findDeployment(answering(500), "d")).rejects.toThrow(HttpStatusError);
});

test("what counts for gone is looked at twice", async () => {
  const twice = async (service: ReturnType<typeof answering>) =>
    await findDeploymentTwice("d", {
      clock: new SimulatedClock(),
      controlPlane: service as never,
      signal: new AbortController().signal,
    });
  expect(await twice(answering(404, "found"))).toBe(DEPLOYMENT);
  const gone = answering(404, 410);
  expect([await twice(gone), gone.looks()]).toEqual([undefined, 2]);
});

test("what a service does not say is null", () => {
  const nothing = { latestRevisionId: null, status: null, url: null, createdAt: null };
  expect(factsOf(DEPLOYMENT, undefined)).toEqual(nothing);
  expect(factsOf({ ...DEPLOYMENT, latest_revision_id: "r", created_at: "t" }, REVISION)).toEqual({
    ...nothing,
    latestRevisionId: "r",
    status: "DEPLOYED",
    createdAt: "t",
  });
});
