import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import { AmbiguousNameError, CreateUncertainError, NameTakenError } from "../../src/control-plane/errors.ts";
import { noList } from "../../src/local/index.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { redirect, resetAfter, resetBefore, status, statusAfter } from "../wire/faults.ts";
import { clientOf, freshName, imageDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const withWorld = testWith(world);
const POST = { method: "POST", path: /^\/v2\/deployments$/ };
const LIST = { method: "GET", path: /^\/v2\/deployments$/ };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a name that is taken", () => {
  test("by a deployment that appeared in the meantime is adopted, and not called ours", async () => {
    const { front, service } = await world();
    const { plane } = clientOf(front);
    const name = freshName();
    const theirs = (await plane.create(imageDeployment(name))).deployment;
    expect(await plane.create(imageDeployment(name))).toMatchObject({ adopted: true, deployment: { id: theirs.id } });
    expect(service.deployments().filter((deployment) => deployment.name === name)).toHaveLength(1);
  });

  withWorld("by something that is no deployment is one clear error, after two looks", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, status(409, { body: { detail: "There already exists a project named x." } }));
    const error = await caught(plane.create(imageDeployment(freshName())));
    expect(error).toBeInstanceOf(NameTakenError);
    expect(error).toMatchObject({ advice: expect.stringContaining("tracing project") });
    // Two looks for the name, and two pages of a walk for the same name in another case.
    expect(front.count(LIST)).toBe(4);
    expect(clock.sleeps).toEqual([1_000]);
  });

  test("by a deployment that has it in another case names that one and its spelling", async () => {
    const front = await startFaultServer(({ method, query }) => {
      if (method === "POST") return { status: 409, body: { detail: "taken" } };
      const isListed = query.get("offset") === "0" && !query.has("name");
      return { status: 200, body: { resources: isListed ? [{ id: "d-9", name: "Twin" }] : [] } };
    });
    const error = await caught(clientOf(front).plane.create(imageDeployment("twin")));
    expect(error).toBeInstanceOf(NameTakenError);
    expect(error).toMatchObject({ message: expect.stringMatching(/"twin".*d-9.*"Twin"/) });
  });

  withWorld("on a service without a list says how to continue", async ({ front, service }) => {
    service.faults.add(noList());
    front.script(POST, status(409));
    const error = await caught(clientOf(front).plane.create(imageDeployment(freshName())));
    expect(error).toBeInstanceOf(NameTakenError);
    expect(error).toMatchObject({ reasons: ["LIST_UNSUPPORTED"] });
  });

  withWorld("is not said to be free when the list fails for another reason", async ({ front }) => {
    front.script(POST, status(409));
    front.script(LIST, status(403, { body: { detail: "Not allowed to list." } }));
    const error = await caught(clientOf(front).plane.create(imageDeployment(freshName())));
    expect(error).toMatchObject({ code: "HTTP_STATUS", status: 403 });
  });

  test("by two deployments names both of them", async () => {
    const resources = ["1", "2"].map((id) => ({ id, name: "twin" }));
    const front = await startFaultServer(({ method, query }) =>
      method === "POST"
        ? { status: 409, body: { detail: "taken" } }
        : { status: 200, body: { resources: query.get("offset") === "0" ? resources : [] } },
    );
    const error = await caught(clientOf(front).plane.create(imageDeployment("twin")));
    expect(error).toBeInstanceOf(AmbiguousNameError);
    expect(error).toMatchObject({ message: '2 deployments are named "twin": 1, 2' });
  });
});

describe("a create that got no answer", () => {
  withWorld("is found although the list lags behind", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, resetAfter);
    // The first look does not show it yet.
    front.script(LIST, status(200, { body: { resources: [], offset: 0 } }));
    expect(await plane.create(imageDeployment(freshName()))).toMatchObject({ adopted: false });
    expect(front.count(POST)).toBe(1);
    expect(clock.sleeps).toEqual([1_000]);
  });

  withWorld("is looked for for seven seconds before it is sent again", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, resetBefore);
    expect(await plane.create(imageDeployment(freshName()))).toMatchObject({ adopted: false });
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
    expect(front.requests.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET", "GET", "POST"]);
  });

  withWorld("and then a refusal, because it was carried out, is found", async ({ front }) => {
    const { plane } = clientOf(front);
    front.script(POST, resetAfter);
    front.script(LIST, status(200, { body: { resources: [], offset: 0 } }), 4);
    front.script(POST, status(400, { body: { detail: "There is one of that name." } }));
    expect(await plane.create(imageDeployment(freshName()))).toMatchObject({ adopted: false });
    expect(front.count(POST)).toBe(2);
  });

  withWorld("is found although a look failed", async ({ front }) => {
    const { plane } = clientOf(front);
    front.script(POST, resetAfter);
    front.script(LIST, status(503), 4);
    expect(await plane.create(imageDeployment(freshName()))).toMatchObject({ adopted: false });
    expect(front.count(POST)).toBe(1);
  });

  withWorld("waits as long as the service asks before it is sent again", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, status(503, { headers: { "retry-after": "17" } }));
    expect(await plane.create(imageDeployment(freshName()))).toMatchObject({ adopted: false });
    expect(clock.sleeps).toEqual([17_000]);
    expect(front.count(POST)).toBe(2);
  });

  withWorld("fails at once when the service asks for more than the deadline", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, status(503, { headers: { "retry-after": "3600" }, body: { detail: "Maintenance." } }));
    const error = await caught(plane.create(imageDeployment(freshName())));
    expect(error).toMatchObject({ code: "HTTP_STATUS", status: 503, retryAfterMilliseconds: 3_600_000 });
    expect(clock.sleeps).toEqual([]);
    expect(front.count(POST)).toBe(1);
  });

  withWorld("is sent three times at most", async ({ front, service }) => {
    const name = freshName();
    front.script(POST, resetBefore, 9);
    const error = await caught(clientOf(front).plane.create(imageDeployment(name)));
    expect(error).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
    expect(front.count(POST)).toBe(3);
    expect(service.deployments().some((deployment) => deployment.name === name)).toBe(false);
  });

  withWorld("and cannot be looked up is said to be uncertain, and not sent again", async ({ front, service }) => {
    service.faults.add(noList(404));
    front.script(POST, resetAfter);
    const error = await caught(clientOf(front).plane.create(imageDeployment(freshName())));
    expect(error).toBeInstanceOf(CreateUncertainError);
    expect(error).toMatchObject({ advice: expect.stringContaining("Check in the service") });
    expect(front.count(POST)).toBe(1);
  });

  test("and has two deployments of its name afterwards says so", async () => {
    const resources = ["1", "2"].map((id) => ({ id, name: "twin" }));
    const front = await startFaultServer(() => ({ status: 200, body: { resources } }));
    front.script(POST, resetBefore);
    await expect(clientOf(front).plane.create(imageDeployment("twin"))).rejects.toBeInstanceOf(AmbiguousNameError);
    expect(front.count(POST)).toBe(1);
  });

  withWorld("while another user creates the same name is theirs when it holds something else", async ({ front }) => {
    const { plane } = clientOf(front);
    const name = freshName();
    const body = imageDeployment(name);
    await plane.create({ ...body, source_revision_config: { image_uri: "registry.example/theirs:9" } });
    front.script(POST, resetBefore);
    expect(await plane.create(body)).toMatchObject({ adopted: true });
  });

  withWorld("takes no longer than its deadline in all", async ({ front }) => {
    const { plane, clock } = clientOf(front);
    front.script(POST, statusAfter(502), 9);
    front.script(LIST, status(200, { body: { resources: [], offset: 0 } }), 9);
    const error = await caught(plane.create(imageDeployment(freshName()), { deadlineMilliseconds: 900 }));
    expect(error).toMatchObject({ status: 502 });
    expect(clock.sleeps).toEqual([]);
    expect(front.count(POST)).toBe(1);
  });

  withWorld("is left alone when the run is cancelled during the pause", async ({ front }) => {
    const cancel = new AbortController();
    const reason = new Error("cancelled");
    const { plane } = clientOf(front, { signal: cancel.signal, clock: undefined });
    front.script(POST, resetBefore);
    const created = caught(plane.create(imageDeployment(freshName())));
    await expect.poll(() => front.count(LIST)).toBe(1);
    cancel.abort(reason);
    expect(await created).toBe(reason);
    expect(front.count(POST)).toBe(1);
  });
});

withWorld("many creates of one name at once make one deployment", async ({ front, service }) => {
  const name = freshName();
  front.script(POST, resetAfter, 3);
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => clientOf(front).plane.create(imageDeployment(name))),
  );
  expect(new Set(outcomes.map(({ deployment }) => deployment.id)).size).toBe(1);
  expect(service.deployments().filter((deployment) => deployment.name === name)).toHaveLength(1);
});

withWorld("a redirect is final, and nobody is looked up", async ({ front }) => {
  front.script(POST, redirect(308, "https://elsewhere.example/v2/deployments"));
  const error = await caught(clientOf(front).plane.create(imageDeployment(freshName())));
  expect(error).toMatchObject({ code: "REDIRECT", message: expect.stringContaining("elsewhere.example") });
  expect(front.requests).toHaveLength(1);
});
