import { describe, expect, test } from "vitest";
import { agentRig, all, errorOf } from "./rig.ts";

/** A server with so many assistants, which sends as many as are asked for, or fewer. */
async function serverWith(count: number, most = 1_000) {
  const asked: (readonly [limit: number, offset: number])[] = [];
  const assistants = Array.from({ length: count }, (_, at) => ({ assistant_id: `a-${String(at)}`, graph_id: "g" }));
  const { server } = await agentRig(({ body }) => {
    const { limit, offset } = JSON.parse(body.toString()) as { limit: number; offset: number };
    asked.push([limit, offset]);
    return { status: 200, body: assistants.slice(offset, offset + Math.min(limit, most)) };
  });
  const search = async (options?: { readonly limit?: number | undefined; readonly offset?: number | undefined }) =>
    (await all(server.searchAssistants({}, options))).map(({ assistant_id }) => Number(assistant_id.slice(2)));
  return { server, asked, search };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe("a search for assistants", () => {
  test("returns as many as `limit` says, in one request", async () => {
    const { asked, search } = await serverWith(250);
    expect(await search({ limit: 5 })).toEqual(range(0, 5));
    expect(asked).toEqual([[5, 0]]);
  });

  test("begins behind `offset`", async () => {
    const { asked, search } = await serverWith(250);
    expect(await search({ limit: 10, offset: 20 })).toEqual(range(20, 30));
    expect(asked).toEqual([[10, 20]]);
    expect(await search({ offset: 245 })).toEqual(range(245, 250));
    expect(await search({ offset: 250 })).toEqual([]);
  });

  test("asks for further pages up to `limit`, also of a server that sends fewer at once", async () => {
    const many = await serverWith(250);
    expect(await many.search({ limit: 130, offset: 50 })).toEqual(range(50, 180));
    expect(many.asked).toEqual([
      [100, 50],
      [30, 150],
    ]);
    const few = await serverWith(250, 10);
    expect(await few.search({ limit: 25 })).toEqual(range(0, 25));
    expect(few.asked).toEqual([
      [25, 0],
      [15, 10],
      [5, 20],
    ]);
  });

  test("returns all of them without a limit, and where one is undefined", async () => {
    const { search } = await serverWith(250);
    expect(await search()).toEqual(range(0, 250));
    expect(await search({ limit: undefined, offset: undefined })).toEqual(range(0, 250));
  });

  test("returns no more than `limit` of a server that ignores it", async () => {
    const { server } = await agentRig(() => ({
      status: 200,
      body: range(0, 50).map((at) => ({ assistant_id: `a-${String(at)}`, graph_id: "g" })),
    }));
    expect(await all(server.searchAssistants({}, { limit: 3 }))).toHaveLength(3);
  });

  test.each([
    [{ limit: 0 }, "`limit` must be 1 or more"],
    [{ limit: 1.5 }, "`limit` must be a whole number"],
    [{ limit: "5" }, "`limit` must be a whole number"],
    [{ limit: null }, "`limit` must be a whole number"],
    [{ offset: -1 }, "`offset` must be 0 or more"],
    [{ limit: Number.NaN, offset: "" }, "`limit` must be a whole number; `offset` must be a whole number"],
  ])("refuses %j before anything is sent", async (options, fault) => {
    const { server, asked } = await serverWith(5);
    const given = options as { limit: number };
    const error = await errorOf((async () => await all(server.searchAssistants({}, given)))());
    expect(error).toMatchObject({ code: "ARGUMENTS" });
    expect(String(error)).toContain(fault);
    expect(asked).toEqual([]);
  });
});

test("a list in place of the values to search for sends nothing", async () => {
  const { server, asked } = await serverWith(1);
  const list = [] as unknown as Record<string, unknown>;
  expect(() => server.searchAssistants(list)).toThrow("`metadata` must be an object");
  expect(await errorOf(server.countAssistants(list))).toMatchObject({ faults: ["`filter` must be an object"] });
  expect(asked).toEqual([]);
});

describe("a search for graphs", () => {
  test.each<[string, unknown, string]>([
    [
      "names that have to be waited for",
      (async function* () {})(),
      "`graphs` must be an iterable of texts, such as an array",
    ],
    ["a name that is not set", ["g", undefined], "`graphs.1` is missing"],
    ["an empty name", new Set(["g", ""]), "`graphs.1` is empty"],
    ["no name", [["g"]], "`graphs.0` must be a text"],
  ])("with %s sends nothing", async (_what, graphs, fault) => {
    const { server, asked } = await serverWith(1);
    const error = await errorOf(server.servedGraphs(graphs as Iterable<string>));
    expect(error).toMatchObject({ code: "ARGUMENTS", faults: [fault] });
    expect(asked).toEqual([]);
  });

  test("reads names that can be read once", async () => {
    const { server } = await serverWith(1);
    expect(await server.servedGraphs(["g", "h"].values())).toEqual(new Set(["g"]));
  });
});
