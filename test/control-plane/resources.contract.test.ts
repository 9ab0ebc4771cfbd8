import { describe, expect, test } from "vitest";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { AmbiguousNameError } from "../../src/control-plane/errors.ts";
import { findMade, NEWEST_PAGES } from "../../src/control-plane/writes.ts";
import { countText } from "../../src/text/number.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
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
  return ({ path, query }) => {
    const [, , , id] = path.split("/");
    const read = names[Number(id?.slice("id-".length))];
    if (id !== undefined) return { status: 200, body: { id, name: read } };
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

describe("a list without an end", () => {
  /** Pages of new items for ever, or nearly: a client that does not stop is one that came to the end of the test. */
  const endless = ({ perPage = 100, pages = 3_000 } = {}): Handler => {
    let page = 0;
    return () => {
      page += 1;
      const resources = Array.from({ length: page > pages ? 0 : perPage }, (_, index) => ({
        id: `id-${String(page)}-${String(index)}`,
        name: `agent-${String(page)}-${String(index)}`,
        status: "DEPLOYED",
      }));
      return { status: 200, body: { resources, offset: 0 } };
    };
  };

  test.each<[string, number, (plane: ControlPlane) => Promise<unknown>]>([
    ["of deployments ends after 1,000 pages", 1_000, (plane) => all(plane.list())],
    ["of revisions ends after 1,000 pages", 1_000, (plane) => all(plane.revisions("d-1"))],
    [
      "of deployments ends after as many pages as the caller wants",
      3,
      (plane) => all(plane.list({}, { mostPages: 3 })),
    ],
    ["is searched for a name on 100 pages", 100, (plane) => plane.findByName("support")],
  ])("%s", { tags: "slow" }, async (_what, pages, walk) => {
    const front = await startFaultServer(endless({ perPage: 1 }));
    const error: unknown = await walk(clientOf(front).plane).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "ENDLESS_LIST" });
    expect(error).toMatchObject({ message: expect.stringMatching(new RegExp(` ${countText(pages)} pages`)) as string });
    expect(front.requests).toHaveLength(pages);
  });

  test("is searched on five pages for a revision that an update made", async () => {
    const front = await startFaultServer(endless());
    const { plane } = clientOf(front);
    const made = findMade(plane.revisions("d-1", { mostPages: NEWEST_PAGES }), {
      before: "d-0",
      config: { image_uri: "agent:2" },
    });
    await expect(made).rejects.toMatchObject({ code: "ENDLESS_LIST" });
    expect(front.requests).toHaveLength(5);
  });

  test("takes no longer than its one deadline, however short each page is", async () => {
    const clock = new FastClock();
    const pages = endless();
    const front = await startFaultServer(async (request) => {
      // Each page takes three seconds.
      await clock.sleep(3_000);
      return await pages(request);
    });
    const walk = all(clientOf(front, { clock }).plane.list({}, { deadlineMilliseconds: 10_000 }));
    await expect(walk).rejects.toMatchObject({
      code: "ENDLESS_LIST",
      message: expect.stringMatching(
        /^The list of deployments at http:\S+ did not end within 10 s \(\d pages\)$/,
      ) as string,
    });
    expect(front.requests.length).toBeLessThanOrEqual(4);
  });

  test("does not count the time that its reader takes", async () => {
    const clock = new FastClock();
    const front = await startFaultServer(listing(many(5), { cap: 1 }));
    let count = 0;
    for await (const { id } of clientOf(front, { clock }).plane.list()) {
      expect(id).toBe(`id-${String(count)}`);
      count += 1;
      await clock.sleep(100_000);
    }
    expect(count).toBe(5);
  });

  test("whose ids fill the memory ends before they do", { tags: "slow" }, async () => {
    let page = 0;
    const front = await startFaultServer(() => {
      page += 1;
      const resources = [{ id: `${String(page)}${"x".repeat(3 * 1024 * 1024)}`, name: "agent" }];
      return { status: 200, body: { resources: page > 20 ? [] : resources } };
    });
    await expect(all(clientOf(front).plane.list())).rejects.toMatchObject({ code: "ENDLESS_LIST" });
    expect(front.requests).toHaveLength(6);
  });

  test("of deployments of one name is an error that names the first of them", async () => {
    let page = 0;
    const front = await startFaultServer(() => {
      page += 1;
      return { status: 200, body: { resources: page > 300 ? [] : [{ id: `id-${String(page)}`, name: "twin" }] } };
    });
    const found = clientOf(front).plane.findByName("twin");
    await expect(found).rejects.toMatchObject({
      code: "AMBIGUOUS_NAME",
      message: expect.stringMatching(/^At least 20 deployments are named "twin": id-1, .*, id-20$/) as string,
    });
    expect(front.requests).toHaveLength(20);
  });
});

test("an item that stands twice on a page is one", async () => {
  const twin = { id: "id-1", name: "twin" };
  const front = await startFaultServer(({ path }) => ({
    status: 200,
    body: path.endsWith("/id-1") ? twin : { resources: [twin, twin] },
  }));
  expect(await clientOf(front).plane.findByName("twin")).toMatchObject(twin);
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
    await expect(found).rejects.toThrow('2 deployments are named "twin": id-0, id-2');
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
    await expect(plane.get(deployment.id)).rejects.toThrow(`returned 404: Deployment ID ${deployment.id} not found.`);
  });
});
