import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// No system gives them to a program that asks for any port, such as another test's server.
const [FIRST, END] = [5_000, 10_000];
const TRIES = 100;

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(FIRST, END);
    if (await isClosed(port)) return port;
  }
  throw new Error(`Of the ports from ${String(FIRST)} on, ${String(TRIES)} are in use.`);
}

async function isClosed(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
