import { expect, test } from "vitest";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { FAULT_TABLE, type FaultRow } from "./fault-table.ts";
import { API_KEY, clientOf, freshName, imageDeployment, SECRET_VALUE, useWorld } from "./rig.ts";

const world = useWorld();
const POST = { method: "POST", path: /^\/v2\/deployments$/ };
const LIST = { method: "GET", path: /^\/v2\/deployments$/ };
const PATCH = { method: "PATCH" };
const GET = { method: "GET", path: /^\/v2\/deployments\/[^/]+$/ };
const ATTEMPT = 10_000;
const CALL = { attemptMilliseconds: ATTEMPT };
const NEW_IMAGE = "registry.example/agent:2";

test.each(FAULT_TABLE)("create $name: $once, and one deployment at most", async ({ fault, once }) => {
  const { front, service } = await world();
  const name = freshName();
  const { plane, notices, clock } = clientOf(front);
  front.script(POST, fault);
  front.onStall = () => clock.pass(ATTEMPT);
  const met = await outcomeOf(plane.create(imageDeployment(name), CALL), notices);
  const made = service.deployments().filter((deployment) => deployment.name === name);
  expect(met.ending).toBe(isCode(once) ? once : "ok");
  expect(front.count(POST)).toBe(postsOf({ fault, once }));
  expect(front.count(LIST) > 0).toBe(once === "looked up");
  expect(made).toHaveLength(isCode(once) ? 0 : 1);
  if (!isCode(once)) expect(met.value).toMatchObject({ adopted: false, deployment: { id: made[0]?.id } });
});

test.each(FAULT_TABLE)(
  "a patch that makes a revision $name: $once, and one revision at most",
  async ({ fault, once }) => {
    const { front, service } = await world();
    const { plane, notices, clock } = clientOf(front);
    front.onStall = () => clock.pass(ATTEMPT);
    const { deployment } = await plane.create(imageDeployment(freshName()));
    front.requests.length = 0;
    front.script(PATCH, fault);
    const body = {
      source_revision_config: { image_uri: NEW_IMAGE },
      secrets: [{ name: "MODEL_KEY", value: SECRET_VALUE }],
    };
    const context = { source: "external_docker", latestRevisionId: deployment.latest_revision_id } as const;
    const met = await outcomeOf(plane.patch(deployment.id, body, context, CALL), notices);
    const revisions = service.revisions(deployment.id);
    expect(met.ending).toBe(isCode(once) ? once : "ok");
    expect(front.count(PATCH)).toBe(postsOf({ fault, once }));
    expect(front.count(GET) > 0).toBe(once === "looked up");
    expect(revisions).toHaveLength(isCode(once) ? 1 : 2);
    if (!isCode(once)) expect(met.value).toMatchObject({ latest_revision_id: revisions[0]?.id });
  },
);

/** How often a write is sent: again only when the server did not carry it out. */
function postsOf({ fault, once }: Pick<FaultRow, "fault" | "once">): number {
  return isCode(once) || fault.processed ? 1 : 2;
}

function isCode(ending: string): boolean {
  return /^[A-Z_]+$/.test(ending);
}

/** How a call ended; whatever was said on the way holds no secret and is one sentence. */
async function outcomeOf(call: Promise<unknown>, notices: unknown) {
  const [value, error]: [unknown, unknown] = await call.then(
    (result) => [result, undefined],
    (caught: unknown) => [undefined, caught],
  );
  const texts = [...textsOf(error), JSON.stringify(notices)].join("\n");
  expect(texts).not.toContain(API_KEY);
  expect(texts).not.toContain(SECRET_VALUE);
  const known = error instanceof GraphDeployError ? error : undefined;
  expect(error).toBe(known);
  if (known === undefined) return { value, ending: "ok" };
  expect(known.message).toSatisfy(isSentence);
  return { value, ending: known.code };
}
