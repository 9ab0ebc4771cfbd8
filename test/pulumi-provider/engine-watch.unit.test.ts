import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { EngineWatch } from "../../pulumi-provider/engine-watch.ts";

async function engine(port = 0) {
  const server = createServer((socket) => socket.resume());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;
  const end = async () => {
    server.close();
    await once(server, "close");
  };
  return { port: taken, end };
}

test("an engine that took connections is gone when it refuses two in a row", async () => {
  const { port, end } = await engine();
  const watch = new EngineWatch(`127.0.0.1:${port}`);
  expect(await watch.isGone()).toBe(false);
  await end();
  expect([await watch.isGone(), await watch.isGone()]).toEqual([false, true]);
});

test("one that refuses once is not", async () => {
  const first = await engine();
  const watch = new EngineWatch(`127.0.0.1:${first.port}`);
  await watch.isGone();
  await first.end();
  expect(await watch.isGone()).toBe(false);
  const again = await engine(first.port);
  expect(await watch.isGone()).toBe(false);
  await again.end();
  expect(await watch.isGone()).toBe(false);
});

test("one that never took a connection is not, as where a host is started without one", async () => {
  const { port, end } = await engine();
  await end();
  const watch = new EngineWatch(`127.0.0.1:${port}`);
  expect([await watch.isGone(), await watch.isGone(), await watch.isGone()]).toEqual([false, false, false]);
});
