import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import { clientOf } from "../control-plane/rig.ts";

const MINE = "0a0a0a0a-1111-4111-8111-111111111111";
const OTHER = "0b0b0b0b-1111-4111-8111-111111111111";
const IMAGE = { image_uri: "registry.example/agent:2" };

/** A client of a service that answers as this handler does. */
async function planeOf(handler: Handler) {
  const front = await startFaultServer(handler);
  return { front, ...clientOf(front) };
}

/** A service whose lists have these elements, on one page, and whose deployment `mine` can be read. */
const listing =
  (...resources: readonly unknown[]): Handler =>
  ({ path, query }) =>
    path.endsWith(MINE)
      ? { status: 200, body: { id: MINE, name: "mine" } }
      : { status: 200, body: { resources: query.get("offset") === "0" ? resources : [] } };

const reads: readonly (readonly [string, (plane: ControlPlane) => Promise<{ readonly id: string }>])[] = [
  ["deployment", (plane) => plane.get(MINE)],
  ["revision", (plane) => plane.revision(OTHER, MINE)],
];

describe.each(reads)("a read of a %s", (_what, read) => {
  test("that answers for another one is sent again until it answers for this one", async () => {
    const ids = [OTHER, OTHER, MINE.toUpperCase()];
    const { plane, front } = await planeOf(() => ({
      status: 200,
      body: { id: ids.shift() ?? "", status: "DEPLOYED" },
    }));
    expect((await read(plane)).id).toBe(MINE.toUpperCase());
    expect(front.requests).toHaveLength(3);
  });

  test("that answers for another one each time is an error that names both, and may pass", async () => {
    const { plane } = await planeOf(() => ({ status: 200, body: { id: OTHER, status: "DEPLOYED" } }));
    await expect(read(plane)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(`id is ${OTHER}, but ${MINE} was requested`),
      advice: expect.stringContaining("cache"),
    });
  });
});

describe("a service behind a gateway that compresses", () => {
  const compressed: Handler = ({ headers }) => {
    // Without the header, a server may choose any coding.
    if (headers["accept-encoding"] === "identity") return { status: 200, body: { id: MINE } };
    return { status: 200, headers: { "content-encoding": "gzip" }, body: gzipSync(JSON.stringify({ id: MINE })) };
  };

  test("answers in plain", async () => {
    const { plane } = await planeOf(compressed);
    expect(await plane.get(MINE)).toMatchObject({ id: MINE });
  });

  test("although nobody accepts that is an error that says so", async () => {
    const { plane } = await planeOf((request) => compressed({ ...request, headers: {} }));
    await expect(plane.get(MINE)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("compressed as gzip, although no compression was accepted"),
      advice: expect.stringContaining("Accept-Encoding"),
    });
  });
});

test.each([
  [
    "breaks off in an object",
    `{"id": "${MINE}", "a": [1`,
    "application/json",
    "JSON that breaks off after 54 bytes",
    /gateway/,
  ],
  ["breaks off in a text", `{"id": "${MINE}`, "text/plain", "JSON that breaks off after 44 bytes", /gateway/],
  ["has an error in it", `{"id": "${MINE}",}`, "application/json", "JSON with an error in it", /gateway/],
  [
    "is a text",
    "all is well",
    "application/json",
    "a text that is not JSON, although it is called application/json",
    /gateway/,
  ],
  [
    "is a page that is called JSON",
    "<!doctype html><title>Sign in</title>",
    "application/json",
    'a web page, "Sign in"',
    /URL is that of the API/,
  ],
  ["is a page", "<h1>Welcome</h1>", "text/html", "a web page", /URL is that of the API/],
  ["is a text of another type", "all is well", "text/plain", "not JSON, but text/plain", /URL is that of the API/],
  ["has no type", "all is well", undefined, "not JSON", /URL is that of the API/],
])("a success whose body %s is an error that says so", async (_how, body, type, what, advice) => {
  const { plane } = await planeOf(() => ({
    status: 200,
    body,
    headers: type === undefined ? {} : { "content-type": type },
  }));
  await expect(plane.get(MINE)).rejects.toMatchObject({
    code: "INVALID_RESPONSE",
    message: expect.stringMatching(new RegExp(`returned an unexpected response body: ${what}$`)),
    advice: expect.stringMatching(advice),
  });
});

test("an update whose answer is about another deployment is looked up, and not sent again", async () => {
  const after = { id: MINE, latest_revision_id: "r-2", source_revision_config: IMAGE };
  const { plane, front } = await planeOf(({ method }) => ({
    status: 200,
    body: method === "PATCH" ? { ...after, id: OTHER } : after,
  }));
  const context = { source: "external_docker", latestRevisionId: "r-1" } as const;
  const patched = await plane.patch(MINE, { source_revision_config: IMAGE }, context);
  expect(patched).toMatchObject({ id: MINE, latest_revision_id: "r-2" });
  expect(front.count({ method: "PATCH" })).toBe(1);
});

describe("a list with an element that cannot be read", () => {
  const unreadable = [
    null,
    "text",
    [],
    { name: "them" },
    { id: 5, name: "them" },
    { id: "d-5", latest_revision_id: 7 },
  ];

  test.each(unreadable.map((element) => [element]))("still finds the one that is looked for: %j", async (element) => {
    const { plane } = await planeOf(listing(element, { id: MINE, name: "mine" }));
    expect(await plane.findByName("mine")).toMatchObject({ id: MINE });
    expect(await plane.findByName("nobody")).toBeUndefined();
  });

  test("that is the one that is looked for says what is wrong with it", async () => {
    const { plane } = await planeOf(listing({ id: "d-5", name: "mine", latest_revision_id: 7 }));
    await expect(plane.findByName("mine")).rejects.toMatchObject({
      code: "NO_LIST",
      message: expect.stringContaining("resources.0.latest_revision_id: "),
    });
  });

  test("counts for the offset of the next page", async () => {
    const pages = new Map<string | null, readonly unknown[]>([
      ["0", [null, { id: "r-2", status: {} }]],
      ["2", [{ id: "r-1", status: "DEPLOYED" }]],
    ]);
    const { plane } = await planeOf(({ query }) => ({
      status: 200,
      body: { resources: pages.get(query.get("offset")) ?? [] },
    }));
    const found: unknown[] = [];
    for await (const { id, status } of plane.revisions(MINE)) found.push([id, status]);
    expect(found).toEqual([
      ["r-2", "UNKNOWN"],
      ["r-1", "DEPLOYED"],
    ]);
  });
});

test("a page of which nothing can be read does not hide what is looked for on the next one", async () => {
  const { plane } = await planeOf(({ path, query }) => {
    const pages = [[null, { name: "them" }], [{ id: MINE, name: "mine" }]];
    const resources = pages[Number(query.get("offset")) / 2] ?? [];
    return { status: 200, body: path.endsWith(MINE) ? { id: MINE, name: "mine" } : { resources } };
  });
  expect(await plane.findByName("mine")).toMatchObject({ id: MINE });
});

describe("a byte order mark", () => {
  const marked = (json: unknown) => `\u{FEFF}${JSON.stringify(json)}`;

  test("before an answer is no part of it", async () => {
    const { plane } = await planeOf(() => ({ status: 200, body: marked({ id: MINE }) }));
    expect(await plane.get(MINE)).toMatchObject({ id: MINE });
  });

  test("before an error leaves what it says", async () => {
    const { plane } = await planeOf(() => ({ status: 404, body: marked({ detail: "There is no such thing." }) }));
    await expect(plane.get(MINE)).rejects.toThrow("There is no such thing.");
  });
});

test("a log with odd lines keeps the others", async () => {
  const logs = [{ message: "second", timestamp: {}, level: 5, id: [] }, { message: 7 }, null, { message: "first" }];
  const { plane } = await planeOf(() => ({ status: 200, body: { logs, next_offset: {} } }));
  const lines = await plane.logs(MINE, "r-1", "build");
  expect(lines?.map(({ message }) => message)).toEqual(["first", "second"]);
});
