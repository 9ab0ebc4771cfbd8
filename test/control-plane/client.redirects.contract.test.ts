import { describe, expect, test } from "vitest";
import { RedirectError } from "../../src/http/errors.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { redirect } from "../wire/faults.ts";
import { textsOf } from "../wire/texts-of.ts";
import { REPEATABLE, type Operation } from "./operations.ts";
import { API_KEY, clientOf, freshName, imageDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const create: Operation = {
  name: "create",
  hit: { method: "POST", path: /^\/v2\/deployments$/ },
  usual: 1,
  prepare: async (plane) => (await plane.create(imageDeployment(freshName()))).deployment,
  run: ({ plane }, options) => plane.create(imageDeployment(freshName()), options),
};
const patch: Operation = {
  ...create,
  name: "a patch that makes a revision",
  hit: { method: "PATCH" },
  run: ({ plane, deployment }, options) =>
    plane.patch(
      deployment.id,
      { source_revision_config: { image_uri: "registry.example/agent:2" } },
      { source: "external_docker", latestRevisionId: deployment.latest_revision_id },
      options,
    ),
};

describe.each([...REPEATABLE, create, patch])("$name", (operation) => {
  test.each([300, 301, 302, 303, 304, 307, 308])("does not follow a %i, not even once", async (status) => {
    const bait = await startFaultServer(() => ({ status: 200, body: {} }));
    const it = await world();
    const { plane } = clientOf(it.front);
    const deployment = await operation.prepare(plane);
    const server = it[operation.at ?? "front"];
    server.script(operation.hit, redirect(status, `${bait.url}/stolen?of=you`));
    const error: unknown = await operation.run({ world: it, plane, deployment }, { attemptMilliseconds: 10_000 }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        `a redirect to ${operation.at === "store" ? new URL(bait.url).host : `${bait.url}/stolen`},`,
      ),
    });
    expect(textsOf(error).join("\n")).not.toMatch(new RegExp(`${API_KEY}|of=you`));
    expect(bait.connections).toBe(0);
  });
});
