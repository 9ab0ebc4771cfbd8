import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { inject, onTestFinished } from "vitest";
import * as z from "zod";

/** A window of a browser, in which pages are laid out and measured. */
export interface Window {
  /** Loads a page. */
  load(url: string): Promise<void>;
  /** What an expression comes to in the page; the browser evaluates it itself, whatever the page forbids. */
  evaluate(expression: string): Promise<unknown>;
}

const TargetsOf = z.object({ targetInfos: z.array(z.object({ targetId: z.string(), type: z.string() })) });
const Attached = z.object({ sessionId: z.string() });
const Evaluated = z.object({ result: z.object({ value: z.unknown() }) });
const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Opens a window of some size, which ends with the test. */
export async function openWindow(width: number, height: number): Promise<Window> {
  const pipe = await startPipe();
  const { targetInfos } = TargetsOf.parse(await pipe.send("Target.getTargets"));
  const targetId = targetInfos.find(({ type }) => type === "page")?.targetId;
  const { sessionId } = Attached.parse(await pipe.send("Target.attachToTarget", { targetId, flatten: true }));
  const send = (method: string, params?: object) => pipe.send(method, params, sessionId);
  await send("Page.enable");
  await send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: true });
  return {
    load: async (url) => {
      const loaded = pipe.next("Page.loadEventFired");
      await send("Page.navigate", { url });
      await loaded;
    },
    evaluate: async (expression) =>
      Evaluated.parse(await send("Runtime.evaluate", { expression, returnByValue: true })).result.value,
  };
}

// Chromium with its remote control on two pipes: no port is open that others could use.
async function startPipe() {
  const chromium = inject("chromium");
  if ("missing" in chromium) throw new Error(chromium.missing);
  const profile = await mkdtemp(join(tmpdir(), "graph-deploy-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update"];
  const child = spawn(
    chromium.program,
    [...flags, ...quiet, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  const events = new Map<string, PromiseWithResolvers<undefined>>();
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const texts = (rest + chunk).split("\0");
    rest = texts.pop() ?? "";
    for (const text of texts) take(Message.parse(JSON.parse(text)));
  });
  const take = ({ id, method = "", result, error }: z.infer<typeof Message>) => {
    events.get(method)?.resolve(undefined);
    const answer = answers.get(id ?? 0);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error.message));
  };
  return {
    next: (method: string) => {
      const event = Promise.withResolvers<undefined>();
      events.set(method, event);
      return event.promise;
    },
    send: (method: string, params: object = {}, sessionId?: string) => {
      const id = answers.size + 1;
      const answer = Promise.withResolvers<unknown>();
      answers.set(id, answer);
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return answer.promise;
    },
  };
}
