import { describe, expect, test } from "vitest";
import { AmbiguousNameError } from "../../../src/control-plane/errors.ts";
import { startFaultServer, type Handler } from "../../wire/fault-server.ts";
import { clientOf, freshName, imageDeployment, useWorld } from "./rig.ts";

interface ListRules {
  /** Pages are never longer than this. */
  readonly cap?: number;
  readonly ignoresOffset?: boolean;
  readonly ignoresName?: boolean;
}

/** A service that lists deployments of these names, in this way. */
function listing(
  names: readonly string[],
  { cap = 100, ignoresOffset = false, ignoresName = false }: ListRules = {},
): Handler {
  return ({ query }) => {
    const contains = ignoresName ? "" : (query.get("name_contains") ?? "");
    const all = names
      .map((name, index) => ({ id: `id-${String(index)}`, name }))
      .filter(({ name }) => name.includes(contains));
    const offset = ignoresOffset ? 0 : Number(query.get("offset") ?? 0);
    const resources = all.slice(offset, offset + Math.min(cap, Number(query.get("limit") ?? 20)));
    return { status: 200, body: { resources, offset: offset + resources.length } };
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `agent-${String(index)}`);

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("a list", () => {
  test.each([
    [0, 100, 1],
    [1, 100, 2],
    [100, 100, 2],
    [250, 100, 4],
    [45, 20, 4],
    [7, 1, 8],
  ])("of %i in pages of %i is whole after %i requests", async (count, cap, requests) => {
    const front = await startFaultServer(listing(many(count), { cap }));
    const found = await all(clientOf(front).plane.list());
    expect(found.map(({ name }) => name)).toEqual(many(count));
    expect(front.requests).toHaveLength(requests);
    expect(front.requests[0]?.query.get("limit")).toBe("100");
  });

  test("ends when the service ignores the offset", async () => {
    const front = await startFaultServer(listing(many(150), { ignoresOffset: true }));
    expect(await all(clientOf(front).plane.list())).toHaveLength(100);
    expect(front.requests).toHaveLength(2);
  });

  test("shows nothing twice when the pages move while they are read", async () => {
    let reads = 0;
    const handler: Handler = ({ query }) => {
      reads += 1;
      // Something new appears in front after the first page.
      const names = reads === 1 ? many(30) : ["new", ...many(30)];
      const offset = Number(query.get("offset"));
      return { status: 200, body: { resources: names.slice(offset, offset + 20).map((name) => ({ id: name, name })) } };
    };
    const front = await startFaultServer(handler);
    const names = (await all(clientOf(front).plane.list())).map(({ name }) => name);
    expect(names).toEqual(many(30));
  });

  test("asks for no more than is wanted", async () => {
    const front = await startFaultServer(listing(many(250)));
    for await (const { name } of clientOf(front).plane.list()) if (name === "agent-3") break;
    expect(front.requests).toHaveLength(1);
  });

  test("is asked again for a page that fails, and only for that page", async () => {
    const front = await startFaultServer(listing(many(150)));
    front.script({ path: /deployments/ }, { processed: false, act: ({ socket }) => void socket.destroy() });
    expect(await all(clientOf(front).plane.list())).toHaveLength(150);
    expect(front.requests.map(({ query }) => query.get("offset"))).toEqual(["0", "0", "100", "150"]);
  });
});

describe("a deployment is found by its exact name", () => {
  test.each<[string, ListRules]>([
    ["among names that begin with it", {}],
    ["on a service that does not filter", { ignoresName: true }],
    ["on a later page of a service that caps its pages", { cap: 5, ignoresName: true }],
  ])("%s", async (_how, rules) => {
    const names = [...many(23).map((name) => `support-${name}`), "support-2", "Support", "support", "my-support"];
    const front = await startFaultServer(listing(names, rules));
    expect(await clientOf(front).plane.findByName("support")).toMatchObject({ id: "id-25", name: "support" });
  });

  test("or not at all", async () => {
    const front = await startFaultServer(listing(["support-2", "Support", "suppor"]));
    expect(await clientOf(front).plane.findByName("support")).toBeUndefined();
  });

  test("with characters that mean something in a URL", async () => {
    const front = await startFaultServer(listing(["a&b=c d/é?#"]));
    expect(await clientOf(front).plane.findByName("a&b=c d/é?#")).toMatchObject({ id: "id-0" });
  });

  test("and two of them are an error that names both", async () => {
    const front = await startFaultServer(listing(["twin", "other", "twin"], { cap: 1 }));
    const found = clientOf(front).plane.findByName("twin");
    await expect(found).rejects.toThrow(AmbiguousNameError);
    await expect(found).rejects.toThrow("2 deployments are named twin: id-0, id-2");
  });
});

describe("against a real service", () => {
  const world = useWorld();

  test("revisions come newest first, all of them", async () => {
    const { front, service } = await world();
    const { plane } = clientOf(front);
    const { deployment } = await plane.create(imageDeployment(freshName()));
    for (let tag = 2; tag <= 4; tag += 1) {
      const body = { source_revision_config: { image_uri: `registry.example/agent:${String(tag)}` } };
      await plane.patch(deployment.id, body, { source: "external_docker" });
    }
    const revisions = await all(plane.revisions(deployment.id));
    expect(revisions.map(({ id }) => id)).toEqual(service.revisions(deployment.id).map(({ id }) => id));
    expect(revisions.map(({ source_revision_config: config }) => config?.image_uri?.at(-1))).toEqual([
      "4",
      "3",
      "2",
      "1",
    ]);
  });

  test("a deleted deployment is gone, and deleting it again is no error", async () => {
    const { front } = await world();
    const { plane } = clientOf(front);
    const name = freshName();
    const { deployment } = await plane.create(imageDeployment(name));
    await plane.delete(deployment.id);
    await plane.delete(deployment.id);
    expect(await plane.findByName(name)).toBeUndefined();
    await expect(plane.get(deployment.id)).rejects.toThrow(`answered 404: Deployment ID ${deployment.id} not found.`);
  });
});
