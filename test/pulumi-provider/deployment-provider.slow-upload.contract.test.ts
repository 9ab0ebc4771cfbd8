import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { PROJECT, temporaryTree } from "../source/temporary-tree.ts";
import { ProviderRun, service, stackOf, writes } from "./provider-run.ts";

const API_KEY = "key-of-the-test-0123456789";
const MEGABYTE = 1024 * 1024;
const MEGABYTES = 48;
// So much may have left this process and be in no hand: what this machine keeps for both ends of a connection.
const BETWEEN = 12;
// The buffers of a connection are emptied in steps of some megabytes, in which no bytes leave this process.
const STEP_SECONDS = 5;
const LAST_SILENCE_SECONDS = 40;

/** A store that reads an upload as slowly as it is told to. */
async function slowStore() {
  const uploads: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  const server = createServer((request, response) => uploads.push({ request, response }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/archive`, uploads };
}

test(
  "a large archive on a slow line is uploaded, however long that takes, and the store may be silent for a while after it",
  { tags: "slow" },
  async () => {
    const [there, store] = await Promise.all([service(API_KEY), slowStore()]);
    const body = { upload_url: store.url, object_path: "archive" };
    there.faults.add({ match: { method: "POST", path: /upload-url$/ }, do: { kind: "answer", status: 200, body } });
    const run = new ProviderRun(stackOf(there.url, API_KEY));
    const path = temporaryTree({ ...PROJECT, "weights.bin": randomBytes(MEGABYTES * MEGABYTE) });
    // The service does not know this store, and refuses what was uploaded to it.
    const work = run.create({ name: "b", source: "internal_source", directory: { path } }).catch(String);
    await expect.poll(() => store.uploads.length).toBe(1);
    const [{ request, response } = { request: undefined, response: undefined }] = store.uploads;
    if (request === undefined) throw new Error("Nothing was uploaded.");
    const pass = (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) run.clock.pass(1_000);
    };
    const start = run.clock.now();
    let taken = 0;
    let due = MEGABYTE;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      taken += chunk.length;
      if (taken < due || due > (MEGABYTES - BETWEEN) * MEGABYTE) continue;
      pass(STEP_SECONDS);
      due += MEGABYTE;
    }
    expect(taken).toBeGreaterThan(MEGABYTES * MEGABYTE);
    expect(run.clock.now() - start).toBeGreaterThan(120_000);
    pass(LAST_SILENCE_SECONDS);
    response.end();
    expect(await work).not.toContain("did not respond");
    expect(store.uploads).toHaveLength(1);
    expect(writes(there)).toContain("PATCH /v2/deployments/ID");
  },
);
