import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import * as z from "zod";

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** A Chromium with its remote control on two pipes: no port is open that others could use. */
export interface ChromiumPipe {
  send(method: string, params?: object, sessionId?: string): Promise<unknown>;
  /** The next event of this name. */
  next(method: string): Promise<undefined>;
  /** All events of this name. */
  on(method: string, listener: (params: unknown) => void): void;
  close(): Promise<void>;
}

export async function startPipe(program: string): Promise<ChromiumPipe> {
  const profile = await mkdtemp(join(tmpdir(), "graph-deploy-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update"];
  const child = spawn(
    program,
    [...flags, ...quiet, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const exited = once(child, "exit");
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  const events = new Map<string, PromiseWithResolvers<undefined>>();
  const listeners = new Map<string, (params: unknown) => void>();
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const texts = (rest + chunk).split("\0");
    rest = texts.pop() ?? "";
    for (const text of texts) take(Message.parse(JSON.parse(text)));
  });
  const take = ({ id, method = "", params, result, error }: z.infer<typeof Message>) => {
    events.get(method)?.resolve(undefined);
    listeners.get(method)?.(params);
    const answer = answers.get(id ?? 0);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error.message));
  };
  return {
    next: (method) => {
      const event = Promise.withResolvers<undefined>();
      events.set(method, event);
      return event.promise;
    },
    on: (method, listener) => void listeners.set(method, listener),
    send: (method, params = {}, sessionId) => {
      const id = answers.size + 1;
      const answer = Promise.withResolvers<unknown>();
      answers.set(id, answer);
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return answer.promise;
    },
    close: async () => {
      child.kill();
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

const TargetsOf = z.object({ targetInfos: z.array(z.object({ targetId: z.string(), type: z.string() })) });
const Attached = z.object({ sessionId: z.string() });

/** The page that Chromium starts with. */
export async function attachToPage(pipe: ChromiumPipe): Promise<(method: string, params?: object) => Promise<unknown>> {
  const { targetInfos } = TargetsOf.parse(await pipe.send("Target.getTargets"));
  const targetId = targetInfos.find(({ type }) => type === "page")?.targetId;
  const { sessionId } = Attached.parse(await pipe.send("Target.attachToTarget", { targetId, flatten: true }));
  return (method, params) => pipe.send(method, params, sessionId);
}
