import { describe, expect, test } from "vitest";
import { resetAfter, resetBefore, status, statusAfter } from "../wire/faults.ts";
import { clientOf, freshName, imageDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const PATCH = { method: "PATCH" };
const GET = { method: "GET", path: /^\/v2\/deployments\/[^/]+$/ };
const REVISIONS = { method: "GET", path: /\/revisions$/ };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const image = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

async function patching(options = {}) {
  const it = await world();
  const client = clientOf(it.front, options);
  const { deployment } = await client.plane.create(imageDeployment(freshName()));
  it.front.requests.length = 0;
  const context = { source: "external_docker", latestRevisionId: deployment.latest_revision_id } as const;
  return { ...it, ...client, id: deployment.id, first: deployment.latest_revision_id, context };
}

describe("a patch that got no answer", () => {
  test("is found behind a revision that another user made after it", async () => {
    const { front, service, plane, id, context } = await patching();
    front.script(PATCH, resetAfter);
    const theirs = { image_uri: "registry.example/theirs:9" };
    front.script(GET, status(200, { body: { id, latest_revision_id: "theirs", source_revision_config: theirs } }));
    const patched = await plane.patch(id, image(2), context);
    expect(service.revisions(id)).toHaveLength(2);
    expect(patched.latest_revision_id).toBe(service.revisions(id)[0]?.id);
    expect(front.count(PATCH)).toBe(1);
  });

  test("is found on a service without a list of revisions when it is the latest", async () => {
    const { front, service, plane, id, context } = await patching();
    front.script(PATCH, resetAfter);
    front.script(REVISIONS, status(404));
    const patched = await plane.patch(id, image(2), context);
    expect(patched.latest_revision_id).toBe(service.revisions(id)[0]?.id);
    expect(front.count(PATCH)).toBe(1);
  });

  test("is not mistaken for an older revision of the same image, behind another user's", async () => {
    const { front, service, plane, id, first, context } = await patching();
    // Another user moves the deployment on after we have looked, and we want to go back.
    await clientOf(front).plane.patch(id, image(9), { source: "external_docker" });
    front.script(PATCH, resetBefore);
    const patched = await plane.patch(id, image(1), context);
    expect(service.revisions(id)).toHaveLength(3);
    expect(patched.latest_revision_id).toBe(service.revisions(id)[0]?.id);
    expect(patched.latest_revision_id).not.toBe(first);
  });

  test("is not sent again when nobody can tell whose revision is the latest", async () => {
    const { front, plane, id, context } = await patching();
    front.script(PATCH, resetAfter);
    front.script(GET, status(200, { body: { id, latest_revision_id: "theirs", source_revision_config: {} } }));
    front.script(REVISIONS, status(404));
    const error = await caught(plane.patch(id, image(2), context));
    expect(error).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
    expect(error).toMatchObject({ message: expect.stringMatching(/^PATCH /) });
    expect(front.count(PATCH)).toBe(1);
  });

  test("is not sent again when the deployment cannot be read", async () => {
    const { front, plane, id, context } = await patching();
    front.script(PATCH, statusAfter(504));
    front.script(GET, status(403));
    const error = await caught(plane.patch(id, image(2), context));
    expect(error).toMatchObject({ status: 504 });
    expect(front.count(PATCH)).toBe(1);
  });

  test("is looked for until a list that lags had its time, before it is sent again", async () => {
    const { front, service, plane, id, context, clock } = await patching();
    front.script(PATCH, resetBefore);
    await plane.patch(id, image(2), context);
    expect(front.requests.map(({ method }) => method)).toEqual(["PATCH", "GET", "GET", "GET", "GET", "PATCH"]);
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
    expect(service.revisions(id)).toHaveLength(2);
  });

  test("and then a refusal, because it was carried out, is found", async () => {
    const { front, service, plane, id, first, context } = await patching();
    front.script(PATCH, resetAfter);
    const asBefore = status(200, { body: { id, latest_revision_id: first, source_revision_config: {} } });
    front.script(GET, asBefore, 4);
    front.script(PATCH, status(422, { body: { detail: "That tarball was used already." } }));
    const patched = await plane.patch(id, image(2), context);
    expect(service.revisions(id)).toHaveLength(2);
    expect(patched.latest_revision_id).toBe(service.revisions(id)[0]?.id);
  });

  test("and then a 404 is not sent for longer, since that proves nothing", async () => {
    const { front, service, plane, id, first, context } = await patching();
    front.script(PATCH, resetAfter);
    front.script(GET, status(200, { body: { id, latest_revision_id: first, source_revision_config: {} } }), 99);
    front.script(PATCH, status(404), 99);
    const error = await caught(plane.patch(id, image(2), { ...context, lagMilliseconds: 60_000 }));
    expect(error).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
    expect(front.count(PATCH)).toBe(2);
    expect(service.revisions(id)).toHaveLength(2);
  });

  test("and is a conflict, because a gateway sent it twice, is found", async () => {
    const { front, service, plane, id, context } = await patching();
    front.script(PATCH, statusAfter(409));
    const patched = await plane.patch(id, image(2), context);
    expect(patched.latest_revision_id).toBe(service.revisions(id)[0]?.id);
    expect(front.count(PATCH)).toBe(1);
  });

  test("waits as long as the service asks, and fails at once when that is too long", async () => {
    const { front, plane, id, context, clock } = await patching();
    front.script(PATCH, status(503, { headers: { "retry-after": "30" } }));
    await plane.patch(id, image(2), context);
    expect(clock.sleeps).toEqual([30_000]);
    front.script(PATCH, status(503, { headers: { "retry-after": "3600" } }));
    const next = { ...context, latestRevisionId: (await plane.get(id)).latest_revision_id };
    expect(await caught(plane.patch(id, image(3), next))).toMatchObject({ status: 503 });
    expect(clock.sleeps).toEqual([30_000]);
  });

  test("is sent three times at most", async () => {
    const { front, service, plane, id, context } = await patching();
    front.script(PATCH, resetBefore, 9);
    expect(await caught(plane.patch(id, image(2), context))).toMatchObject({ code: "NETWORK" });
    expect(front.count(PATCH)).toBe(3);
    expect(service.revisions(id)).toHaveLength(1);
  });
});

describe("a patch without knowledge of what was there", () => {
  test("asks first, so that an older revision of the same image is not taken for its own", async () => {
    const { front, service, plane, id, first } = await patching();
    front.script(PATCH, resetBefore);
    // The same image as on create: a new tag content, for example.
    const patched = await plane.patch(id, image(1), { source: "external_docker" });
    expect(patched.latest_revision_id).not.toBe(first);
    expect(service.revisions(id)).toHaveLength(2);
    expect(front.requests[0]).toMatchObject({ method: "GET" });
  });

  test("asks nothing when it makes no revision", async () => {
    const { front, plane, id } = await patching();
    await plane.patch(id, { source_config: {} }, { source: "external_docker" });
    expect(front.requests.map(({ method }) => method)).toEqual(["PATCH"]);
  });
});
