import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { putFile } from "../../src/control-plane/upload.ts";
import { limitOf } from "../../src/http/time-limit.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { temporaryFolder } from "../source/temporary-tree.ts";
import { FastClock } from "../wire/clocks.ts";

const MEGABYTE = 1024 * 1024;
const BYTES = 24 * MEGABYTE;
const CONNECTIONS = 8;

/** A store that reads as much of each upload as it is told to. */
async function slowStore() {
  const uploads: IncomingMessage[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    uploads.push(request);
    request.once("end", () => response.end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const take = async (upload: IncomingMessage, bytes: number): Promise<void> => {
    let taken = 0;
    while (taken < bytes) {
      const chunk: unknown = upload.read();
      if (Buffer.isBuffer(chunk)) taken += chunk.length;
      else await once(upload, "readable");
    }
  };
  return { url: `http://127.0.0.1:${String(port)}/`, uploads, take };
}

test("an upload that waits for a connection is not one that the store does not answer", { tags: "slow" }, async () => {
  const store = await slowStore();
  const clock = new FastClock();
  await using http = new HttpClient({ clock });
  const file = join(temporaryFolder(), "archive");
  writeFileSync(file, Buffer.alloc(BYTES));
  const put = () => {
    const timeLimit = limitOf(Number.POSITIVE_INFINITY, { clock, silenceMilliseconds: 45_000 });
    const target = { upload_url: store.url, object_path: "archive" };
    return putFile({ file, bytes: BYTES }, { deploymentId: "d", target }, http, { timeLimit });
  };
  const all = Promise.allSettled(Array.from({ length: CONNECTIONS + 1 }, put));
  await expect.poll(() => store.uploads.length).toBe(CONNECTIONS);
  for (let seconds = 0; seconds < 100; seconds += 10) {
    await Promise.all(store.uploads.map((upload) => store.take(upload, MEGABYTE)));
    await expect.poll(() => http.transfers.bytes()).toBeGreaterThan(CONNECTIONS * (seconds / 10 + 1) * MEGABYTE);
    for (let step = 0; step < 10; step += 1) clock.pass(1_000);
  }
  for (const upload of store.uploads) upload.resume();
  await expect.poll(() => store.uploads.length).toBe(CONNECTIONS + 1);
  store.uploads.at(-1)?.resume();
  expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: CONNECTIONS + 1 }, () => "fulfilled"));
});
