import { describe, expect, test } from "vitest";
import { ENDPOINT_GROUPS, missingReason } from "../../../src/local/agent-server/groups.ts";
import { call, deployed, IMAGE_CREATE, start } from "../caller.ts";
import { textOf } from "../page-cards.ts";

const ANY = "0f8fad5b-d9cb-469f-a165-70867728950e";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The groups of the contract, section 1. */
const CONTRACT_GROUPS = [
  ...["Assistants", "Threads", "Thread Runs", "Stateless Runs", "Crons", "Store", "A2A", "MCP", "System"],
];

const MISSING = ENDPOINT_GROUPS.flatMap(({ name, missing, because }) =>
  missing.map((pattern) => {
    const [path = "", only] = pattern.split(" ").toReversed();
    return { name, because, path: path.replace(/\{\w+\}/g, ANY), only };
  }),
);

describe("the built-in agent", () => {
  test("knows each group of the contract", () => {
    expect(ENDPOINT_GROUPS.map(({ name }) => name)).toEqual(CONTRACT_GROUPS);
  });

  test("serves each endpoint that it lists", async () => {
    const { url } = await deployed(await start());
    const { json } = await call(url, "POST", "/threads", { json: {} });
    const { thread_id } = json as { thread_id: string };
    for (const [endpoint] of ENDPOINT_GROUPS.flatMap(({ served }) => [...served])) {
      const [method = "", path = ""] = endpoint.split(" ");
      const body = method === "POST" ? { assistant_id: "agent", input: {} } : undefined;
      const runs = (await call(url, "GET", `/threads/${thread_id}/runs`)).json as readonly { run_id: string }[];
      const parts = { assistant: "agent", thread_id, run_id: runs[0]?.run_id ?? "" };
      const filled = path.replace(/\{(\w+)\}/g, (_all, name: keyof typeof parts) => parts[name]);
      // Deletes the thread that the others need: threads.contract.test.ts does.
      if (method === "DELETE") continue;
      const reply = await call(url, method, filled, { json: body });
      // A run that has ended cannot be cancelled.
      expect([endpoint, reply.status]).toEqual([endpoint, path.endsWith("/cancel") ? 404 : 200]);
      expect([endpoint, missingReason(method, path)]).toEqual([endpoint, ""]);
    }
  });

  test.each(MISSING)("says why it does not serve $only $path", async ({ name, because, path, only }) => {
    const { url } = await deployed(await start());
    const methods = only === undefined ? METHODS : [only];
    const paths = only === undefined ? [path, `${path}/`, `${path}/more/parts`] : [path];
    for (const method of methods) {
      for (const one of paths) {
        const json = method === "GET" ? undefined : {};
        const reply = await call(url, method, one, { json });
        expect([method, one, reply.status]).toEqual([method, one, 404]);
        const { detail } = reply.json as { detail: string };
        expect(detail).toContain(`of the group ${name}. ${because} Start the local service with an agent command`);
        expect(detail).toContain("GET /docs lists what");
      }
    }
  });

  test.each([
    ["PATCH", `/threads/${ANY}`, "Threads"],
    ["GET", `/threads/${ANY}/history`, "Threads"],
    ["POST", `/threads/${ANY}/runs`, "Thread Runs"],
    ["POST", `/threads/${ANY}/runs/crons`, "Crons"],
    ["POST", "/runs/crons/search", "Crons"],
    ["POST", "/mcp/", "MCP"],
  ])("names the group that %s %s belongs to", (method, path, group) => {
    expect(missingReason(method, path)).toContain(` of the group ${group}. `);
  });

  test.each(["/threadsafe", "/run", "/", "/runs/wait/more", "/storehouse/items"])(
    "has no such endpoint as %s, and says where to look",
    async (path) => {
      const { url } = await deployed(await start());
      expect(await call(url, "GET", path)).toMatchObject({
        status: 404,
        json: { detail: "The built-in agent has no such endpoint. GET /docs lists what the built-in agent serves." },
      });
    },
  );

  test("asks for the key before it says anything", async () => {
    const service = await start({ apiKey: "key-1" });
    const headers = { "x-api-key": "key-1" };
    const created = await call(service.url, "POST", "/v2/deployments", {
      headers,
      json: IMAGE_CREATE,
    });
    expect(created.status).toBe(201);
    await expect.poll(() => service.deployments()[0]?.url).toMatch(/^http/);
    const url = service.deployments()[0]?.url ?? "";
    expect((await call(url, "GET", "/store")).status).toBe(401);
    expect((await call(url, "GET", "/store", { headers })).status).toBe(404);
  });

  test("lists on its page what it serves and what it does not", async () => {
    const { url } = await deployed(await start());
    const text = textOf((await call(url, "GET", "/docs")).text);
    for (const { name, served, missing, because } of ENDPOINT_GROUPS) {
      for (const [endpoint, what] of served) expect(text).toContain(`${endpoint} ${what}`);
      for (const pattern of missing) expect(text).toContain(`${pattern} ${name}: ${because}`);
    }
  });
});
