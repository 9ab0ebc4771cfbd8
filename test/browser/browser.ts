import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, inject, onTestFinished } from "vitest";

/** The host that foreign text tries to reach; the browser asks for it at the trap. */
export const ELSEWHERE = "http://elsewhere.example";

/** A browser that is started anew for each page, and what it asked of others than this machine. */
export interface Browser {
  /** The page as it stands in the browser once it is loaded, as HTML. */
  open(url: string): Promise<string>;
  /** What was asked of ELSEWHERE. */
  readonly strayed: readonly string[];
}

/** Skips the tests of a file, with the reason, where Chromium cannot be had. */
export function needsChromium(): void {
  beforeEach((context) => {
    const chromium = inject("chromium");
    if ("missing" in chromium) context.skip(chromium.missing);
  });
}

/** A browser with a profile of its own, which ends with the test. */
export async function startBrowser(): Promise<Browser> {
  const chromium = inject("chromium");
  if ("missing" in chromium) throw new Error(chromium.missing);
  const profile = await mkdtemp(join(tmpdir(), "graph-deploy-browser-"));
  const trap = await setTrap();
  onTestFinished(async () => {
    await trap.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const flags = [
    "--headless",
    // Root, as whom CI runs, has no sandbox; the pages come from this test.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    `--user-data-dir=${profile}`,
    // All but loopback goes through it.
    `--proxy-server=127.0.0.1:${trap.port}`,
    "--dump-dom",
  ];
  return {
    strayed: trap.asked,
    open: async (url) => {
      const options = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)(chromium.program, [...flags, url], options);
      if (stdout === "") throw new Error(`The browser printed no page for ${url} within 20 s: a dialog may be open.`);
      return stdout;
    },
  };
}

// A proxy that notes what it is asked for, and gives nothing.
async function setTrap() {
  const asked: string[] = [];
  const note = (target = "") => {
    if (target.includes(new URL(ELSEWHERE).host)) asked.push(target);
  };
  const server = createServer((request, response) => {
    note(request.url);
    response.writeHead(404).end();
  });
  server.on("connect", (request, socket) => {
    note(request.url);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { asked, port, close };
}
