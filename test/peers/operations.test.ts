import { request } from "undici";
import { expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { missingReason } from "../../src/local/agent-server/groups.ts";
import { call, deployed, start } from "../local/caller.ts";
import { startPeer } from "./agent-client.ts";
import { PYTHON_FILES } from "./agent-projects.ts";
import { pythonCommand } from "./tools.ts";

const tool = inject("pythonPeer");
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const ANY = "0f8fad5b-d9cb-469f-a165-70867728950e";

test("the built-in agent serves each operation of the real server, or says why not", async ({ skip }) => {
  if ("missing" in tool) return skip(tool.missing);
  const peer = await startPeer("python", pythonCommand(tool), PYTHON_FILES);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const { body } = await request(`${peer.url}/openapi.json`);
  const { paths } = Description.parse(await body.json());
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, ANY)] as const),
  );
  expect(operations.length).toBeGreaterThan(50);

  const { url } = await deployed(await start());
  const [served, unknown]: [string[], string[]] = [[], []];
  for (const [method, path] of operations) {
    const reason = missingReason(method, path);
    const { status, json, text } = await call(url, method, path, method === "GET" ? {} : { json: {} });
    if (reason === "") {
      // What these may lack is what an id in the path names.
      const isUnknown = status === 405 || status === 500 || text.includes("no such endpoint");
      (isUnknown ? unknown : served).push(`${method} ${path.replaceAll(ANY, "{id}")}`);
    } else {
      expect([method, path, status, json]).toEqual([method, path, 404, { detail: reason }]);
    }
  }
  expect(unknown).toEqual([]);
  expect(served.toSorted()).toEqual([
    "DELETE /threads/{id}",
    "GET /assistants/{id}",
    "GET /assistants/{id}/graph",
    "GET /assistants/{id}/schemas",
    "GET /docs",
    "GET /info",
    "GET /metrics",
    "GET /ok",
    "GET /threads/{id}",
    "GET /threads/{id}/runs",
    "GET /threads/{id}/runs/{id}",
    "GET /threads/{id}/runs/{id}/join",
    "GET /threads/{id}/state",
    "POST /assistants/count",
    "POST /assistants/search",
    "POST /runs/stream",
    "POST /runs/wait",
    "POST /threads",
    "POST /threads/search",
    "POST /threads/{id}/runs/stream",
    "POST /threads/{id}/runs/wait",
    "POST /threads/{id}/runs/{id}/cancel",
  ]);
});
